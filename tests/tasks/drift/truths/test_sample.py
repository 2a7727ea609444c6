"""The truths of the sample repository, as its list of facts names them."""

import json
from pathlib import Path

from tasks.drift.tree import TextFile
from tasks.drift.truths import read_truths

SAMPLE = Path(__file__).parents[4] / "data/sample/ops"
FACTS = json.loads((Path(__file__).parents[3] / "sample_facts.json").read_text(encoding="utf-8"))


def test_every_named_truth_is_read() -> None:
    """A flag whose default is a field (`default=Policy.daily`) has the field's line, one hop away."""
    missing = []
    for fact in [*FACTS["stale"], *FACTS["agreeing"]]:
        path, line = fact["truth"]["path"], fact["truth"]["line"]
        truths = read_truths(TextFile(path, (SAMPLE / path).read_text(encoding="utf-8")))
        names = {one.refers for one in truths if one.option == fact["option"]} | {fact["option"]}
        if not any(
            one.line == line
            and one.value == fact["actual"]
            and (one.option in names or one.option.endswith(f".{fact['option']}"))
            for one in truths
        ):
            missing.append(fact)
    assert missing == []
