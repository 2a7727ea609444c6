"""What a run tells whoever is not the operator: neither names nor numbers of documents that are withheld."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from flows.artifacts import as_markdown, as_tables
from muniment.generation import read_current
from muniment.http.runs import Runs
from schemas.runs import RunReport
from tests.conftest import Ran, write
from tests.muniment.http.doors import opened
from tests.tasks.extract.pdfs import stream_pdf, text_pdf

pytestmark = pytest.mark.usefixtures("words_only")

Muniment = Callable[..., Ran]
SECRET = "zebrafish"
RESTRICTED = "sensitivity: restricted\n"
KEY = "aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYq8zzmKKEY\n"
FILES: dict[str, str | bytes] = {
    "open.txt": "The meter hangs in the cellar behind the door.\n",
    "scan.pdf": stream_pdf(b"0 0 9 9 re f"),
    "zebrafish-scan.pdf": stream_pdf(b"0 0 9 9 re f"),
    "zebrafish-scan.pdf.yaml": RESTRICTED,
    "zebrafish-torn.pdf": text_pdf("x")[:200],
    "zebrafish-torn.yaml": RESTRICTED,
    "zebrafish-binary.txt": b"\0\1\2\3" * 40,
    "zebrafish-large.txt": "x" * 3_000,
    "zebrafish-key.md": f"---\n{RESTRICTED}---\n# Zebrafish\n\nThe zebrafish.\n\n## Key\n\n{KEY}",
    "zebrafish.md": f"---\n{RESTRICTED}---\n# Zebrafish\n\nThe zebrafish knee is torn.\n",
    "manifest.csv": "path,sensitivity\nzebrafish-binary.txt,restricted\nzebrafish-large.txt,confidential\n"
    "zebrafish-gone.txt,restricted\n",
}


@pytest.fixture
def papers(muniment: Muniment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An archive, and the settings that name it."""
    write(tmp_path / "papers", FILES)
    settings = '[archive]\nmax_bytes = 2_000\n[[sources]]\nname = "papers"\nkind = "archive"\npath = "papers"\n'
    write(tmp_path, {"muniment.toml": settings})
    monkeypatch.setenv("MUNIMENT_CONFIG", str(tmp_path / "muniment.toml"))
    return tmp_path / "papers"


def _changed(muniment: Muniment, papers: Path) -> str:
    """The id of a second run, in which what could not be read before is known to be so."""
    muniment("index")
    write(papers, {"zebrafish.md": FILES["zebrafish.md"] + "Again.\n", "new.txt": "The attic is dry.\n"})  # type: ignore[operator]
    return str(muniment("index", "--json").json["run"])


def test_the_operator_is_told_of_all(muniment: Muniment, papers: Path) -> None:
    ran = muniment("index", "--json")
    assert {skip["path"] for skip in ran.json["skips"]} == {
        *("scan.pdf", "zebrafish-scan.pdf", "zebrafish-torn.pdf", "zebrafish-binary.txt", "zebrafish-large.txt"),
        "zebrafish-key.md",
    }
    assert "it withholds 'zebrafish-gone.txt', and nothing there is called so" in ran.json["sources"][0]["doubts"][0]


@pytest.mark.parametrize("run", [lambda muniment, _: muniment("index", "--json").json["run"], _changed])
def test_a_run_names_none_of_them(
    muniment: Muniment, papers: Path, own_place: Path, run: Callable[[Muniment, Path], str]
) -> None:
    run_id = run(muniment, papers)
    found = Runs(own_place / "runs").find(run_id)
    assert found
    assert isinstance(found.report, RunReport)
    with opened(own_place) as door:
        shown = [door.get(f"/api/index/runs/{run_id}").text, door.get("/api/index/status").text]
    shown += [
        json.dumps({key: table.rows for key, table in as_tables(found.report).items()}),
        as_markdown(found.report),
    ]
    assert [text for text in shown if SECRET in text.lower()] == []
    assert "scan.pdf" in shown[0]


def test_the_tables_of_a_run_name_none_of_them(muniment: Muniment, papers: Path, own_place: Path) -> None:
    ran = muniment("index", "--json").json
    kept = {name: value for name, value in ran.items() if name != "counts"}
    rows = as_tables(RunReport(**{**kept, "sources": []}))["index-skips"].rows
    assert [row["path"] for row in rows] == ["`scan.pdf`"]


def test_the_numbers_of_a_run_leave_them_out(muniment: Muniment, papers: Path, own_place: Path) -> None:
    run_id = _changed(muniment, papers)
    with opened(own_place) as door:
        run = door.get(f"/api/index/runs/{run_id}").json()
    (source,) = run["report"]["sources"]
    assert (source["indexed"], source["unchanged"], source["documents"]) == (1, 1, 2)
    assert source["files"] == source["indexed"] + source["unchanged"] + sum(source["skipped"].values())
    assert (run["counts"]["indexed"], run["counts"]["unchanged"]) == (1, 1)
    assert run["report"]["chunks_written"] <= run["report"]["chunks"]
    published = read_current(own_place / "index")
    assert published
    assert dict(published.sources["papers"].withheld) == {"restricted": 2}
