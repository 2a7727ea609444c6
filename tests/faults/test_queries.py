"""Questions while one commit follows another, or everything is built anew: each is answered from one generation."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from muniment import open_index
from muniment.generation import read_current
from tests.conftest import Ran
from tests.faults.committing import committing
from tests.faults.editions import edition_found, edition_of, search, turn_to
from tests.faults.processes import finish, start
from tests.muniment.http.test_serve import serving

pytestmark = pytest.mark.slow
QUERIES = 150
"""`make bench-faults` asks a thousand."""
EDITIONS = 4
"""So many have to come by at the least."""
ASKED: dict[str, str | int] = {"q": "edition", "limit": 50, "mode": "lexical"}


def test_each_query_is_of_one_edition_while_more_are_committed(
    muniment: Callable[..., Ran], repo: Path, home: Path
) -> None:
    seen: list[int] = []
    with committing(repo, home), open_index(home) as index:
        for number in itertools.count(1):
            ran = search(muniment, home)
            assert ran.code == 0, ran.err
            seen.append(edition_found(ran))
            found = index.search("edition", limit=50, mode="lexical")
            seen.append(edition_of([(hit.path, hit.text) for hit in found.hits]))
            if number >= QUERIES // 2 and len(set(seen)) >= EDITIONS:
                break
    assert seen == sorted(seen)


def test_a_server_answers_while_everything_is_built_anew(repo: Path, home: Path) -> None:
    with serving() as server:
        assert _edition(server.client.get("/api/search", params=ASKED)) == 1
        turn_to(repo, 2)
        process = start("index", repo, "--force")
        answers = 0
        while process.poll() is None:
            assert _edition(server.client.get("/api/search", params=ASKED)) in (1, 2)
            assert server.client.get("/readyz").status_code == 200
            answers += 1
        ran = finish(process)
        assert ran.code == 0, ran.err
        assert answers > 1
        assert _edition(server.client.get("/api/search", params=ASKED)) == 2
        published = read_current(home / "index")
        assert published
        assert server.client.get("/api/index/status").json()["number"] == published.number == 2
    assert not [line for line in server.said if "Traceback" in line]


def _edition(answer: Any) -> int:
    assert answer.status_code == 200, answer.text
    return edition_of([(hit["path"], hit["text"]) for hit in answer.json()["hits"]])
