"""Values: whether a documented value and a real one are the same, and what is no value at all."""

from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

from schemas.claims import Truth, Verdict
from tasks.drift.values.doubts import DOUBTS
from tasks.drift.values.lists import lists
from tasks.drift.values.markup import MAX_LENGTH, plain, sound
from tasks.drift.values.readings import Reading, read
from tasks.drift.values.scalars import SCALARS, Equality
from tasks.drift.values.unclaimed import no_claim

EQUALITIES: Mapping[str, Equality] = {"lists": lists} | dict(SCALARS)
"""Name -> equality. One that holds is enough; one that is unsure is enough against a disagreement."""


class Compared(NamedTuple):
    """What comparing two values came to."""

    verdict: Verdict
    reason: str
    """Which equality held (`durations`, `switches`, ...), or why nothing can be said."""


def compare(documented: str, truth: Truth) -> Compared:
    """Whether a documented value is the truth's. When in doubt, unknown."""
    if documented.strip(" `") in (truth.value.strip(), truth.refers or truth.value):
        return Compared("agrees", "same text")
    if max(len(documented), len(truth.value)) > MAX_LENGTH:
        return Compared("unknown", "too long")
    truth = replace(truth, value=sound(truth.value), option=sound(truth.option))
    reading, actual = read(documented), plain(truth.value)
    whole = _judge(reading.whole, actual, truth.option)
    if whole.verdict == "agrees":
        return _or_computed(whole, truth)
    if kind := no_claim(documented):
        return Compared("unknown", f"no definite value: {kind}")
    judged = [whole, *(_judge(spelling, actual, truth.option) for spelling in reading.spellings)]
    if equal := next((one for one in judged if one.verdict == "agrees"), None):
        return _or_computed(equal, truth)
    return _differing(reading, truth, judged)


def is_value(documented: str) -> bool:
    """Whether the words of a document name one definite value: no placeholder, range, choice or description."""
    return not no_claim(documented)


def _judge(spelling: str, actual: str, option: str) -> Compared:
    unsure = ""
    for name, equality in EQUALITIES.items():
        verdict = equality(spelling, actual, option)
        if verdict == "agrees":
            return Compared("agrees", name)
        unsure = unsure or (name if verdict == "unknown" else "")
    return Compared("unknown", f"may be equal: {unsure}") if unsure else Compared("disagrees", "differs")


def _or_computed(equal: Compared, truth: Truth) -> Compared:
    # The source text of a computed value proves nothing unless it is a product of numbers.
    sure = truth.kind != "computed" or equal.reason not in ("words", "lists", "paths", "absent", "switches")
    return equal if sure else Compared("unknown", "computed")


def _differing(reading: Reading, truth: Truth, judged: list[Compared]) -> Compared:
    for doubt, holds in DOUBTS.items():
        if holds(reading, truth):
            return Compared("unknown", doubt)
    unsure = next((one for one in judged if one.verdict == "unknown"), None)
    return unsure or Compared("disagrees", "differs")
