"""The nightly flow through its command: what is new, fixed and still open, and what is written for whom."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from muniment.store.reader import open_reader
from tests.conftest import commit_all, make_repo, write

PAGE = "# Settings\n\n- `HTTP_PORT` (default: `{port}`): where it listens\n- `WORKER_COUNT` (default: `4`): how many\n"
TEMPLATE = "# Where it listens.\nHTTP_PORT=81\n\n# How many.\nWORKER_COUNT={count}\n"


@pytest.fixture
def repo(muniment: Any, tmp_path: Path, words_only: None) -> Path:
    made = make_repo(
        tmp_path / "repo", {"docs/a.md": PAGE.format(port=80), "conf/a.conf.template": TEMPLATE.format(count=4)}
    )
    assert muniment("index", made).code == 0
    return made


def test_a_night_says_what_is_new_fixed_and_still_open(muniment: Any, repo: Path, own_place: Path) -> None:
    first = muniment("nightly", "--json").json
    assert first["verdict"].startswith("1 open: 0 new, 1 still open, 0 fixed; data ")
    write(repo, {"conf/a.conf.template": TEMPLATE.format(count=5)})
    commit_all(repo)
    second = muniment("nightly")
    assert second.code == 0
    assert second.out.startswith("2 open: 1 new, 1 still open, 0 fixed; data ")
    assert "new: docs/a.md:4 WORKER_COUNT is documented as 4, but conf/a.conf.template:5 says 5" in second.out
    write(repo, {"docs/a.md": PAGE.format(port=81)})
    commit_all(repo)
    third = muniment("nightly", "--json").json
    (drift,) = third["drift"]
    assert [one["option"] for one in drift["fixed"]] == ["HTTP_PORT"]
    assert [one["first_seen"] for one in drift["open"]] == [drift["nights"][1]["at"]]
    assert [night["open"] for night in drift["nights"]] == [1, 2, 1]


def test_one_document_holds_the_same_numbers(muniment: Any, repo: Path, own_place: Path) -> None:
    night = muniment("nightly", "--json").json
    kept = [own_place / "reports" / "nightly.json", own_place / "runs" / night["run"] / "nightly.json"]
    assert [json.loads(path.read_text()) for path in kept] == [night, night]
    counted = {verdict: count for verdict, count in night["drift"][0]["counts"].items() if count}
    assert night["index"]["claims"] == counted == {"agrees": 1, "disagrees": 1}
    for place in night["pages"].values():
        assert (own_place / "reports" / place).is_file()
    assert night["verdict"] in (own_place / "reports" / "drift.md").read_text()


def test_every_claim_is_stamped_and_keeps_when_it_was_first_seen(muniment: Any, repo: Path, own_place: Path) -> None:
    def seen() -> list[tuple[Any, ...]]:
        with open_reader(own_place / "index") as reader:
            rows = reader.rows("claims", ["option", "verdict", "first_seen", "last_seen"]).to_pylist()
        return sorted(tuple(row.values()) for row in rows)

    before = seen()
    muniment("nightly")
    after = seen()
    assert [row[:3] for row in after] == [row[:3] for row in before]
    assert all(new[3] > old[3] for new, old in zip(after, before, strict=True))


def test_without_an_index_there_is_no_night(muniment: Any) -> None:
    ran = muniment("nightly")
    assert ran.code == 2
    assert "nothing to index" in ran.err
