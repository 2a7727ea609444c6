"""The text layer of PDFs, and the files that have none."""

from io import BytesIO

import pytest

from schemas.extracted import Extracted, NoText
from tasks.extract.pdf import MAX_PAGES, extract
from tests.tasks.extract.pdfs import stream_pdf, text_pdf


def test_pages_are_kept_apart_by_a_form_feed() -> None:
    found = extract(text_pdf("Imaginary Power\nTotal due    EUR 45.00", "Second page"))
    assert isinstance(found, Extracted)
    assert found.text == "Imaginary Power\nTotal due    EUR 45.00\n\f\nSecond page"


def test_letters_of_other_languages_are_read() -> None:
    found = extract(text_pdf("Prämie fällig: 12,50 €"))
    assert isinstance(found, Extracted)
    assert found.text == "Prämie fällig: 12,50 €"


def test_a_scan_is_skipped_and_not_guessed() -> None:
    assert extract(stream_pdf(b"0 0 100 100 re f", b"")) == NoText("no text layer", "2 pages")


def test_a_page_without_text_is_reported() -> None:
    found = extract(stream_pdf(b"BT /F1 10 Tf (text) Tj ET", b"0 0 9 9 re f"))
    assert isinstance(found, Extracted)
    assert found.stated.faults == ("1 of 2 pages hold no text",)


@pytest.mark.parametrize("drawn", [b"<000100020003> Tj", b"(\\001\\002 \\003) Tj"])
def test_letters_that_nobody_can_tell_are_no_text(drawn: bytes) -> None:
    raw = stream_pdf(b"BT /F1 10 Tf " + drawn + b" ET")
    assert extract(raw) == NoText("no text layer", "1 page")


def test_letters_drawn_as_one_are_apart() -> None:
    named = b"/Encoding << /Type /Encoding /Differences [1 /ffi /fl] >>"
    raw = stream_pdf(b"BT /F1 10 Tf (o\001ce \002oor) Tj ET").replace(b"/Encoding /WinAnsiEncoding", named)
    found = extract(raw)
    assert isinstance(found, Extracted)
    assert found.text == "office floor"


@pytest.mark.parametrize(("password", "outcome"), [("", Extracted), ("secret", NoText)])
def test_only_a_password_that_is_asked_for_locks_a_file(password: str, outcome: type) -> None:
    from pypdf import PdfReader, PdfWriter

    writer = PdfWriter(clone_from=PdfReader(BytesIO(text_pdf("hello"))))
    writer.encrypt(user_password=password, owner_password="owner", algorithm="RC4-128")
    locked = BytesIO()
    writer.write(locked)
    found = extract(locked.getvalue())
    assert isinstance(found, outcome)
    assert not isinstance(found, NoText) or found.reason == "encrypted"


def test_too_many_pages_are_refused() -> None:
    assert extract(stream_pdf(*[b""] * (MAX_PAGES + 1))) == NoText("too large", "501 pages")


@pytest.mark.parametrize("raw", [b"", b"%PDF-1.4\n", b"no pdf at all", text_pdf("x")[:200]])
def test_a_damaged_file_is_unreadable(raw: bytes) -> None:
    found = extract(raw)
    assert isinstance(found, NoText)
    assert found.reason == "unreadable"
