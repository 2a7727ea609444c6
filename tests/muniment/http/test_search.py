"""GET /api/search."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from muniment.assembly import find_assembly
from tests.conftest import Ran, commit_all, make_repo, write
from tests.muniment.http.doors import FILES, Door, index_repo, opened


def test_it_finds_what_the_command_line_finds(
    door: Door, muniment: Callable[..., Ran], home: Path, words_only: None
) -> None:
    shown = muniment("search", "heron", "--json").json
    found = door.get("/api/search", params={"q": "heron"}).json()
    assert [set(hit) - {"marked"} for hit in found["hits"]] == [set(hit) for hit in shown["hits"]]
    assert set(found) - {"next_cursor"} == set(shown)
    assert [hit["path"] for hit in found["hits"]] == [hit["path"] for hit in shown["hits"]]


def test_an_assembly_is_logged_without_the_question(door: Door, home: Path) -> None:
    found = door.get("/api/search", params={"q": "heron"}).json()
    (log,) = (home / "log").glob("assembly-*.jsonl")
    (line,) = map(json.loads, log.read_text().splitlines())
    assert (line["assembly"], line["surface"], line["act"]) == (found["assembly"], "http", "search")
    assert "heron" not in log.read_text()


@pytest.mark.parametrize(
    ("params", "paths"),
    [
        ({"kind": "header"}, {"scripts/kestrel.sh"}),
        ({"section": "operational safeguards"}, {"scripts/kestrel.sh"}),
        ({"path": "docs/"}, set()),
        ({"source": "birds", "kind": ["header", "template"]}, {"scripts/kestrel.sh", "conf/kestrel.conf.template"}),
        ({"limit": 1, "mode": "lexical"}, {"conf/kestrel.conf.template"}),
        ({"min_relevance": 1}, set()),
    ],
)
def test_filters_narrow_what_is_found(door: Door, params: dict[str, object], paths: set[str]) -> None:
    found = door.get("/api/search", params={"q": "KESTREL_GRACE", **params}).json()
    assert {hit["path"] for hit in found["hits"]} == paths


@pytest.mark.parametrize("name", ["source", "type", "section", "path"])
def test_a_filter_is_never_part_of_the_syntax(door: Door, name: str) -> None:
    answer = door.get("/api/search", params={"q": "heron", name: "x' OR '1'='1"})
    assert answer.status_code == 400
    assert answer.json()["error"] == "UsageError"


def test_a_slip_in_a_parameter_is_an_error(door: Door) -> None:
    answer = door.get("/api/search", params={"q": "heron", "sources": "birds"})
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["where"] == "query.sources"


def test_marks_stand_in_escaped_text(door: Door) -> None:
    (hit, *_) = door.get("/api/search", params={"q": "which label is printed", "marks": True}).json()["hits"]
    assert "&lt;b onclick=alert(1)&gt;<mark>labels</mark>&lt;/b&gt; &amp; tags" in hit["marked"]
    assert "<b onclick" in hit["text"]
    (hit, *_) = door.get("/api/search", params={"q": "which label is printed"}).json()["hits"]
    assert hit["marked"] == ""


def test_a_disputed_line_comes_with_both_values(door: Door) -> None:
    (hit,) = door.get("/api/search", params={"q": "grace window", "kind": "header"}).json()["hits"]
    (dispute,) = hit["disputes"]
    assert (dispute["option"], dispute["documented"], dispute["actual"]) == ("KESTREL_GRACE", "300", "120")


def test_what_a_client_has_is_not_sent_again(door: Door, home: Path) -> None:
    first = door.get("/api/search", params={"q": "heron"})
    tag = first.headers["etag"]
    again = door.get("/api/search", params={"q": "heron"}, headers={"if-none-match": f'"other", {tag}'})
    assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", tag)
    (log,) = (home / "log").glob("assembly-*.jsonl")
    assert len(log.read_text().splitlines()) == 1
    for params in ({"q": "wren"}, {"q": "heron", "limit": 1}, {"q": "heron", "marks": True}):
        other = door.get("/api/search", params=params, headers={"if-none-match": tag})
        assert other.status_code == 200


def test_a_new_generation_is_seen_and_has_a_tag_of_its_own(own_place: Path, tmp_path: Path) -> None:
    repo = make_repo(tmp_path / "own", FILES)
    number = index_repo(own_place, repo)
    with opened(own_place) as door:
        before = door.get("/api/search", params={"q": "heron"})
        write(repo, {"docs/heron.md": "# Heron\n\nThe heron job now sleeps.\n"})
        commit_all(repo)
        changed = door.get("/api/search", params={"q": "heron"}, headers={"if-none-match": before.headers["etag"]})
        assert changed.status_code == 200
        assert changed.json()["hits"][0]["changed_since_index"] is True
        assert index_repo(own_place, repo) > number
        after = door.get("/api/search", params={"q": "heron"}, headers={"if-none-match": before.headers["etag"]})
        assert after.json()["generation"] > before.json()["generation"] == number
        assert any("now sleeps" in hit["text"] for hit in after.json()["hits"])


def test_an_earlier_generation_is_searched_or_said_to_be_gone(door: Door) -> None:
    number = door.get("/api/index/status").json()["number"]
    assert door.get("/api/search", params={"q": "heron", "as_of": number}).json()["hits"]
    assert door.get("/api/search", params={"q": "heron", "as_of": number + 5}).status_code == 400


def test_pages_hold_every_hit_once(door: Door) -> None:
    whole = door.get("/api/search", params={"q": "heron TERM seeds copy", "limit": 100}).json()
    assert (len(whole["hits"]) > 3, whole["next_cursor"]) == (True, "")
    asked: dict[str, Any] = {"q": "heron TERM seeds copy", "limit": 2}
    pages = [door.get("/api/search", params=asked).json()]
    while cursor := pages[-1]["next_cursor"]:
        pages.append(door.get("/api/search", params={**asked, "cursor": cursor}).json())
    assert [hit["chunk_id"] for page in pages for hit in page["hits"]] == [hit["chunk_id"] for hit in whole["hits"]]
    assert len({page["assembly"] for page in pages}) == len(pages)


def test_a_later_page_is_logged_with_its_ranks(door: Door, home: Path) -> None:
    asked: dict[str, Any] = {"q": "heron", "limit": 1}
    first = door.get("/api/search", params=asked).json()
    second = door.get("/api/search", params={**asked, "cursor": first["next_cursor"]}).json()
    logged = find_assembly(home, second["assembly"])
    assert logged
    assert (logged["chunk_ids"], logged["ranks"]) == ([second["hits"][0]["chunk_id"]], [2])


def test_pages_of_hits_stay_on_their_generation(own_place: Path, tmp_path: Path) -> None:
    repo = make_repo(tmp_path / "own", FILES)
    index_repo(own_place, repo)
    asked: dict[str, Any] = {"q": "heron", "limit": 1}
    with opened(own_place) as door:
        first = door.get("/api/search", params=asked).json()
        for name in ("a", "b"):
            write(repo, {f"{name}.md": f"# {name}\n\nThe heron heron heron.\n"})
            commit_all(repo)
            index_repo(own_place, repo)
        rest = door.get("/api/search", params={**asked, "limit": 99, "cursor": first["next_cursor"]}).json()
    assert rest["generation"] == first["generation"]
    assert not {"a.md", "b.md"} & {hit["path"] for hit in rest["hits"]}
    write(repo, {"c.md": "# c\n\nNew.\n"})
    commit_all(repo)
    index_repo(own_place, repo)
    with opened(own_place) as door:
        answer = door.get("/api/search", params={**asked, "cursor": first["next_cursor"]})
    assert (answer.status_code, answer.json()["error"]) == (410, "GenerationGone")


def test_a_cursor_is_of_one_question(door: Door) -> None:
    cursor = door.get("/api/search", params={"q": "heron", "limit": 1}).json()["next_cursor"]
    for other in ({"q": "wren"}, {"q": "heron", "kind": "doc"}, {"q": "heron", "mode": "vector"}):
        answer = door.get("/api/search", params={**other, "cursor": cursor})
        assert (answer.status_code, answer.json()["detail"]) == (400, "the cursor is of another question")
    documents = door.get("/api/documents", params={"limit": 1}).json()["next_cursor"]
    assert door.get("/api/search", params={"q": "heron", "cursor": documents}).status_code == 400
