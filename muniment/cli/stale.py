"""How the command line says that it is not known whether what was found still stands in its file."""

from __future__ import annotations

from collections.abc import Mapping

from muniment.cli.terminal import note, one_line


def note_unchecked(unchecked: Mapping[str, str]) -> None:
    """Says which sources could not be compared with the index."""
    for source, why in unchecked.items():
        note(f"note: whether files of '{one_line(source)}' have changed since they were indexed is not known: {why}")
