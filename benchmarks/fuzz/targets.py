"""What is fuzzed: the splitters, the claim shapes, the truth readers, values, front matter, dates and amounts.

Each target takes any bytes, raises nothing, and asserts what has to hold of the outcome.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from muniment.records.extract import extract_records
from muniment.records.verify import verify_record
from schemas.chunks import Document
from schemas.claims import Truth
from schemas.records import DocumentRef
from tasks.chunk import documentation_lines, slice_text, split
from tasks.drift.claims import find_claims
from tasks.drift.tree import TextFile, text_file
from tasks.drift.truths import read_truths
from tasks.drift.values import compare, is_value
from tasks.frontmatter import read_front_matter
from tasks.stated import stated_in, stated_in_sidecar

CHUNKED: tuple[tuple[str, str], ...] = (
    ("a.sh", "header"), ("a.php", "header"), ("a.py", "header"), ("a.lua", "header"), ("a.conf.example", "template"),
    ("a.md", "doc"), ("a.md", "note"), ("a.rst", "doc"), ("a.adoc", "doc"), ("a.1", "manual"), ("a.txt", "doc"),
    ("a.pdf", "record"),
)  # fmt: skip
"""A path and a kind for each splitter."""
JUDGED = ("a.md", "a.rst", "a.adoc", "a.1", "README", "a.conf.example", "a.sh", "a.py", "defaults/main.yml")
TRUE = (
    *("a.conf.example", ".env.example", "a.ini", "a.service", "a.toml", "values.yaml", "Dockerfile"),
    "docker-compose.yml",
    *("a.schema.json", "a.sh", "a.py", "a.php", "a.go", "a.rs", "a.c", "a.yml.j2"),
)


def chunk(raw: bytes) -> None:
    """No line of documentation is lost or kept twice, and a piece is what stands at its lines."""
    path, kind = CHUNKED[_first(raw) % len(CHUNKED)]
    text = _text(raw)
    document = Document(
        source="fuzz", path=path, kind=kind, type=kind, text=text, encoding="utf-8", content_id="", sha256="",
        size=len(raw), mtime_ns=0,
    )  # fmt: skip
    kept: list[int] = []
    for piece in split(document):
        assert piece.text == slice_text(document, piece.line_start, piece.line_end)
        kept += range(piece.line_start, piece.line_end + 1)
    assert kept == sorted(set(kept))
    assert set(documentation_lines(document)) <= set(kept)


def claims(raw: bytes) -> None:
    """A claim names an option and a value, and its column and width where that stands."""
    if file := _file(JUDGED, raw):
        for claim in find_claims(file):
            assert claim.option
            assert claim.documented
            line = file.lines[claim.line - 1]
            assert not claim.width or line[claim.column :][: claim.width] == claim.documented


def truths(raw: bytes) -> None:
    """A truth names an option, and a line that there is."""
    if file := _file(TRUE, raw):
        for truth in read_truths(file):
            assert truth.option
            assert 1 <= truth.line <= len(file.lines)


def values(raw: bytes) -> None:
    """Two values agree, disagree or leave it open, with a reason; one never disagrees with itself."""
    one, _, other = _text(raw).partition("\n")
    option = "MAX_SIZE" if _first(raw) & 1 else "timeout.seconds"
    for documented, real in ((one, other), (one, one)):
        found = compare(documented, Truth(option, real, "string", "a.conf", 1, "template"))
        assert found.verdict in ("agrees", "disagrees", "unknown")
        assert found.reason
        assert documented != real or found.verdict != "disagrees"
    is_value(one)


def stated(raw: bytes) -> None:
    """Front matter takes no more lines than there are, and a sidecar states something or says why it does not."""
    text = _text(raw)
    front = read_front_matter(text)
    assert 0 <= front.lines <= text.count("\n") + 1
    assert not (front.broken and front.values)
    for found in (stated_in(text), stated_in_sidecar(text)):
        assert found.sensitivity in ("", "public", "internal", "confidential", "restricted")


def records(raw: bytes) -> None:
    """Every record that is made of a bill stands in its text, and without one there is a reason."""
    text = _text(raw)
    known = extract_records(text, DocumentRef("fuzz", "bill.txt"))
    assert bool(known.records) != bool(known.reason)
    for record in known.records:
        assert verify_record(record, text) == ()


TARGETS: Mapping[str, Callable[[bytes], None]] = {
    "chunk": chunk,
    "claims": claims,
    "truths": truths,
    "values": values,
    "stated": stated,
    "records": records,
}
"""Name -> target."""


def _first(raw: bytes) -> int:
    return raw[0] if raw else 0


def _text(raw: bytes) -> str:
    return raw[1:].decode("utf-8", "replace").replace("\r", "\n")


def _file(names: tuple[str, ...], raw: bytes) -> TextFile | None:
    found = text_file(names[_first(raw) % len(names)], _text(raw).encode())
    return found if isinstance(found, TextFile) else None
