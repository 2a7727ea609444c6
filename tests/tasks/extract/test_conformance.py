"""What every format must hold to: an outcome for any bytes, and text that can be cited by its lines."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from schemas.extracted import Extracted, NoText
from schemas.files import SKIP_REASONS
from tasks.extract import FORMATS, extractor, format_of, tidy
from tests.tasks.extract.pdfs import text_pdf

SEEDS = [
    text_pdf("Imaginary Power Ltd", "page two"),
    b"From: a@b.example\r\nSubject: x\r\nContent-Type: multipart/mixed; boundary=q\r\n\r\n--q\r\n\r\nhi\r\n--q--\r\n",
    b"<html><body><table><tr><td>a<td>b</table><p>text",
]


@st.composite
def mangled(draw: st.DrawFn) -> bytes:
    """A document with some of its bytes lost, doubled or changed."""
    raw = draw(st.sampled_from(SEEDS))
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(raw)))
        end = draw(st.integers(start, min(len(raw), start + 40)))
        raw = raw[:start] + draw(st.binary(max_size=8) | st.just(raw[start:end] * 2)) + raw[end:]
    return raw


@pytest.mark.parametrize("form", sorted(set(FORMATS.values())))
@settings(max_examples=40)
@given(raw=st.binary(max_size=300) | mangled())
@example(raw=b"")
@example(raw=b"%PDF-1.7\n%%EOF")
@example(raw=b"Content-Type: text/plain; charset=nobody-knows\n\n\xff")
@example(raw=b"Date: Mon, 99 Foo 9999\nFrom: <\n\nx")
def test_any_bytes_have_an_outcome(form: str, raw: bytes) -> None:
    found = extractor(form)(raw)
    if isinstance(found, NoText):
        assert found.reason in SKIP_REASONS
        return
    assert isinstance(found, Extracted)
    found.text.encode()
    lines = found.text.split("\n")
    assert all(line == "\f" or ("\f" not in line and line == line.rstrip()) for line in lines)
    assert "\r" not in found.text
    assert "\0" not in found.text


@given(st.text(alphabet="ab \n\r\t\f\0\ud800\u2028", max_size=60))
def test_tidy_text_stays_as_it_is(text: str) -> None:
    assert tidy(tidy(text)) == tidy(text)


@pytest.mark.parametrize(
    ("path", "form"), [("a.PDF", "pdf"), ("x/a.b.htm", "html"), ("a.eml", "eml"), ("a.txt", ""), ("pdf", "")]
)
def test_the_suffix_says_the_format(path: str, form: str) -> None:
    assert format_of(path) == form
