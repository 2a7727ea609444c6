"""The page of ten questions: what muniment answers now, and right."""

from __future__ import annotations

import json
import re

import pytest

from docs.transcript import PAGE, QUESTIONS, transcript
from tests.conftest import ROOT

FACTS = {
    fact["question"]: fact["answers"]
    for fact in json.loads((ROOT / "tests" / "sample_facts.json").read_text())["questions"]
}


@pytest.mark.parametrize("question", QUESTIONS)
def test_each_answer_cites_the_place_that_answers(question: str) -> None:
    _, _, after = PAGE.read_text().partition(f"$ muniment ask '{question}'\n")
    found = re.search(r"^\[1\] (\S+):(\d+)(?:-(\d+))? ?", after.partition("```")[0], re.MULTILINE)
    assert found
    path, first, last = found[1], int(found[2]), int(found[3] or found[2])
    assert any(
        path == place["path"] and first <= place["line_end"] and last >= place["line_start"]
        for place in FACTS[question]
    )


@pytest.mark.slow  # embeds the whole sample
def test_the_page_is_what_muniment_answers() -> None:
    assert PAGE.read_text() == transcript()
