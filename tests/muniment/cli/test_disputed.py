"""Both values with every line that is contradicted: in hits, answers and JSON."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from muniment.cli import main
from tests.conftest import commit_all, make_repo, write

HEADER = """\
#!/bin/bash
# mover.sh - carries files to the array
#
# OPERATIONAL SAFEGUARDS
# Grace window
#   The copy in hand is given MOVER_STOP_TIMEOUT seconds (default: 300) to finish.
#
# Free floor
#   Less than MOVER_FREE_FLOOR bytes (default: 1 GiB) free ends the run.
echo
"""
TEMPLATE = """\
# Seconds that the copy in hand may take after a request to stop.
MOVER_STOP_TIMEOUT=600

# Bytes that stay free.
MOVER_FREE_FLOOR=1073741824
"""
DISPUTE = {
    "option": "MOVER_STOP_TIMEOUT",
    "documented": "300",
    "path": "scripts/mover.sh",
    "line": 6,
    "actual": "600",
    "truth_path": "conf/mover.conf.template",
    "truth_line": 2,
    "reader": "template",
}
LINE = "disagree on MOVER_STOP_TIMEOUT: scripts/mover.sh:6 says 300, conf/mover.conf.template:2 has 600"


@pytest.fixture
def repo(muniment: Any, tmp_path: Path, words_only: None) -> Path:
    made = make_repo(tmp_path / "repo", {"scripts/mover.sh": HEADER, "conf/mover.conf.template": TEMPLATE})
    assert muniment("index", made).code == 0
    return made


@pytest.mark.parametrize("path", ["scripts/mover.sh", "conf/mover.conf.template"])
def test_a_hit_on_either_side_shows_both_values(muniment: Any, repo: Path, path: str) -> None:
    words = "MOVER_STOP_TIMEOUT"
    hit, *_ = muniment("search", words, "--path", path, "--json").json["hits"]
    assert hit["disputes"] == [DISPUTE]
    assert LINE in muniment("search", words, "--path", path).out


def test_a_hit_beside_the_disputed_line_says_nothing(muniment: Any, repo: Path) -> None:
    hit, *_ = muniment("search", "free floor bytes", "--path", "scripts/mover.sh", "--json").json["hits"]
    assert hit["title"] == "Free floor"
    assert hit["disputes"] == []


def test_an_answer_that_cites_a_disputed_line_says_so(muniment: Any, repo: Path) -> None:
    question = "how many seconds is the copy in hand given to finish"
    answer = muniment("ask", question, "--json").json
    assert answer["disputes"] == [DISPUTE]
    assert "(default: 300)" in answer["answer"]
    assert LINE in muniment("ask", question).out


def test_a_mended_document_is_disputed_no_more(muniment: Any, repo: Path) -> None:
    write(repo, {"scripts/mover.sh": HEADER.replace("300", "10 minutes")})
    commit_all(repo)
    ran = muniment("index", repo, "--json").json
    assert ran["claims"] == {"agrees": 2}
    assert muniment("search", "MOVER_STOP_TIMEOUT", "--json").json["hits"][0]["disputes"] == []


def test_a_changed_truth_alone_is_noticed(muniment: Any, repo: Path) -> None:
    write(repo, {"conf/mover.conf.template": TEMPLATE.replace("1073741824", "5")})
    commit_all(repo)
    ran = muniment("index", repo, "--json").json
    assert ran["claims"] == {"disagrees": 2}


@pytest.mark.slow
def test_the_sample_says_that_its_grace_window_is_disputed(
    muniment: Any, sample_source: Path, own_place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["index", str(sample_source)]) == 0
    answer = muniment("ask", "which variable controls the mover's grace window and what is its default", "--json").json
    assert "MOVER_STOP_TIMEOUT seconds (default: 300)" in answer["answer"]
    assert [(one["documented"], one["actual"], one["truth_path"]) for one in answer["disputes"]] == [
        ("300", "600", "conf/mover.conf.template")
    ]
