"""/api/documents and /api/chunks."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from muniment.http.cursor import Cursor, read_cursor, write_cursor
from tests.conftest import commit_all, make_repo, write
from tests.muniment.http.doors import FILES, Door, index_repo, opened


def pages(door: Door, limit: int, **filters: Any) -> list[dict[str, Any]]:
    """Every page, from the first to the last."""
    found = [door.get("/api/documents", params={"limit": limit, **filters}).json()]
    while cursor := found[-1]["next_cursor"]:
        found.append(door.get("/api/documents", params={"limit": limit, "cursor": cursor}).json())
    return found


@pytest.mark.parametrize("limit", [1, 2, 4, 5, 100])
def test_pages_hold_every_document_once(door: Door, limit: int) -> None:
    found = pages(door, limit)
    paths = [one["path"] for page in found for one in page["documents"]]
    assert paths == sorted(FILES)
    assert {page["total"] for page in found} == {len(FILES)}


def test_filters_last_over_all_pages(door: Door) -> None:
    found = pages(door, 1, path="docs/", kind="doc")
    assert [one["path"] for page in found for one in page["documents"]] == [
        "docs/finch.md",
        "docs/heron.md",
        "docs/wren.md",
    ]
    cursor = door.get("/api/documents", params={"limit": 1}).json()["next_cursor"]
    assert door.get("/api/documents", params={"cursor": cursor, "kind": "doc"}).status_code == 400


def test_pages_stay_on_their_generation(own_place: Path, tmp_path: Path) -> None:
    repo = make_repo(tmp_path / "own", FILES)
    number = index_repo(own_place, repo)
    with opened(own_place) as door:
        first = door.get("/api/documents", params={"limit": 2}).json()
        for name in ("a", "b", "c"):
            write(repo, {f"{name}.md": f"# {name}\n\nNew.\n"})
            commit_all(repo)
            newest = index_repo(own_place, repo)
        assert newest == number + 3
        rest = door.get("/api/documents", params={"cursor": first["next_cursor"]}).json()
        assert (first["generation"], rest["generation"]) == (number, number)
        assert [one["path"] for one in (*first["documents"], *rest["documents"])] == sorted(FILES)
        assert door.get("/api/documents").json()["generation"] == newest
    # Another server holds nothing for anybody, and the writer has reclaimed it.
    write(repo, {"d.md": "# d\n\nNew.\n"})
    commit_all(repo)
    index_repo(own_place, repo)
    with opened(own_place) as door:
        answer = door.get("/api/documents", params={"cursor": first["next_cursor"]})
    assert (answer.status_code, answer.json()["error"]) == (410, "GenerationGone")


@pytest.mark.parametrize(
    "cursor", ["x", "e30", "bnVsbA", "é", write_cursor(Cursor(0, 0)), write_cursor(Cursor(1, -1)), "A" * 4_001]
)
def test_a_foreign_cursor_is_an_error(door: Door, cursor: str) -> None:
    assert door.get("/api/documents", params={"cursor": cursor}).status_code in (400, 422)


def test_a_cursor_says_again_what_it_was_made_of() -> None:
    cursor = Cursor(3, 7, ("doc",), ("doc",), ("birds", "x' OR '1'='1"), ("docs/",))
    assert read_cursor(write_cursor(cursor)) == cursor


def test_a_cursor_filters_nothing_by_force(door: Door) -> None:
    number = door.get("/api/index/status").json()["number"]
    cursor = write_cursor(Cursor(number, 0, ("doc",), (), ("x' OR '1'='1",)))
    assert door.get("/api/documents", params={"cursor": cursor}).status_code == 400


def test_a_hit_opens_at_its_lines(door: Door) -> None:
    for hit in door.get("/api/search", params={"q": "heron"}).json()["hits"]:
        chunk = door.get(f"/api/chunks/{hit['chunk_id']}").json()
        assert {name: chunk[name] for name in ("path", "text", "line_start", "line_end", "changed_since_index")} == {
            name: hit[name] for name in ("path", "text", "line_start", "line_end", "changed_since_index")
        }
        document = door.get(f"/api/documents/{chunk['doc_id']}").json()
        assert document["path"] == hit["path"]
        assert {name: chunk[name] for name in document["chunks"][0]} in document["chunks"]
        assert len(document["chunks"]) == document["chunk_count"]


def test_a_chunk_shows_what_disputes_it(door: Door) -> None:
    (hit,) = door.get("/api/search", params={"q": "grace window", "kind": "header"}).json()["hits"]
    (dispute,) = door.get(f"/api/chunks/{hit['chunk_id']}").json()["disputes"]
    assert (dispute["documented"], dispute["actual"]) == ("300", "120")


def test_a_chunk_comes_with_its_neighbours_where_asked(door: Door) -> None:
    (hit,) = door.get("/api/search", params={"q": "never sleeps", "limit": 1}).json()["hits"]
    chunk = door.get(f"/api/chunks/{hit['chunk_id']}", params={"before": 10, "after": 10}).json()
    assert ([one["title"] for one in chunk["before"]], chunk["title"], chunk["after"]) == (["Heron"], "Sleep", [])
    assert door.get(f"/api/chunks/{hit['chunk_id']}").json()["before"] == []
    assert door.get(f"/api/chunks/{hit['chunk_id']}", params={"before": 11}).status_code == 422


def test_a_document_shows_what_disputes_it(door: Door) -> None:
    documents = {one["path"]: one["doc_id"] for one in door.get("/api/documents").json()["documents"]}
    for path in ("scripts/kestrel.sh", "conf/kestrel.conf.template"):  # either side of it
        (dispute,) = door.get(f"/api/documents/{documents[path]}").json()["disputes"]
        assert (dispute["path"], dispute["line"], dispute["documented"]) == ("scripts/kestrel.sh", 8, "300")
        assert (dispute["truth_path"], dispute["actual"]) == ("conf/kestrel.conf.template", "120")
    assert door.get(f"/api/documents/{documents['docs/wren.md']}").json()["disputes"] == []
