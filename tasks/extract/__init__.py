"""Extract: from the bytes of a document that is no plain text to its text, one file per format."""

from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import PurePosixPath

from schemas.extracted import Extracted, NoText

FORMATS: Mapping[str, str] = {".html": "html", ".htm": "html", ".eml": "eml", ".pdf": "pdf"}
"""Suffix -> format: the module here whose `extract` reads it."""

MAX_TEXT = 4_000_000
"""Characters of text that one document may hold."""


_UNSEEN = dict.fromkeys(map(ord, "\0\u00ad\u034f\u200b\u2060\ufeff"))


def extractor(name: str) -> Callable[[bytes], Extracted | NoText]:
    """What reads a format."""
    found: Callable[[bytes], Extracted | NoText] = import_module(f"tasks.extract.{name}").extract
    return found


def format_of(path: str) -> str:
    """The format that a path's suffix names; empty for text that is read as it stands."""
    return FORMATS.get(PurePosixPath(path.lower()).suffix, "")


def tidy(text: str) -> str:
    """Text that can be cited by its lines: `\\n` line ends, no blanks at their ends, at most one blank line in a row.

    A form feed keeps a line of its own: it is where a page ends. What nobody sees, a place where a word may be divided
    for example, is left out: it would part the word.
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n").translate(_UNSEEN)
    lines: list[str] = []
    for line in text.split("\n"):
        stripped = line if line == "\f" else line.replace("\f", " ").rstrip()
        if stripped or (lines and lines[-1]):
            lines.append(stripped)
    return "\n".join(lines).encode("utf-8", "replace").decode().rstrip("\n ")
