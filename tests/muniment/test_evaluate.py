"""Measuring retrieval: question files, what counts as an answer, the figures, and the command."""

from __future__ import annotations

import json
import math
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.errors import UsageError
from muniment.evaluate.metrics import measure, paired_bootstrap
from muniment.evaluate.questions import Asked, Gold, load_questions
from muniment.evaluate.report import as_json, table
from muniment.evaluate.runs import ANSWER, Ranking, collapse
from schemas.answers import Hit
from tests.conftest import make_repo

PAGES = {
    "docs/restore.md": "# Restore\n\n## One file\n\nCopy it back from the snapshot.\n\n## All\n\nStart the image.\n",
    "docs/backup.md": "# Backup\n\nA snapshot is taken every night.\n",
    "docs/mail.md": "# Mail\n\nMessages wait in the outbox.\n",
}


def hit(path: str, lines: tuple[int, int] = (1, 5), heading_path: str = "", **more: Any) -> Hit:
    first, last = lines
    title = heading_path.rpartition(" > ")[2]
    return Hit("id", "s", path, first, last, "doc", "doc", "", title, heading_path, "text", 0.5, 1, 1, **more)


def asked(*gold: dict[str, Any], **more: Any) -> Asked:
    return Asked.model_validate({"query": "q", "gold": gold or [{"path": "a.md"}], **more})


def write_questions(folder: Path, *rows: dict[str, Any] | str) -> Path:
    file = folder / "questions.jsonl"
    file.write_text("\n".join(row if isinstance(row, str) else json.dumps(row) for row in rows), encoding="utf-8")
    return file


@pytest.mark.parametrize(
    ("gold", "found", "answers"),
    [
        ({"path": "a.md"}, hit("a.md"), True),
        ({"path": "a.md"}, hit("b.md"), False),
        ({"path": "a.md", "start": 5, "end": 9}, hit("a.md", (1, 5)), True),
        ({"path": "a.md", "start": 6, "end": 9}, hit("a.md", (1, 5)), False),
        ({"path": "a.md", "start": 3}, hit("a.md", (1, 5)), True),
        ({"path": "a.md", "heading": "One `file`?"}, hit("a.md", heading_path="Restore > One file"), True),
        ({"path": "a.md", "heading": "file"}, hit("a.md", heading_path="Profiles"), False),
        ({"path": "a.md"}, hit("b.md", also=("a.md:7",)), True),
        ({"path": "a.md", "start": 8, "end": 9}, hit("b.md", (1, 3), also=("a.md:7",)), True),
        ({"path": "a.md", "start": 20, "end": 22}, hit("b.md", (1, 3), also=("a.md:7",)), False),
    ],
)
def test_a_hit_answers_where_the_gold_says(gold: dict[str, Any], found: Hit, answers: bool) -> None:
    assert Gold.model_validate(gold).answered_by(found) is answers


def test_any_of_several_golds_answers() -> None:
    assert asked({"path": "a.md"}, {"path": "b.md"}).answered_by(hit("b.md"))


def test_an_answer_of_another_source_is_none() -> None:
    assert not asked({"path": "a.md"}, corpus="elsewhere").answered_by(hit("a.md"))


def test_chunks_of_one_file_take_one_place() -> None:
    found = [hit("x.md"), hit("x.md", (6, 9)), hit("y.md"), hit("a.md")]
    assert collapse(asked(), found) == ("s:x.md", "s:y.md", ANSWER)


def test_sections_count_where_the_answer_is_one() -> None:
    found = [hit("a.md", (1, 2), "A"), hit("a.md", (3, 4), "A"), hit("a.md", (5, 6), "B"), hit("a.md", (7, 8), "C")]
    assert collapse(asked({"path": "a.md", "start": 7, "end": 8}), found) == ("s:a.md#A", "s:a.md#B", ANSWER)


def test_measures_follow_from_the_rank() -> None:
    one = asked(id="1", set="faq-x")
    report = measure([Ranking(one, "hybrid", ("x", "y", ANSWER))])
    assert report.whole.modes["hybrid"] == {
        "R@1": 0.0,
        "R@5": 1.0,
        "R@10": 1.0,
        "RR@10": pytest.approx(1 / 3),
        "nDCG@10": pytest.approx(1 / math.log2(4)),
    }


def test_what_was_not_found_counts_as_nothing() -> None:
    found, lost, empty = asked(id="1"), asked(id="2"), asked(id="3")
    report = measure(
        [Ranking(found, "hybrid", (ANSWER,)), Ranking(lost, "hybrid", ("x",)), Ranking(empty, "hybrid", ())]
    )
    assert report.whole.questions == 3
    assert report.whole.modes["hybrid"]["R@1"] == pytest.approx(1 / 3)


def test_sets_are_summed_up_by_family() -> None:
    rankings = [Ranking(asked(id=name, set=name), "lexical", (ANSWER,)) for name in ("faq-a", "faq-b", "other")]
    report = measure(rankings)
    assert [one.name for one in report.sets] == ["faq-a", "faq-b", "other"]
    assert [(one.name, one.questions) for one in report.families] == [("faq", 2), ("other", 1)]


def test_modes_are_compared_question_by_question() -> None:
    many = [asked(id=str(n)) for n in range(30)]
    better = [Ranking(one, "hybrid", (ANSWER,)) for one in many]
    worse = [Ranking(one, "lexical", ("x", ANSWER)) for one in many]
    difference = measure([*better, *worse]).whole.hybrid_over_lexical
    assert difference is not None
    assert difference.verdict == "better"
    assert difference.low == difference.mean == difference.high == pytest.approx(1 - 1 / math.log2(3))


@given(st.lists(st.floats(-1, 1), min_size=1, max_size=40))
def test_the_interval_is_the_same_every_time(values: list[float]) -> None:
    once, again = paired_bootstrap(np.array(values)), paired_bootstrap(np.array(values))
    assert once == again
    assert min(values) - 1e-9 <= once.low <= once.high <= max(values) + 1e-9


def test_halves_are_fixed_and_both_used() -> None:
    halves = [asked(id=str(n)).half for n in range(200)]
    assert halves == [asked(id=str(n)).half for n in range(200)]
    assert 60 < sum(halves) < 140


@pytest.mark.parametrize(
    ("row", "where"),
    [
        ("not json", ":2:"),
        ({"gold": [{"path": "a"}]}, "query"),
        ({"query": "q", "gold": []}, "gold"),
        ({"query": "q", "gold": [{"heading": "h"}]}, "path"),
    ],
)
def test_a_faulty_line_is_named(tmp_path: Path, row: dict[str, Any] | str, where: str) -> None:
    file = write_questions(tmp_path, {"query": "fine", "gold": [{"path": "a.md"}]}, row)
    with pytest.raises(UsageError) as caught:
        load_questions(file)
    assert where in caught.value.message
    assert ":2:" in caught.value.message


@pytest.mark.parametrize("rows", [[], [{"query": "q", "gold": [{"path": "a"}]}] * 2])
def test_a_file_without_sense_is_refused(tmp_path: Path, rows: list[dict[str, Any]]) -> None:
    with pytest.raises(UsageError):
        load_questions(write_questions(tmp_path, *rows))


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        load_questions(tmp_path / "nowhere.jsonl")


@pytest.fixture
def indexed(muniment: Any, tmp_path: Path, words_only: None) -> None:
    muniment("index", make_repo(tmp_path / "repo", PAGES))


@pytest.mark.usefixtures("indexed")
def test_an_operator_measures_an_index(muniment: Any, tmp_path: Path) -> None:
    file = write_questions(
        tmp_path,
        {"query": "copy one file back", "gold": [{"path": "docs/restore.md", "heading": "One file"}]},
        {"query": "outbox", "gold": [{"path": "docs/mail.md"}], "set": "mail", "corpus": "repo"},
        {"query": "of another place", "gold": [{"path": "x.md"}], "corpus": "elsewhere"},
        {"query": "zebra", "gold": [{"path": "docs/zoo.md"}]},
    )
    ran = muniment("eval", file, "--json")
    assert ran.code == 0
    assert {one["query"]: one["rank"] for one in ran.json["questions"]} == {
        "copy one file back": 1,
        "outbox": 1,
        "zebra": None,
    }
    assert ran.json["all"]["modes"]["lexical"]["recall@1"] == pytest.approx(2 / 3)
    assert "1 of 4 questions are about corpora that this index does not hold" in ran.err
    assert "not indexed: docs/zoo.md" in ran.err
    assert "no vectors" in ran.err


@pytest.mark.usefixtures("indexed")
def test_the_table_and_the_plot_are_written(muniment: Any, tmp_path: Path) -> None:
    file = write_questions(tmp_path, {"query": "outbox", "gold": [{"path": "docs/mail.md"}]})
    ran = muniment("eval", file, "--plot", tmp_path / "plot.png")
    assert ran.out.startswith("| set | questions | mode | recall@1 |")
    assert "| questions | 1 | lexical | 1.000 |" in ran.out
    assert (tmp_path / "plot.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.usefixtures("indexed")
def test_questions_of_other_corpora_only_are_refused(muniment: Any, tmp_path: Path) -> None:
    file = write_questions(tmp_path, {"query": "q", "gold": [{"path": "x"}], "corpus": "elsewhere"})
    ran = muniment("eval", file)
    assert ran.code == 2
    assert "no question" in ran.err


def test_each_mode_has_its_line_and_the_interval() -> None:
    one = asked(id="1")
    report = measure([Ranking(one, mode, (ANSWER,)) for mode in ("lexical", "hybrid")])
    assert table(report).splitlines()[2:] == [
        "| questions | 1 | lexical | 1.000 | 1.000 | 1.000 | 1.000 | 1.000 |  |",
        "| questions | 1 | hybrid | 1.000 | 1.000 | 1.000 | 1.000 | 1.000 | +0.000 [+0.000, +0.000] tie |",
    ]
    assert as_json(report)["all"]["hybrid_over_lexical"]["verdict"] == "tie"


def test_a_missing_library_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ir_measures", None)
    with pytest.raises(UsageError) as caught:
        measure([Ranking(asked(), "hybrid", (ANSWER,))])
    assert "muniment[eval]" in caught.value.hint
