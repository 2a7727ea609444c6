"""The prior from what gets used: bounded, never taking away, and off until it was shown to lose nothing."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.ranking.fuse import rank
from muniment.ranking.loss import FILE, Trial, keep_trial, why_unproven
from muniment.ranking.prior import Prior, make_prior
from tests.conftest import Ran, commit_all, make_repo, write
from tests.muniment.ranking.test_ranking import candidate
from tests.tasks.effectiveness.logs import record

TRIAL = Trial("model", 0.05, 40, 0.01, -0.01, 0.03, "2026-03-14T12:00:00+00:00")


def effect(name: str, assembled: int, used: int, low: float, by: str = "type", known: bool = True) -> dict[str, Any]:
    counts = {"assembled": assembled, "used": used}
    return {"by": by, "name": name, **counts, "ratio": used / assembled if known else None, "low": low}


def made(*effects: Mapping[str, Any]) -> Prior:
    prior = make_prior(effects, 0.1)
    assert prior
    return prior


def test_what_is_surely_used_more_than_the_mean_gains() -> None:
    # The mean is 0.3.
    prior = made(
        effect("twice", 100, 65, 0.6), effect("half more", 100, 50, 0.45), effect("perhaps", 100, 35, 0.29),
        effect("less", 200, 0, 0.0),
    )  # fmt: skip
    gains = {name: prior.boost({"type": name, "kind": "note"}) for name in ("twice", "half more", "perhaps", "less")}
    assert gains == pytest.approx({"twice": 0.1, "half more": 0.05, "perhaps": 0.0, "less": 0.0})


def test_the_kind_counts_where_the_type_has_too_little_data() -> None:
    few = effect("ENT", 3, 3, 0.4, known=False)
    prior = made(few, effect("doc", 100, 10, 0.05), effect("note", 100, 20, 0.15, by="kind"))
    assert prior.boost({"type": "ENT", "kind": "note"}) == pytest.approx(0.05)
    assert prior.boost({"type": "novel", "kind": "novel"}) == 0.0


def test_without_enough_data_there_is_no_prior() -> None:
    assert make_prior([], 0.1) is None
    assert make_prior([effect("ENT", 3, 3, 0.4, known=False), effect("PURPOSE", 90, 9, 0.1, by="section")], 0.1) is None
    assert make_prior([effect("ENT", 30, 0, 0.0)], 0.1) is None


@given(
    st.lists(st.tuples(st.sampled_from("abc"), st.floats(0, 50), st.floats(-1, 1)), max_size=8),
    st.dictionaries(st.sampled_from("abc"), st.floats(0, 1)),
    st.floats(0, 0.1),
)
def test_a_prior_leaves_out_none_and_adds_no_more_than_it_may(
    rows: list[tuple[str, float, float]], shares: dict[str, float], strength: float
) -> None:
    prior = Prior(strength, {("type", name): share for name, share in shares.items()})
    plain, moved = (
        [candidate("t", lexical, cosine, line_start=n, type=type_) for n, (type_, lexical, cosine) in enumerate(rows)]
        for _ in range(2)
    )
    rank("question", plain, "hybrid")
    assert sorted(map(id, rank("question", moved, "hybrid", prior))) == sorted(map(id, moved))
    for before, after in zip(plain, moved, strict=True):
        assert before.score <= after.score + 1e-12
        assert after.score <= before.score + strength + 1e-12
        assert "used" not in before.boosts


def test_a_prior_counts_in_hybrid_mode_only() -> None:
    rows = [candidate(lexical=1.0, type="a")]
    assert rank("q", rows, "hybrid", Prior(0.1, {("type", "a"): 1.0}))[0].boosts["used"] == 0.1
    assert "used" not in rank("q", rows, "lexical", Prior(0.1, {("type", "a"): 1.0}))[0].boosts


@pytest.mark.parametrize(
    ("trial", "why"),
    [
        (TRIAL, ""),
        (replace(TRIAL, mean=0.0), ""),
        (replace(TRIAL, mean=-0.001), "shows a loss"),
        (replace(TRIAL, mean=float("nan")), "shows a loss"),
        (replace(TRIAL, questions=19), "fewer than 20 questions"),
        (replace(TRIAL, prior=0.1), "another prior"),
        (replace(TRIAL, fingerprint="other"), "another index"),
    ],
)
def test_a_trial_allows_only_what_it_showed(tmp_path: Path, trial: Trial, why: str) -> None:
    keep_trial(tmp_path, trial)
    said = why_unproven(tmp_path, "model", 0.05)
    assert why in said
    assert bool(said) == bool(why)


@pytest.mark.parametrize("text", [None, "", "[]", "{}", '{"fingerprint": "model", "prior": 0.05, "questions": "many"}'])
def test_without_a_whole_trial_the_prior_is_unproven(tmp_path: Path, text: str | None) -> None:
    if text is not None:
        (tmp_path / FILE).parent.mkdir()
        (tmp_path / FILE).write_text(text)
    assert why_unproven(tmp_path, "model", 0.05)


PAGES = {
    f"docs/{name}.md": f"# {name.title()}\n\nThe {name} keeps the harbour running.\n"
    for name in ("crane", "pier", "ferry", "buoy", "lock")
}


def test_the_prior_is_used_once_an_evaluation_showed_no_loss(
    muniment: Callable[..., Ran], tmp_path: Path, own_place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo = make_repo(tmp_path / "repo", PAGES | {"crane.sh": "#!/bin/sh\n# PURPOSE\n#   Moves the harbour crane.\n"})
    for _ in range(25):
        record(own_place, datetime.now(UTC), [("doc", ""), *[("header", "PURPOSE")] * 3], used=[0])
    write(repo, {"docs/tide.md": "# Tide\n\nThe tide turns twice.\n"})
    commit_all(repo)
    muniment("index", repo)
    monkeypatch.setenv("MUNIMENT_RANKING__EFFECTIVENESS_PRIOR", "0.05")
    off = muniment("search", "what does the crane do", "--explain")
    assert "note: ranking.effectiveness_prior is off: no evaluation shows that it loses nothing; run" in off.err
    assert "used" not in off.out
    questions = tmp_path / "questions.jsonl"
    asked = [
        {"id": f"{name}{word}", "query": f"{word} {name.split('/')[1][:-3]}", "gold": [{"path": name}]}
        for name in PAGES
        for word in ("what is the", "about the", "the", "harbour")
    ]
    questions.write_text("\n".join(map(json.dumps, asked)))
    measured = muniment("eval", questions, "--json")
    assert measured.code == 0
    assert measured.json["all"]["prior_over_hybrid"]["mean"] >= 0
    assert set(measured.json["all"]["modes"]) == {"lexical", "vector", "hybrid", "hybrid+prior"}
    assert "ranking.effectiveness_prior = 0.05 may be used" in measured.err
    on = muniment("search", "what does the crane do", "--explain")
    assert "is off" not in on.err
    assert "used +0.05" in on.out
    assert muniment("ask", "what does the crane do", "--json").code == 0
    monkeypatch.setenv("MUNIMENT_RANKING__EFFECTIVENESS_PRIOR", "0.04")
    assert "another prior" in muniment("search", "crane", "--explain").err
    assert "| hybrid+prior |" in muniment("eval", questions).out
    assert muniment("eval", questions, "--prior", "0.2").code == 2
    assert "hybrid+prior" not in muniment("eval", questions, "--prior", "0").out
