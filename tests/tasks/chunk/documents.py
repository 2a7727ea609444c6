"""Documents as the splitters get them, made from a path and a text."""

from schemas.chunks import Document
from schemas.files import Skipped
from tasks.classify import Unsure, kind_from_content, kind_of


def document(path: str, text: str, kind: str = "") -> Document:
    """A document of the kind that its path and text have, or of the kind given."""
    found = kind or kind_of(path)
    if isinstance(found, Unsure):
        found = kind_from_content(path, text.encode())
    assert not isinstance(found, Skipped), found
    return Document("here", path, found, found, text, "utf-8", "", "", len(text.encode()))
