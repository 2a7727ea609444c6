"""What notes and papers state of themselves: in replies, and as a filter."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from muniment.api import open_index
from tests.conftest import Ran, make_repo, write
from tests.muniment.http.doors import FILES, Door, opened
from tests.muniment.mcp.agents import over_stdio

pytestmark = pytest.mark.usefixtures("words_only")

VAULT = {
    "north.md": "---\nmission: North Sea\ndate: 2026-01-31\ntags: [tide, harbour]\n---\n# Gull\n\nThe gull dives.\n",
    "south.md": '---\nmission: "[[South]]"\n---\n# Gull\n\nThe gull sails south.\n',
    "none.md": "# Gull\n\nThe gull rests on no mission.\n",
}
ARCHIVE = {
    "bill.md": "---\ndate: 5.11.2025\ncorrespondent: Lumenia\ntags: power, home\n---\n"
    "# Bill\n\nThe gull owes EUR 45.00.\n",
}
SETTINGS = "".join(
    f'[[sources]]\nname = "{name}"\nkind = "{kind}"\npath = "{name}"\n\n'
    for name, kind in (("birds", "git"), ("notes", "vault"), ("papers", "archive"))
)


@pytest.fixture
def shelves(muniment: Callable[..., Ran], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A repository, a vault and an archive in one index."""
    make_repo(tmp_path / "birds", FILES)
    write(tmp_path / "notes", VAULT)
    write(tmp_path / "papers", ARCHIVE)
    write(tmp_path, {"muniment.toml": SETTINGS})
    monkeypatch.setenv("MUNIMENT_CONFIG", str(tmp_path / "muniment.toml"))
    assert muniment("index").code == 0


@pytest.fixture
def door(shelves: None, own_place: Path) -> Iterator[Door]:
    with opened(own_place) as made:
        yield made


def found(door: Door, **asked: Any) -> dict[str, Any]:
    """Path -> hit."""
    reply = door.get("/api/search", params={"q": "gull", **asked}).json()
    return {hit["path"]: hit for hit in reply["hits"]}


STATED = {
    "north.md": ("North Sea", "2026-01-31", None, ["tide", "harbour"]),
    "south.md": ("South", None, None, []),
    "none.md": (None, None, None, []),
    "bill.md": (None, "2025-11-05", "Lumenia", ["power", "home"]),
}


def stated(one: dict[str, Any]) -> tuple[Any, ...]:
    return tuple(one[name] for name in ("namespace", "doc_date", "correspondent", "tags"))


def test_hits_documents_chunks_and_excerpts_state_the_same(door: Door) -> None:
    hits = found(door)
    documents = {one["path"]: one for one in door.get("/api/documents").json()["documents"]}
    assert {path: stated(hit) for path, hit in hits.items()} == STATED
    assert {path: stated(documents[path]) for path in STATED} == STATED
    for path, hit in hits.items():
        assert stated(door.get(f"/api/chunks/{hit['chunk_id']}").json()) == STATED[path]
        assert stated(door.get(f"/api/documents/{documents[path]['doc_id']}").json()) == STATED[path]
    answer = door.post("/api/ask", {"question": "what does the gull owe?"}).json()
    assert {one["path"]: stated(one) for one in answer["excerpts"]} == STATED
    assert all(stated(one) == STATED[one["path"]] for one in answer["citations"])
    assert stated(documents["docs/heron.md"]) == (None, None, None, [])


def test_a_namespace_limits_a_search(door: Door) -> None:
    assert set(found(door, namespace="north sea")) == {"north.md"}
    assert set(found(door, namespace=["South", "North Sea"])) == {"north.md", "south.md"}
    assert set(found(door, namespace=["South", "North Sea"], path="s*")) == {"south.md"}
    assert set(found(door, namespace="South", kind="record")) == set()
    answer = door.post("/api/ask", {"question": "where does the gull sail?", "namespace": ["South"]}).json()
    assert {one["path"] for one in answer["excerpts"]} == {"south.md"}
    total = {"question": "how much did I pay in total in November 2025?"}
    assert "45.00" in door.post("/api/ask", total).json()["answer"]
    assert "45.00" not in door.post("/api/ask", total | {"namespace": ["South"]}).json()["answer"]


def test_a_namespace_limits_a_list_of_documents_over_all_pages(door: Door) -> None:
    page = door.get("/api/documents", params={"namespace": ["South", "North Sea"], "limit": 1}).json()
    rest = door.get("/api/documents", params={"cursor": page["next_cursor"]}).json()
    assert (page["total"], rest["total"], rest["next_cursor"]) == (2, 2, "")
    assert [one["path"] for one in (*page["documents"], *rest["documents"])] == ["north.md", "south.md"]
    assert door.get("/api/documents", params={"cursor": page["next_cursor"], "namespace": "South"}).status_code == 400


@pytest.mark.parametrize("path", ["/api/search?q=gull&", "/api/documents?"])
def test_a_namespace_that_is_not_there_names_the_nearest(door: Door, path: str) -> None:
    answer = door.get(f"{path}namespace=Nord+Sea")
    assert (answer.status_code, answer.json()["detail"]) == (400, "no namespace 'Nord Sea' in this index")
    assert answer.json()["hint"] == "did you mean 'North Sea'?"
    assert door.get(f"{path}namespace=x'+OR+'1'='1").status_code == 400


def test_agents_and_programs_are_told_the_same(shelves: None, own_place: Path) -> None:
    with over_stdio(own_place) as agent:
        (hit,) = agent.told("search", question="gull", namespace=["north sea"])["hits"]
        assert stated(hit) == STATED["north.md"]
        assert stated(agent.told("read", chunk_id=hit["chunk_id"])) == STATED["north.md"]
        (part,) = agent.told("assemble_context", question="gull", namespace=["north sea"])["parts"]
        assert stated(part) == STATED["north.md"]
        assert "did you mean 'South'?" in agent.refused("ask", question="gull?", namespace=["Sooth"])
    with open_index() as index:
        (only,) = index.search("gull", namespace=["South"]).hits
        assert (only.path, only.namespace) == ("south.md", "South")
        assert {part.path for part in index.assemble("gull", namespace=["South"]).parts} == {"south.md"}
        assert {one.path for one in index.ask("what of the gull?", namespace=["South"]).excerpts} == {"south.md"}
