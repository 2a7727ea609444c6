"""Bytes to text: which encoding a file is in, or why it holds no text."""

import codecs
import contextlib
import re
from collections.abc import Iterator
from dataclasses import dataclass

_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),  # before UTF-16, whose mark is how this one begins
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)

# Each holds a byte that no text begins with. `BM`, `ID3`, `GIF89a` and `%PDF` are left out: sentences begin so.
_SIGNATURES = (
    b"\x89PNG",
    b"\xff\xd8\xff",
    b"\x1f\x8b",
    b"PK\x03\x04",
    b"(\xb5/\xfd",
    b"\xfd7zXZ",
    b"7z\xbc\xaf",
    b"\x7fELF",
)

_CONTROL = re.compile(r"[\x00-\x07\x0e-\x1a\x1c-\x1f\x7f-\x9f]")
_ASCII = bytes(range(128))

DAMAGED = "utf-8 with losses"
LOST = "\ufffd"
_BEYOND_ASCII = bytes(range(128, 256))
_WIDER = {
    "ascii": "utf-8",
    "iso8859-1": "cp1252",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "shift_jis": "cp932",
    "euc_kr": "cp949",
    "iso8859-9": "cp1254",
    "tis-620": "cp874",
    # These are for programs: what they make of a text is not what was written.
    **dict.fromkeys(("unicode-escape", "raw-unicode-escape", "idna", "punycode"), "utf-8"),
}
_MAX_CONTROL = 1 / 20
_MAX_ACCENTED = 3 / 10
"""Western languages need less than a tenth; Cyrillic, Greek or Japanese in a code page of its own, more than half."""


@dataclass(frozen=True, slots=True)
class Decoded:
    """A file's text, with `\\n` line ends, no byte order mark and no lone surrogates."""

    text: str
    encoding: str


def decode(raw: bytes) -> Decoded | str:
    """The text of a file, or the key of `SKIP_REASONS` that says why there is none."""
    if raw.startswith(_SIGNATURES) or _is_pdf(raw):
        return "binary"
    for encoding in _encodings(raw):
        text = _read(raw, encoding)
        if text is None:
            continue
        if len(_CONTROL.findall(text)) <= _MAX_CONTROL * len(text):
            return _finish(text, encoding)
    return "binary"


def decode_as(raw: bytes, declared: str) -> Decoded:
    """The text of a page or a part of a mail that says its encoding: in that, else in the likeliest it can be in."""
    for encoding in (_meant(declared), "utf-8"):
        with contextlib.suppress(LookupError, ValueError):
            return Decoded(raw.decode(encoding), encoding)
    if (text := _mostly_utf8(raw)) is not None:
        return Decoded(text, DAMAGED)
    with contextlib.suppress(ValueError):
        return Decoded(raw.decode("cp1252"), "cp1252")
    return Decoded(raw.decode("latin-1"), "latin-1")


def _meant(declared: str) -> str:
    """The codec for a declared encoding, as browsers take it: programs name the old one and write the wider."""
    try:
        name = codecs.lookup(declared.strip("\"' ")).name
    except (LookupError, ValueError):
        return "utf-8"
    return _WIDER.get(name, name)


def _mostly_utf8(raw: bytes) -> str | None:
    """The text of UTF-8 that a few bytes are lost of, each loss marked; None where it is hardly UTF-8."""
    text = raw.decode("utf-8", "replace")
    lost = text.count(LOST)
    accented = len(text) - len(raw.translate(None, _BEYOND_ASCII)) - lost
    return text if lost < accented else None


def _encodings(raw: bytes) -> Iterator[str]:
    yield from (encoding for mark, encoding in _MARKS if raw.startswith(mark))
    if b"\0" in raw:
        yield from _utf16_without_mark(raw)
        return
    yield from ("utf-8", DAMAGED)
    if len(raw.translate(None, _ASCII)) <= _MAX_ACCENTED * len(raw):
        yield "cp1252"
        yield "latin-1"


def _read(raw: bytes, encoding: str) -> str | None:
    if encoding == DAMAGED:
        return _mostly_utf8(raw)
    try:
        return raw.decode(encoding)
    except UnicodeDecodeError:
        return None


def _utf16_without_mark(raw: bytes) -> Iterator[str]:
    # Unmistakable only where nearly all letters are Western: every second byte is zero, and none in between.
    even, odd = raw[::2], raw[1::2]
    for encoding, letters, zeros in (("utf-16-le", even, odd), ("utf-16-be", odd, even)):
        if len(zeros) >= 4 and zeros.count(0) >= 0.9 * len(zeros) and not letters.count(0):
            yield encoding


def _is_pdf(raw: bytes) -> bool:
    # A PDF can be all ASCII; prose about the format has no trailer.
    return raw.startswith(b"%PDF-") and b"%%EOF" in raw[-1024:]


def _finish(text: str, encoding: str) -> Decoded | str:
    text = text.lstrip("\ufeff")
    if not text.strip():
        return "no documentation" if text else "empty"
    if "\n" not in text:
        return Decoded(text.replace("\r", "\n"), encoding)
    return Decoded("\n".join(line.rstrip("\r") for line in text.split("\n")), encoding)
