"""Conventions: whether a file's commented-out settings are its defaults or examples, learned from agreement."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from schemas.claims import Claim, Judgement, Truth
from tasks.drift.judge import DEPLOYERS, judge
from tasks.drift.lookup import Places, places_of

MIN_COMPARABLE = 5
"""Under so many lines that another truth can be held against, nothing is learned of a file."""
MIN_EQUAL = 0.75
"""Share of those lines that must say what the other truth says for a file to be one of defaults."""

_MADE_UP = re.compile(r"\bexample\.(?:com|net|org)\b|/path/to/", re.IGNORECASE)
"""Addresses that are kept free for examples, and paths that nobody has."""

SHAPE = "commented-setting"


def judge_commented(truths: Sequence[Truth], order: Mapping[str, int]) -> Iterator[Judgement]:
    """Verdicts on the commented-out settings of files in which such lines are defaults.

    In a file where they are examples, or where too few can be compared, nothing is said.
    """
    files = _by_file(truths)
    if not files:
        return  # as in most repositories: nothing is sorted for nothing
    places = places_of(truth for truth in truths if not truth.commented and truth.reader not in DEPLOYERS)
    for lines in files.values():
        judged = judge([_as_claim(line) for line in lines], places, order)
        known = [one for one in judged if one.verdict != "unknown" and not _is_computed(one, places)]
        equal = sum(one.verdict == "agrees" for one in known)
        if len(known) >= MIN_COMPARABLE and equal >= MIN_EQUAL * len(known):
            yield from known


def _by_file(truths: Sequence[Truth]) -> dict[str, list[Truth]]:
    """The commented lines of files that have enough of them.

    An option that a file names twice is left out, as one of the lines is an example.
    """
    commenting = {truth.path for truth in truths if truth.commented}
    files: dict[str, dict[str, list[Truth]]] = defaultdict(lambda: defaultdict(list))
    for truth in truths:
        if truth.path in commenting:
            files[truth.path][truth.option].append(truth)
    found = {path: [ones[0] for ones in named.values() if _is_default(ones)] for path, named in files.items()}
    return {path: lines for path, lines in found.items() if len(lines) >= MIN_COMPARABLE}


def _is_default(ones: Sequence[Truth]) -> bool:
    return len(ones) == 1 and ones[0].commented and bool(ones[0].value) and not _MADE_UP.search(ones[0].value)


def _is_computed(judgement: Judgement, places: Places) -> bool:
    """Whether one of the truths is known to running code alone: then the line may well say what that comes to."""
    return any(truth.kind == "computed" for truth in places.of(judgement.claim))


def _as_claim(line: Truth) -> Claim:
    return Claim(line.option, line.value, line.path, line.line, SHAPE, "setting")
