"""`muniment ask` about amounts: every bill is read, and the answer says from how many."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import ROOT, Ran, make_repo

pytestmark = pytest.mark.usefixtures("words_only")
BILLS = ROOT / "tests" / "muniment" / "records" / "bills"


@pytest.fixture
def bills(tmp_path: Path, muniment: Callable[..., Ran], words_only: None) -> None:
    repo = make_repo(tmp_path / "bills", {path.name: path.read_bytes() for path in BILLS.iterdir()})
    assert muniment("index", repo).code == 0


@pytest.mark.usefixtures("bills")
def test_a_total_names_its_documents_and_its_days(muniment: Callable[..., Ran], own_place: Path) -> None:
    asked = ("ask", "how much did I pay for electricity in November 2024", "--today", "2025-03-01")
    ran = muniment(*asked)
    assert ran.code == 0
    assert "2024-11-01" in ran.out
    assert "matching documents" in ran.out
    shown = muniment(*asked, "--json").json["total"]
    used = [one["document"]["path"] for one in shown["documents"] if one["outcome"] == "used"]
    assert used
    assert all(f"{money['amount_minor'] / 100:,.2f}" in shown["text"] for money in shown["sums"])
    (log,) = (own_place / "log").glob("assembly-*.jsonl")
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    assert [line["act"] for line in lines] == ["ask", "ask"]
    assert all(line["used"] for line in lines)
    assert "electricity" not in log.read_text()


@pytest.mark.usefixtures("bills")
def test_other_questions_are_answered_from_passages(muniment: Callable[..., Ran]) -> None:
    ran = muniment("ask", "who supplies the electricity", "--json")
    assert ran.code == 0
    assert "citations" in ran.json


@pytest.mark.usefixtures("bills")
def test_a_day_that_is_none_is_refused(muniment: Callable[..., Ran]) -> None:
    ran = muniment("ask", "how much did I pay in 2024", "--today", "yesterday")
    assert ran.code == 2
    assert ran.err == "error: --today is no day: 'yesterday'\nhint: write it as 2026-01-31\n"


def test_a_repository_without_bills_gets_no_total(muniment: Callable[..., Ran], tmp_path: Path) -> None:
    repo = make_repo(tmp_path / "repo", {"a.md": "# Costs\n\nNobody knows how much we paid.\n"})
    muniment("index", repo)
    ran = muniment("ask", "how much did we pay in 2024", "--json")
    assert ran.code == 0
    assert "citations" in ran.json
