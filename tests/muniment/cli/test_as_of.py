"""Earlier generations: what is kept, and searching and asking one of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.conftest import commit_all, make_repo, write

pytestmark = pytest.mark.usefixtures("words_only")


@pytest.fixture
def edited(muniment: Any, tmp_path: Path) -> Path:
    """A repository indexed at three commits, of which the last two are kept."""
    repo = make_repo(tmp_path / "repo", {"a.md": "# Heron\n\nThe heron job starts at 01:30.\n"})
    muniment("index", repo)
    for hour in ("02:30", "03:30"):
        write(repo, {"a.md": f"# Heron\n\nThe heron job starts at {hour}.\n"})
        commit_all(repo)
        assert muniment("index", repo).code == 0
    return repo


def test_status_lists_what_is_kept(muniment: Any, edited: Path) -> None:
    status = muniment("status", "--json").json
    assert [one["number"] for one in status["kept"]] == [status["number"], status["number"] - 1]
    out = muniment("status").out
    assert f"--as-of {status['number'] - 1}\n" in out
    assert f"--as-of {status['number']}\n" not in out


def test_an_earlier_generation_answers_as_it_did(muniment: Any, edited: Path) -> None:
    earlier = muniment("status", "--json").json["number"] - 1
    (hit,) = muniment("search", "heron", "--as-of", earlier, "--json").json["hits"]
    assert "starts at 02:30" in hit["text"]
    assert hit["changed_since_index"] is True
    answer = muniment("ask", "When does the heron job start?", "--as-of", earlier, "--json").json
    assert (answer["generation"], "starts at 02:30" in answer["answer"]) == (earlier, True)
    (hit,) = muniment("search", "heron", "--json").json["hits"]
    assert "starts at 03:30" in hit["text"]


def test_a_generation_that_is_not_kept_is_an_error(muniment: Any, edited: Path) -> None:
    for command in ("search", "ask"):
        ran = muniment(command, "heron", "--as-of", 1)
        assert ran.code == 2
        assert ran.err.startswith("error: generation 1 is not kept\nhint: kept are: ")
