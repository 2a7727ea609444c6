"""The command line's grammar, where a question looks like an option."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from muniment.cli.parser import parse
from tests.conftest import Ran


@pytest.mark.parametrize("command", ["search", "ask"])
@pytest.mark.parametrize(
    ("words", "question"),
    [
        (["--dry-run"], "--dry-run"),
        (["-v"], "-v"),
        (["--dry-run", "--source", "ops"], "--dry-run"),
        (["--source", "ops", "--max-bytes=1M"], "--max-bytes=1M"),
        (["--dry-run", "--verbose"], "--dry-run --verbose"),
        (["--", "--json"], "--json"),
        (["does it take --dry-run"], "does it take --dry-run"),
    ],
)
def test_a_flag_alone_is_a_question(command: str, words: list[str], question: str) -> None:
    assert parse([command, *words]).question == question


@pytest.mark.parametrize(
    ("words", "says", "hint"),
    [
        ([], "the following arguments are required: COMMAND", "see 'muniment --help'"),
        (["serch", "x"], "argument COMMAND: no 'serch': did you mean 'search'?", "see 'muniment --help'"),
        (["search"], "there is no QUESTION", "one that is an option of ours: muniment search -- --json"),
        (["search", "--json"], "there is no QUESTION", "one that is an option of ours: muniment search -- --json"),
        (
            ["search", "--sorce=ops"],
            "no option --sorce=ops",
            "did you mean --source? as a question: muniment search -- --sorce=ops",
        ),
        (["ask", "--jsn"], "no option --jsn", "did you mean --json? as a question: muniment ask -- --jsn"),
        (
            ["search", "mover", "--dry-run"],
            "unrecognized arguments: --dry-run",
            "a question is one word, in quotes: muniment search 'mover --dry-run'",
        ),
        (["status", "--dry-run"], "unrecognized arguments: --dry-run", "see 'muniment status --help'"),
        (["index", ".", "--worktre"], "no option --worktre", "did you mean --worktree?"),
        (["hook", "install", "--jsn"], "no option --jsn", "did you mean --json?"),
        (
            ["search", "two", "words"],
            "unrecognized arguments: words",
            "a question is one word, in quotes: muniment search 'two words'",
        ),
        (
            ["search", "x", "--limit", "many"],
            "argument --limit: invalid int value: 'many'",
            "see 'muniment search --help'",
        ),
        (["search", "x", "--mode", "vectors"], "argument --mode: no 'vectors': did you mean 'vector'?", ""),
        (["status", "--home", ""], "argument --home: it is empty", "see 'muniment status --help'"),
        (["index", ".", "--config="], "argument --config: it is empty", "see 'muniment index --help'"),
    ],
)
def test_a_slip_is_said_in_one_line(muniment: Callable[..., Ran], words: list[str], says: str, hint: str) -> None:
    ran = muniment(*words)
    assert (ran.code, ran.out) == (2, "")
    said, hinted = ran.err.splitlines()
    assert said == f"error: {says}"
    assert hinted.startswith(f"hint: {hint}")


def test_the_usage_line_asks_for_a_question(muniment: Callable[..., Ran]) -> None:
    usage = " ".join(muniment("search", "--help").out.partition("find the passages")[0].split())
    assert usage.endswith(" QUESTION")
