"""How the command line says that what was found is no longer what stands in its file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from muniment.cli.terminal import note, one_line

if TYPE_CHECKING:
    from schemas.answers import Hit
    from schemas.cited import Excerpt


def staleness(found: Hit | Excerpt) -> str:
    """One line where the file has changed or is gone; else nothing."""
    if found.gone:
        return "the file is gone"
    return "changed since it was indexed" if found.changed_since_index else ""


def note_unchecked(unchecked: Mapping[str, str]) -> None:
    """Says which sources could not be compared with the index."""
    for source, why in unchecked.items():
        note(f"note: whether files of '{one_line(source)}' have changed since they were indexed is not known: {why}")
