"""The text layer of a PDF, page by page; a scan has none, and nothing is guessed from its pictures."""

from __future__ import annotations

import re
import unicodedata
from io import BytesIO
from typing import TYPE_CHECKING

from schemas.extracted import Extracted, NoText
from schemas.stated import Stated
from tasks.extract import MAX_TEXT, tidy

if TYPE_CHECKING:
    from pypdf import PdfReader

MAX_PAGES = 500
_LIGATURES = str.maketrans({letters: unicodedata.normalize("NFKC", letters) for letters in "ﬀﬁﬂﬃﬄﬅﬆ"})
_UNREADABLE = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x9f\ufffd\ue000-\uf8ff]")
"""What letters become whose font does not say which ones they are."""
PAGE_BREAK = "\n\f\n"
# A damaged file makes the library stumble in any of these ways.
_STUMBLES = (ValueError, LookupError, TypeError, AttributeError, ArithmeticError, OSError, AssertionError)


def extract(raw: bytes) -> Extracted | NoText:
    """The text of all pages, a form feed on a line of its own between two."""
    from pypdf.errors import DependencyError, PyPdfError

    try:
        return _extract(raw)
    except DependencyError:
        return NoText("encrypted", "with a cipher that is not supported")
    except RecursionError:
        return NoText("unreadable", "objects are nested too deep")
    except (PyPdfError, *_STUMBLES) as error:
        return NoText("unreadable", f"a damaged PDF: {type(error).__name__}")


def _extract(raw: bytes) -> Extracted | NoText:
    from pypdf import PdfReader

    reader = PdfReader(BytesIO(raw), strict=False)
    if reader.is_encrypted and not _opens(reader):
        return NoText("encrypted")
    if len(reader.pages) > MAX_PAGES:
        return NoText("too large", f"{len(reader.pages):,} pages")
    pages = _pages(reader)
    if pages is None:
        return NoText("too large", f"over {MAX_TEXT:,} characters")
    empty = sum(not page for page in pages)
    if empty == len(pages):
        return NoText("no text layer", f"{empty} page{'s' * (empty != 1)}")
    faults = (f"{empty} of {len(pages)} pages hold no text",) if empty else ()
    return Extracted(PAGE_BREAK.join(pages), "pdf", Stated(faults=faults))


def _opens(reader: PdfReader) -> bool:
    """Whether the file opens without a password, as those do that only forbid to print."""
    return bool(reader.decrypt(""))


def _pages(reader: PdfReader) -> list[str] | None:
    """The text of each page; None where it is too much."""
    pages: list[str] = []
    for page in reader.pages:
        pages.append(_readable(page.extract_text().replace("\f", " ")))
        if sum(map(len, pages)) > MAX_TEXT:
            return None
    return pages


def _readable(text: str) -> str:
    """The text of a page with its letters apart; empty where it is mostly signs that nobody can read."""
    lost = len(_UNREADABLE.findall(text))
    return "" if 2 * lost > len("".join(text.split())) else tidy(text.translate(_LIGATURES)).strip()
