"""The claims that are planted in the sample corpus, and nothing besides."""

from __future__ import annotations

import json

import pytest

from schemas.claims import Claim
from tasks.drift.claims import find_claims
from tasks.drift.tree import TextFile, text_file
from tests.conftest import ROOT, SAMPLE

FACTS = json.loads((ROOT / "tests" / "sample_facts.json").read_text())
PLANTED = [*FACTS["stale"], *FACTS["agreeing"]]

Key = tuple[str, int, str]


@pytest.fixture(scope="module")
def claims() -> dict[Key, Claim]:
    """All claims of the sample corpus, by path, line and option."""
    files = [
        text_file(str(path.relative_to(SAMPLE)), path.read_bytes()) for path in SAMPLE.rglob("*") if path.is_file()
    ]
    found = [claim for file in files if isinstance(file, TextFile) for claim in find_claims(file)]
    return {(claim.path, claim.line, claim.option): claim for claim in found}


def test_every_planted_claim_is_found(claims: dict[Key, Claim]) -> None:
    wanted = {(fact["doc"]["path"], fact["doc"]["line"], fact["option"]): fact["documented"] for fact in PLANTED}
    assert len(wanted) == 124
    assert {key: claims[key].documented for key in wanted if key in claims} == wanted


def test_nothing_else_is_claimed(claims: dict[Key, Claim]) -> None:
    known = {fact["option"] for fact in (*PLANTED, *FACTS["unknown_options"])}
    assert {option for _, _, option in claims} <= known


def test_every_value_can_be_replaced_where_it_stands(claims: dict[Key, Claim]) -> None:
    for claim in claims.values():
        line = (SAMPLE / claim.path).read_text().split("\n")[claim.line - 1]
        assert line[claim.column :][: claim.width] == claim.documented
