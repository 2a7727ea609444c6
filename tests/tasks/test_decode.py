"""From bytes to text, in whatever encoding a document of the last forty years may be."""

import codecs
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.files import SKIP_REASONS
from tasks.decode import DAMAGED, Decoded, decode

PROSE = "# Größe – “naïve” café\n\nThe quick brown fox jumps over the lazy dog.\n"
LATIN = "# Größe, naïve café\n\nThe quick brown fox jumps over the lazy dog.\n"
PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0"


@pytest.mark.parametrize(
    ("raw", "encoding"),
    [
        (PROSE.encode(), "utf-8"),
        (PROSE.encode("utf-8-sig"), "utf-8-sig"),
        (codecs.BOM_UTF16_LE + PROSE.encode("utf-16-le"), "utf-16"),
        (codecs.BOM_UTF16_BE + PROSE.encode("utf-16-be"), "utf-16"),
        (codecs.BOM_UTF32_LE + PROSE.encode("utf-32-le"), "utf-32"),
        (codecs.BOM_UTF32_BE + PROSE.encode("utf-32-be"), "utf-32"),
        (PROSE.encode("cp1252"), "cp1252"),
    ],
)
def test_prose_survives_each_encoding(raw: bytes, encoding: str) -> None:
    assert decode(raw) == Decoded(PROSE, encoding)


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf16_is_told_without_a_mark(encoding: str) -> None:
    assert decode(LATIN.encode(encoding)) == Decoded(LATIN, encoding)


@pytest.mark.parametrize("broken", [b"\xff", b"\xc3", b"\x80\x80"])
def test_a_few_broken_bytes_cost_no_other_letters(broken: bytes) -> None:
    decoded = decode(PROSE.encode() + broken + b"\n")
    assert isinstance(decoded, Decoded)
    assert decoded.text.startswith(PROSE)
    assert decoded.encoding == DAMAGED


def test_a_byte_outside_cp1252_falls_back_to_latin1() -> None:
    assert decode(LATIN.encode("cp1252") + b"\x81") == Decoded(LATIN + "\x81", "latin-1")


@pytest.mark.parametrize("text", ["caf\xe9", "\xa9 nobody", "10 \xb5m"])
def test_a_short_line_of_cp1252_is_text(text: str) -> None:
    assert decode(text.encode("cp1252")) == Decoded(text, "cp1252")


@pytest.mark.parametrize(
    "raw",
    [
        PNG,
        PNG.replace(b"\0", b" "),
        b"\xff\xd8\xff\xe0 JFIF",
        b"\x1f\x8b\x08 gzip",
        b"PK\x03\x04 zip",
        b"# Title\n\nText with a NUL \0 in it.\n",
        b"\0" * 100,
        b"\x01\x02\x03\x04",
        zlib.compress(bytes(range(256)) * 40),
        "Это документ на русском языке.".encode("cp1251"),
        "これは日本語の文書です。".encode("shift-jis"),
        b"%PDF-1.4\n1 0 obj\n<< /Type /Catalog >>\nendobj\ntrailer\n%%EOF\n",
        codecs.BOM_UTF16_LE + b"a\0b",
    ],
)
def test_what_is_no_text_is_binary(raw: bytes) -> None:
    assert decode(raw) == "binary"


@pytest.mark.parametrize(
    "text",
    [
        "%PDF is how a PDF begins",
        "%PDF-1.4 is old",
        "BM is a bitmap",
        "ID3 tags",
        "GIF89a",
        "https://example.org",
        "PK",
        "#!",
    ],
)
def test_prose_may_begin_like_a_binary(text: str) -> None:
    assert decode(text.encode()) == Decoded(text, "utf-8")


def test_colours_of_a_terminal_are_text() -> None:
    assert decode(b"\x1b[1mbold\x1b[0m\n") == Decoded("\x1b[1mbold\x1b[0m\n", "utf-8")


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        (b"a\r\nb\r\n", "a\nb\n"),
        (b"a\rb\r", "a\nb\n"),
        (b"a\r\nb\nc", "a\nb\nc"),
        (b"a\r\r\nb\r\n", "a\nb\n"),
        (b"10%\r20%\rdone\nnext", "10%\r20%\rdone\nnext"),
    ],
)
def test_line_ends_become_newlines(raw: bytes, text: str) -> None:
    assert decode(raw) == Decoded(text, "utf-8")


@pytest.mark.parametrize("raw", [b"", codecs.BOM_UTF8, codecs.BOM_UTF16_BE, codecs.BOM_UTF8 * 2])
def test_a_file_of_nothing_is_empty(raw: bytes) -> None:
    assert decode(raw) == "empty"


@pytest.mark.parametrize("raw", [b"\n", b" \t\r\n", "\u3000\u00a0".encode(), codecs.BOM_UTF8 + b"\n"])
def test_a_file_of_blanks_holds_no_documentation(raw: bytes) -> None:
    assert decode(raw) == "no documentation"


@pytest.mark.parametrize("raw", [b"surrogate \xed\xa0\x80 pair", "x".encode("utf-16") + b"\x00\xd8"])
def test_half_a_surrogate_pair_gets_nowhere(raw: bytes) -> None:
    decoded = decode(raw)
    assert isinstance(decoded, str) or decoded.text.encode()


@given(st.binary())
def test_any_bytes_have_one_outcome(raw: bytes) -> None:
    decoded = decode(raw)
    if isinstance(decoded, Decoded):
        assert decoded.text.strip()
        assert decoded.text.encode()
        assert "\r\n" not in decoded.text
    else:
        assert decoded in SKIP_REASONS


@given(
    st.text(st.characters(codec="utf-8", exclude_categories=["Cc"]), min_size=1).filter(
        lambda text: text.lstrip("\ufeff").strip()
    )
)
def test_text_in_utf8_stays_as_it_is(text: str) -> None:
    decoded = decode(text.encode())
    assert isinstance(decoded, Decoded)
    assert decoded.text == text.lstrip("\ufeff")
