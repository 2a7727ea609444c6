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
    ("words", "says"),
    [
        (["search"], "there is no QUESTION"),
        (["search", "--json"], "muniment search -- --json"),
        (["search", "--sorce=ops"], "no option --sorce=ops: did you mean --source?"),
        (["ask", "--jsn"], "as a question: muniment ask -- --jsn"),
        (["search", "mover", "--dry-run"], "unrecognized arguments: --dry-run"),
        (["status", "--dry-run"], "unrecognized arguments: --dry-run"),
        (["search", "two", "words"], "unrecognized arguments: words"),
    ],
)
def test_a_slip_is_no_question(muniment: Callable[..., Ran], words: list[str], says: str) -> None:
    ran = muniment(*words)
    assert (ran.code, ran.out) == (2, "")
    assert says in ran.err


def test_the_usage_line_asks_for_a_question(muniment: Callable[..., Ran]) -> None:
    usage = " ".join(muniment("search", "--help").out.partition("find the passages")[0].split())
    assert usage.endswith(" QUESTION")
