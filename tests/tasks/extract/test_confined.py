"""Extraction in its own process: the same outcomes, and bounds that hold against what is made to break them."""

import os
from datetime import date
from pathlib import Path

import pytest

from schemas.extracted import Extracted, NoText
from tasks.extract import FORMATS, extractor
from tasks.extract.confined import Confined
from tests.tasks.extract.pdfs import stream_pdf, text_pdf

MAIL = b"From: A <a@b.example>\nSubject: Hello\nDate: Mon, 3 Nov 2025 10:00:00 +0000\n\ntext\n"
SAMPLES = {"pdf": text_pdf("one", "two"), "eml": MAIL, "html": b"<title>T</title><p>text"}


def test_every_format_comes_back_as_it_is_read_here() -> None:
    assert SAMPLES.keys() == set(FORMATS.values())
    with Confined() as confined:
        for form, raw in SAMPLES.items():
            assert confined.extract(form, raw) == extractor(form)(raw)
        found = confined.extract("eml", MAIL)
    assert isinstance(found, Extracted)
    assert found.stated.doc_date == date(2025, 11, 3)


def test_a_document_that_takes_too_long_costs_only_itself() -> None:
    with Confined(seconds=0.0) as confined:
        slow = confined.extract("pdf", SAMPLES["pdf"])
    assert isinstance(slow, NoText)
    assert slow.reason == "unreadable"
    with Confined() as confined:
        hostile = confined.extract("html", b"<div>" * 60_000)
        assert isinstance(confined.extract("html", SAMPLES["html"]), Extracted)
    assert isinstance(hostile, NoText)


@pytest.mark.parametrize(
    "raw",
    [
        stream_pdf(b"BT /F1 10 Tf " + b"(x) Tj " * 40_000_000 + b"ET", packed=True),
        stream_pdf(b"[" * 200_000, packed=True),
        stream_pdf(b"q " * 2_000_000, packed=True),
        text_pdf("x").replace(b"/Kids [4 0 R]", b"/Kids [2 0 R]"),
        text_pdf("x").replace(b"/Contents 5 0 R", b"/Contents 4 0 R"),
    ],
    ids=["bomb", "brackets", "states", "page tree that is its own child", "contents that are the page"],
)
def test_hostile_files_are_bounded(raw: bytes) -> None:
    with Confined(seconds=5) as confined:
        found = confined.extract("pdf", raw)
        assert isinstance(found, Extracted | NoText)
        assert isinstance(confined.extract("pdf", SAMPLES["pdf"]), Extracted)


def test_the_process_takes_no_code_from_the_folder_it_runs_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("pypdf.py", "tasks.py", "json.py"):
        (tmp_path / name).write_text("raise SystemExit('hostile')")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with Confined() as confined:
        assert isinstance(confined.extract("pdf", SAMPLES["pdf"]), Extracted)


def test_no_process_is_started_before_it_is_needed_or_left_behind() -> None:
    before = _children()
    with Confined():
        assert _children() == before
    with Confined() as confined:
        confined.extract("eml", MAIL)
    assert _children() == before


def _children() -> set[str]:
    own = Path(f"/proc/{os.getpid()}/task")
    return {child for task in own.iterdir() for child in (task / "children").read_text().split()}
