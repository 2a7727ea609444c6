"""Confidential and restricted documents: no door shows, counts or hints at them unless the settings admit them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from muniment.api import open_index
from muniment.errors import UsageError
from muniment.generation import read_current
from muniment.store.reader import Filter, open_reader
from schemas.columns import TABLES
from tests.conftest import Ran, write
from tests.muniment.http.doors import opened
from tests.muniment.mcp.agents import over_stdio

pytestmark = pytest.mark.usefixtures("words_only")

Muniment = Callable[..., Ran]
SECRET = "zebrafish"
"""A word of every sensitive document, and of no other."""
BILL = "{0} Power Ltd\n\nInvoice No. {0}-1\nDate: 3 November 2025\n\nElectricity\nTotal due: EUR {1}.00\n"
FILES = {
    "open.txt": BILL.format("Lumenia", 45),
    "letter.md": "---\nsensitivity: internal\n---\n# The cellar\n\nThe meter hangs in the cellar behind the door.\n",
    "bills/one.txt": BILL.format("Zebrafish", 400),
    "bills/one.txt.yaml": "sensitivity: Restricted\n",
    "clinic.md": "---\ntitle: Zebrafish clinic letter\nsensitivity: confidential\n---\n"
    "# Zebrafish clinic letter\n\n## What the zebrafish clinic found\n\nThe zebrafish knee is torn.\n",
    "listed.txt": "The zebrafish statement of the bank of nowhere, with its cellar.\n",
    "odd.md": "---\nsensitivity: zebrafish-level\n---\n# Zebrafish and the cellar\n\nA word that nobody knows.\n",
    "manifest.csv": "path,sensitivity\nlisted.txt,confidential\n",
}
HIDDEN = ("bills/one.txt", "clinic.md", "listed.txt", "odd.md")
TOTAL = "how much did I pay for electricity in November 2025"


@pytest.fixture
def papers(muniment: Muniment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An indexed archive, and the settings that name it."""
    write(tmp_path / "papers", FILES)
    write(tmp_path, {"muniment.toml": '[[sources]]\nname = "papers"\nkind = "archive"\npath = "papers"\n'})
    monkeypatch.setenv("MUNIMENT_CONFIG", str(tmp_path / "muniment.toml"))
    assert muniment("index").code == 0
    return tmp_path / "papers"


@pytest.fixture
def admitted(papers: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MUNIMENT_ARCHIVE__ADMIT_SENSITIVE", "true")
    return papers


def _command(*words: str) -> Callable[[Muniment, Path], str]:
    def run(muniment: Muniment, _home: Path) -> str:
        ran = muniment(*words)
        return ran.out + ran.err

    return run


def _http(path: str, **asked: object) -> Callable[[Muniment, Path], str]:
    def request(_muniment: Muniment, home: Path) -> str:
        with opened(home) as door:
            return (door.post(path, asked) if asked else door.get(path)).text

    return request


def _python(muniment: Muniment, home: Path) -> str:
    with open_index() as index:
        # A process that searches again answers from memory.
        found = [index.search("cellar") for _ in range(4)]
        chunks = [index.read(hit.chunk_id, before=9, after=9) for hit in found[0].hits]
        return repr((found, chunks, index.ask("what hangs in the cellar?"), index.status(), index.drift()))


def _agent(_muniment: Muniment, home: Path) -> str:
    with over_stdio(home) as agent:
        found = agent.told("search", question="cellar knee statement")
        chunks = [agent.told("read", chunk_id=hit["chunk_id"], before=9, after=9) for hit in found["hits"]]
        context = agent.told("assemble_context", question="cellar knee statement")
        answers = [agent.told("ask", question=question) for question in ("what did the clinic find?", TOTAL)]
        return json.dumps((found, chunks, context, answers, agent.told("status"), agent.told("drift")))


DOORS: dict[str, Callable[[Muniment, Path], str]] = {
    "search": _command("search", "cellar knee statement", "--json"),
    "search for it": _command("search", "zebra knee"),
    "search letter by letter": _command("search", "the"),
    "search its section": _command("search", "cellar", "--section", "What the zebra"),
    "search its path": _command("search", "cellar", "--path", "bills/"),
    "ask": _command("ask", "what did the clinic find of the knee?"),
    "ask as json": _command("ask", "what did the clinic find of the knee?", "--json"),
    "total": _command("ask", TOTAL),
    "total as json": _command("ask", TOTAL, "--json"),
    "status": _command("status"),
    "status as json": _command("status", "--json"),
    "index again": _command("index", "--json"),
    "quality": _command("quality", "--json", "--docs"),
    "doctor": _command("doctor"),
    "python": _python,
    "mcp": _agent,
    "GET search": _http("/api/search?q=cellar+knee+statement"),
    "GET documents": _http("/api/documents"),
    "GET status": _http("/api/index/status"),
    "POST ask": _http("/api/ask", question="what did the clinic find of the knee?"),
    "POST total": _http("/api/ask", question=TOTAL),
    "GET metrics": _http("/metrics"),
}


@pytest.mark.parametrize("door", DOORS)
def test_no_door_shows_them(muniment: Muniment, papers: Path, own_place: Path, door: str) -> None:
    shown = DOORS[door](muniment, own_place).lower()
    assert shown
    assert SECRET not in shown
    assert not any(path in shown for path in HIDDEN)
    assert "eur 4" not in shown.replace("eur 45.00", "")


def test_no_read_of_a_table_returns_them(papers: Path, own_place: Path) -> None:
    with open_reader(own_place / "index") as reader:
        for table, columns in TABLES.items():
            if table not in ("embeddings", "chunks"):
                assert SECRET not in repr(reader.rows(table, [column.name for column in columns]).to_pylist()).lower()
        chunks = reader.chunks(["chunk_id", "doc_id", "text", "terms"]).to_pylist()
        assert len(chunks) == 2
        with open_reader(own_place / "index", admit_sensitive=True) as whole:
            hidden = [row for row in whole.chunks(["chunk_id", "doc_id"]).to_pylist() if row not in chunks]
            ids = {row["chunk_id"] for row in hidden} - {row["chunk_id"] for row in chunks}
            documents = tuple({row["doc_id"] for row in hidden} - {row["doc_id"] for row in chunks})
        assert len(ids) == len(documents) == len(HIDDEN)
        assert reader.chunks_by_id(sorted(ids), ["text"]).num_rows == 0
        assert reader.chunks(["text"], Filter(doc_ids=documents)).num_rows == 0
        assert reader.match(SECRET, Filter(), 10, ["text"]).num_rows == 0
        assert reader.holding([SECRET], Filter(), 10, ["text"]).num_rows == 0
        assert not reader.holds("documents", "sensitivity", "restricted")


def test_the_counts_leave_them_out_and_say_how_many(muniment: Muniment, papers: Path, own_place: Path) -> None:
    published = read_current(own_place / "index")
    assert published
    state = published.sources["papers"]
    assert (state.documents, state.chunks) == (2, 2)
    assert (dict(state.withheld), state.withheld_chunks) == ({"confidential": 2, "restricted": 2}, 4)
    assert "2 confidential, 2 restricted documents, withheld unless archive.admit_sensitive" in muniment("status").out
    assert muniment("search", "cellar", "--json").json["chunks"] == 2
    ran = muniment("index", "--force", "--json").json
    (source,) = ran["sources"]
    assert (ran["documents"], ran["chunks"], source["documents"]) == (2, 2, 2)
    assert source["withheld"] == {"confidential": 2, "restricted": 2}


def test_an_unknown_sensitivity_is_reported_to_whoever_indexes(muniment: Muniment, papers: Path) -> None:
    said = muniment("index", "--force").err
    assert "odd.md: sensitivity 'zebrafish-level' is not known, so it is treated as restricted" in said


def test_the_report_of_a_run_tells_nobody_else_of_them(muniment: Muniment, papers: Path, own_place: Path) -> None:
    run = muniment("index", "--force", "--json").json["run"]
    with opened(own_place) as door:
        shown = door.get(f"/api/index/runs/{run}").text.lower()
    assert run.lower() in shown
    assert SECRET not in shown
    assert not any(path in shown for path in HIDDEN)


def test_a_filter_does_not_tell_that_they_are_there(muniment: Muniment, papers: Path) -> None:
    for words in (("--path", "clinic.md"), ("--section", "What the zebrafish clinic found")):
        there = muniment("search", "x", *words)
        absent = muniment("search", "x", words[0], "nowhere at all")
        assert there.code == absent.code == UsageError.exit_code


def test_the_operator_can_admit_them(muniment: Muniment, admitted: Path, own_place: Path) -> None:
    assert muniment("search", "zebrafish knee", "--json").json["hits"][0]["path"] == "clinic.md"
    assert "EUR 445.00" in muniment("ask", TOTAL).out
    assert muniment("search", "cellar", "--json").json["chunks"] == 6
    with opened(own_place, archive={"admit_sensitive": True}) as door:
        assert door.get("/api/documents").json()["total"] == 6
        assert door.get("/api/documents").json()["total"] == 6  # from the reader that is kept
    assert muniment("quality").code == 0


def test_memory_is_not_shared_between_who_may_and_who_may_not(papers: Path, own_place: Path) -> None:
    def found(*, admit_sensitive: bool) -> set[str]:
        with open_reader(own_place / "index", admit_sensitive=admit_sensitive) as reader:
            return {row["path"] for row in reader.match("cellar", Filter(), 10, ["path"]).to_pylist()}

    for _ in range(5):
        assert found(admit_sensitive=True) == {"letter.md", "listed.txt", "odd.md"}
        assert found(admit_sensitive=False) == {"letter.md"}


def test_a_document_that_becomes_sensitive_is_withheld_from_the_next_run_on(muniment: Muniment, papers: Path) -> None:
    write(papers, {"letter.yaml": "sensitivity: restricted\n"})
    muniment("index")
    assert muniment("search", "cellar", "--json").json["hits"] == []
    (papers / "letter.yaml").unlink()
    muniment("index")
    assert [hit["path"] for hit in muniment("search", "cellar", "--json").json["hits"]] == ["letter.md"]


def test_the_log_names_none_of_them(muniment: Muniment, papers: Path, own_place: Path) -> None:
    muniment("ask", "what did the clinic find of the knee?")
    muniment("ask", TOTAL)
    with open_reader(own_place / "index") as reader:
        shown = set(reader.chunks(["chunk_id"])["chunk_id"].to_pylist())
    logged = set(_logged(own_place))
    assert logged
    assert logged <= shown


def _logged(home: Path) -> Iterator[str]:
    for file in (home / "log").glob("assembly-*.jsonl"):
        for line in file.read_text().splitlines():
            yield from json.loads(line)["chunk_ids"]
