"""A piece of a document, as a chunker cuts it, and the document it is cut from."""

from dataclasses import dataclass, field

from schemas.stated import NOTHING_STATED, Stated

KINDS: dict[str, str] = {
    "header": "the comment header, docstring or usage text of a script",
    "readme": "a README of a repository or folder",
    "manual": "a manual page or a manual's chapter",
    "template": "a conf template or defaults file: one setting and its comment",
    "doc": "any other documentation file",
    "note": "a note of a vault",
    "record": "a personal document of an archive",
}


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of whole lines that belongs together under one heading.

    `text` is what stands on those lines: for headers with the comment marker stripped, otherwise verbatim.
    """

    line_start: int
    """1-based, inclusive; a blank line is never the first or the last."""
    line_end: int
    text: str
    section: str = ""
    """PURPOSE, CONFIGURATION, ... or the document's top heading over this piece."""
    title: str = ""
    """The nearest heading, the named paragraph, or the setting."""
    heading_path: tuple[str, ...] = ()
    """All headings above and including the nearest, outermost first."""
    breaks: tuple[int, ...] = field(default=())
    """Line numbers inside the piece at which a block starts: where it may be split when it is too long."""


@dataclass(frozen=True, slots=True)
class Document:
    """One decoded file, ready to be chunked."""

    source: str
    path: str
    kind: str
    type: str
    text: str
    """Decoded, with `\\n` line ends and no byte order mark."""
    encoding: str
    content_id: str
    sha256: str
    size: int
    mtime_ns: int = 0
    namespace: str = ""
    stated: Stated = NOTHING_STATED
    """Of a document of an archive, or a note of a vault."""
