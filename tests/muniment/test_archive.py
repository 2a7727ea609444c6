"""The sample archive end to end: what its owner asks, with and without a model, and what a run makes of it."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from muniment.cli import main
from muniment.generation import read_current
from muniment.store.reader import open_reader
from schemas.chunks import Document
from schemas.files import SKIP_REASONS
from tasks.enumerate.stats import GRANULARITY_NS
from tests.conftest import ROOT, Ran, write
from tests.muniment.ask.conftest import enable, says
from tests.muniment.models.servers import ModelServer, Request
from tests.tasks.extract.pdfs import text_pdf

Muniment = Callable[..., Ran]
ARCHIVE = ROOT / "data" / "sample" / "archive"
SETTINGS = '[[sources]]\nname = "papers"\nkind = "archive"\npath = "papers"\n'
TODAY = ("--today", "2026-01-15")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the sample archive, the settings that name it, and its index with vectors; not to be changed."""
    place = tmp_path_factory.mktemp("archive")
    shutil.copytree(ARCHIVE, place / "papers")
    long_ago = time.time_ns() - 10 * GRANULARITY_NS
    for path in (place / "papers").rglob("*"):
        os.utime(path, ns=(long_ago, long_ago))
    write(place, {"muniment.toml": SETTINGS})
    argv = ["index", "--config", place / "muniment.toml", "--home", place / "home", "--engine", "direct"]
    assert main([str(word) for word in argv]) == 0
    return place


@pytest.fixture
def asked(built: Path, muniment: Muniment, own_place: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Ran]:
    """Asks the sample archive on a day in January 2026."""
    shutil.copytree(built / "home", own_place)
    monkeypatch.setenv("MUNIMENT_CONFIG", str(built / "muniment.toml"))
    return lambda question, *more: muniment("ask", question, *TODAY, *more)


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModelServer]:
    with ModelServer("ollama") as running:
        enable(monkeypatch, running)
        yield running


@pytest.mark.parametrize(
    ("question", "says", "cites"),
    [
        (
            "When is my car insurance due",
            "The next car insurance premium is due on 1 March 2026",
            "insurance/car-policy.md",
        ),
        ("who signed the lease amendment", "signed by Imagina Lorem, managing agent", "home/lease-amendment.md"),
        (
            "when is my next dental check-up",
            "Tuesday, 3 February 2026 at 10:15",
            "mail/2025-12-dentist-appointment.eml",
        ),
        ("how many keys were handed over?", "3 for the house door", "home/handover.txt"),
        ("what is the excess for glass damage", "EUR 150", "insurance/claim-letter.txt"),
        ("until when can I cancel the hotel for free", "7 July 2025", "web/2025-07-hotel.html"),
        ("where do bicycles belong in the house", "into the cellar", "home/house-rules.pdf"),
    ],
)
def test_a_question_is_answered_from_the_paper_that_says_it(
    asked: Callable[..., Ran], question: str, says: str, cites: str
) -> None:
    ran = asked(question)
    assert says in " ".join(ran.out.split())
    assert f"[1] {cites}:" in ran.out


def test_a_citation_of_a_pdf_names_its_page(asked: Callable[..., Ran]) -> None:
    assert "home/house-rules.pdf" in (shown := asked("where do bicycles belong in the house").out)
    assert "page 2" in shown


def test_the_utilities_of_last_november_are_added_up(asked: Callable[..., Ran]) -> None:
    assert asked("total utilities in November last year").out == (
        "EUR 218.85 and SEK 240.00\n"
        "from 5 of 5 matching documents, 2025-11-01 to 2025-11-30\n"
        "  utilities/2025-11-avfall.txt: SEK 240.00 on 2025-11-18\n"
        "  utilities/2025-11-electricity.txt: EUR 61.20 on 2025-11-05\n"
        "  utilities/2025-11-gas.pdf: EUR 48.75 on 2025-11-14\n"
        "  utilities/2025-11-wasser.txt: EUR 33.90 on 2025-11-12\n"
        "  web/2025-11-chauffage.html: EUR 75.00 on 2025-11-22\n"
        "  counted once: utilities/2025-11-electricity-receipt.txt: it pays utilities/2025-11-electricity.txt\n"
        "  not counted: utilities/2025-11-wasser-mahnung.txt: reminder: asks again for what another document billed\n"
    )


@pytest.mark.parametrize(
    ("question", "total"),
    [
        ("how much did I pay for electricity in November last year", "EUR 61.20"),
        ("how much did I pay for gas in December 2025", "EUR 58.16"),
        ("what did I spend on software in November 2025", "JPY 12,800 and USD 96.00"),
        ("how much did I spend on groceries in November 2025", "EUR 14.95"),
    ],
)
def test_totals_are_read_from_every_format(asked: Callable[..., Ran], question: str, total: str) -> None:
    assert asked(question).out.startswith(total + "\n")


def test_admitting_sensitive_bills_changes_the_total(
    asked: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MUNIMENT_ARCHIVE__ADMIT_SENSITIVE", "true")
    assert asked("total utilities in November last year").out.startswith("EUR 730.85 and SEK 240.00\n")


@pytest.mark.parametrize(
    ("question", "answer", "needle"),
    [
        ("When is my car insurance due", "It is due on 1 March 2026.", "due on 1 March 2026"),
        ("who signed the lease amendment", "Imagina Lorem and The Householder.", "signed by Imagina Lorem"),
    ],
)
def test_a_model_words_the_answer_from_the_same_papers(
    asked: Callable[..., Ran], server: ModelServer, question: str, answer: str, needle: str
) -> None:
    def reply(request: Request) -> str:
        excerpts = request.question["excerpts"]
        return says(answer, [next(one["id"] for one in excerpts if needle in one["text"])])(request)

    server.conduct.say = reply
    shown = asked(question, "--json").json
    assert (shown["answer"], shown["reason"], shown["model"]) == (answer, "", "ollama:chatty")
    (request,) = server.chats
    assert not any("EUR 3,900" in one["text"] or "meniscus" in one["text"] for one in request.question["excerpts"])


def test_a_total_asks_no_model(asked: Callable[..., Ran], server: ModelServer) -> None:
    assert asked("total utilities in November last year").out.startswith("EUR 218.85 and SEK 240.00\n")
    assert not server.chats


def test_every_paper_is_a_record_with_what_is_stated_of_it(built: Path) -> None:
    with open_reader(built / "home" / "index", admit_sensitive=True) as reader:
        columns = ["path", "kind", "title", "doc_date", "correspondent", "tags", "sensitivity"]
        rows = {row["path"]: row for row in reader.rows("documents", columns).to_pylist()}
        assert reader.rows("claims", ["claim_id"]).num_rows == 0
    assert len(rows) == 60
    assert {row["kind"] for row in rows.values()} == {"record"}
    mail = rows["mail/2025-11-mobile-bill.eml"]
    assert (mail["title"], mail["correspondent"]) == ("Your invoice TT-2025-11", "Tin-Can Telephone Ltd")
    sidecar = rows["receipts/2025-11-software.txt"]
    assert (sidecar["correspondent"], f"{sidecar['doc_date']:%Y-%m-%d}") == ("Kakū Soft (fictional)", "2025-11-25")
    listed = rows["utilities/2025-11-gas.pdf"]
    assert (listed["title"], listed["tags"]) == ("Gas bill October", "gas, utilities")
    assert rows["bank/mortgage-offer.txt"]["sensitivity"] == "confidential"
    assert rows["work/contract.md"]["sensitivity"] == "restricted"
    assert rows["web/2025-07-hotel.html"]["title"] == "Booking confirmation"


def test_a_scan_is_listed_and_not_guessed(built: Path) -> None:
    published = read_current(built / "home" / "index")
    assert published
    assert published.sources["papers"].skipped["no text layer"] == 1
    assert published.sources["papers"].skipped.keys() <= SKIP_REASONS.keys()


@pytest.fixture
def papers(muniment: Muniment, tmp_path: Path, words_only: None, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small archive of the test's own, indexed by its words."""
    write(tmp_path / "papers", {"a.txt": "The heron letter.\n", "b.json": '{"title": "Wren"}'})
    write(tmp_path / "papers", {"b.pdf": text_pdf("The wren letter")})
    write(tmp_path, {"muniment.toml": SETTINGS})
    monkeypatch.setenv("MUNIMENT_CONFIG", str(tmp_path / "muniment.toml"))
    long_ago = time.time_ns() - 10 * GRANULARITY_NS
    for path in (tmp_path / "papers").iterdir():
        os.utime(path, ns=(long_ago, long_ago))
    assert muniment("index").code == 0
    return tmp_path / "papers"


def test_a_changed_sidecar_is_seen_by_the_next_run_and_by_hits(muniment: Muniment, papers: Path) -> None:
    assert not muniment("search", "wren", "--json").json["hits"][0]["changed_since_index"]
    write(papers, {"b.json": '{"title": "The wren of the north"}'})
    assert muniment("search", "wren", "--json").json["hits"][0]["changed_since_index"]
    report = muniment("index", "--json").json
    assert (report["sources"][0]["indexed"], report["sources"][0]["unchanged"]) == (1, 1)
    assert not muniment("search", "wren", "--json").json["hits"][0]["changed_since_index"]
    assert muniment("search", "north", "--json").json["hits"]


def test_a_gone_document_is_marked_and_then_dropped(muniment: Muniment, papers: Path) -> None:
    (papers / "a.txt").unlink()
    (hit,) = muniment("search", "heron", "--json").json["hits"]
    assert hit["gone"]
    assert muniment("index", "--json").json["sources"][0]["deleted"] == 1
    assert muniment("search", "heron", "--json").json["hits"] == []


def test_an_archive_that_vanished_keeps_its_index(muniment: Muniment, papers: Path) -> None:
    for path in papers.iterdir():
        path.unlink()
    assert muniment("index").code == 4
    assert muniment("search", "heron", "--json").json["hits"]


def test_a_run_over_an_archive_as_it_was_does_nothing(muniment: Muniment, papers: Path, own_place: Path) -> None:
    later = time.time_ns() + 5 * GRANULARITY_NS
    (kept,) = (own_place / "index" / "seen").glob("*.json")
    kept.write_text(kept.read_text().replace('"at_ns": ', f'"at_ns": {later}, "was": ', 1))
    assert muniment("index", "--json").json["unchanged"] is True
    write(papers, {"c.txt": "A new one.\n"})
    assert muniment("index", "--json").json["sources"][0]["indexed"] == 1


def test_a_dry_run_reads_withheld_papers_no_more_than_others(muniment: Muniment, papers: Path) -> None:
    write(papers, {"b.json": '{"title": "Wren", "sensitivity": "restricted"}'})
    muniment("index")
    planned = muniment("index", "--dry-run", "--force", "--json").json["sources"][0]
    assert planned["indexed"] + planned["unchanged"] == 2


def test_the_pages_of_a_pdf_are_sections(muniment: Muniment, papers: Path) -> None:
    write(papers, {"two.pdf": text_pdf("First page", "The second page\nof the kingfisher")})
    muniment("index")
    (hit,) = muniment("search", "kingfisher", "--json").json["hits"]
    assert (hit["section"], hit["line_start"], hit["line_end"]) == ("page 2", 3, 4)
    assert hit["text"] == "The second page\nof the kingfisher"


def test_a_chunk_is_a_slice_of_the_extracted_text() -> None:
    from tasks.chunk import slice_text, split

    given = Document("s", "x.pdf", "record", "record", "one\n\f\ntwo\n\nthree\n\f\n\n\f\nfour", "pdf", "", "", 1)
    pieces = split(given)
    assert [(piece.section, piece.text) for piece in pieces] == [
        ("page 1", "one"),
        ("page 2", "two\n\nthree"),
        ("page 4", "four"),
    ]
    assert all(slice_text(given, piece.line_start, piece.line_end) == piece.text for piece in pieces)
