"""How the command line says what is to be kept in mind about what was found."""

from __future__ import annotations

from collections.abc import Mapping

from muniment.cli.terminal import note, one_line


def note_unchecked(unchecked: Mapping[str, str]) -> None:
    """Says which sources could not be compared with the index."""
    for source, why in unchecked.items():
        note(f"note: whether files of '{one_line(source)}' have changed since they were indexed is not known: {why}")


def note_words_only(why: str) -> None:
    """Says why meaning was left out of a search, where it was."""
    if why:
        note(f"note: searched by its words alone: {one_line(why)}")
