"""Judge: a claim against its truths. When in doubt the verdict is unknown, since noise kills this tool."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from schemas.claims import Claim, Judgement, Truth
from tasks.drift.lookup import Places, is_named_above
from tasks.drift.reach import is_aside
from tasks.drift.spelling import folded, last_part
from tasks.drift.values import Compared, compare

NO_TRUTH = "no truth found"
TWO_TRUTHS = "two truths disagree"
SEVERAL = "the document gives this name several values"
DEPLOYERS = ("compose",)
"""Readers of files that set options for one deployment: what they say differs from a default on purpose."""
COMPUTED_TOO = "another truth is computed"
SET_HERE = "set on purpose, beside what its default is"
DEPLOYED = "set for one deployment, while other files know of the option"
ONLY_EXAMPLES = "set only in a commented line, which may be an example"


def judge(claims: Iterable[Claim], places: Places, order: Mapping[str, int]) -> tuple[Judgement, ...]:
    """A verdict on each claim, in the order given; `order` maps the name of a truth reader to its rank, 0 wins."""
    claims = tuple(claims)
    stated = _stated(claims)
    judged = [_judge(claim, places.of(claim), order, stated) for claim in claims]
    torn = _torn(judged)
    return tuple(replace(one, verdict="unknown", reason=SEVERAL) if _about(one) in torn else one for one in judged)


_About = tuple[str, str, str, int]


def _torn(judged: Iterable[Judgement]) -> frozenset[_About]:
    """What a document gives several values, none of them that of the one truth elsewhere: a name of several things."""
    values = defaultdict(set)
    for one in judged:
        if about := _about(one):
            values[about].add(one.claim.documented.strip("`\"'"))
    return frozenset(about for about, several in values.items() if len(several) > 1)


def _about(one: Judgement) -> _About | None:
    """Document, name, and place of the truth of a claim that another file contradicts; None where a heading says whose
    option it is."""
    if one.verdict != "disagrees" or one.truth is None or one.truth.path == one.claim.path:
        return None
    if is_named_above(one.truth, one.claim):
        return None
    return one.claim.path, folded(one.claim.option), one.truth.path, one.truth.line


_Stated = Mapping[tuple[str, int], Sequence[Claim]]
"""Path and line -> the claims that stand there."""


def _stated(claims: Iterable[Claim]) -> _Stated:
    stated = defaultdict(list)
    for claim in claims:
        stated[claim.path, claim.line].append(claim)
    return stated


def _judge(claim: Claim, truths: Sequence[Truth], order: Mapping[str, int], stated: _Stated) -> Judgement:
    if not truths:
        return Judgement(claim, "unknown", NO_TRUTH)
    ranked = sorted(truths, key=lambda one: (one.commented, order.get(one.reader, len(order)), one.path != claim.path))
    compared = [(truth, compare(claim.documented, truth)) for truth in ranked]
    compared = [one for one in compared if one[1].verdict != "disagrees" or not _is_on_purpose(claim, one[0], stated)]
    decided = [(truth, result) for truth, result in compared if result.verdict != "unknown"]
    firm = [(truth, result) for truth, result in decided if not truth.commented]
    if not decided:
        return Judgement(claim, "unknown", *((compared[0][1].reason, compared[0][0]) if compared else (SET_HERE,)))
    if not firm:
        return _by_examples(claim, decided)
    judged = _by_order(claim, firm, decided)
    if judged.verdict == "disagrees" and (judged.truth in _hidden_behind(compared) or _is_set_twice(judged, compared)):
        return replace(judged, verdict="unknown", reason=COMPUTED_TOO)
    if judged.verdict == "disagrees" and _is_deployed(judged, compared):
        return replace(judged, verdict="unknown", reason=DEPLOYED)
    return judged


def _is_on_purpose(claim: Claim, truth: Truth, stated: _Stated) -> bool:
    """Whether the truth's own line says that it is not the default, as in `KEY: 15s  # default: 1m`, or the comment
    above it in an example does."""
    if claim.binding == "setting" and claim.path == truth.path and is_aside(truth.path):
        return True
    beside = stated.get((truth.path, truth.line), ())
    name = last_part(folded(truth.option))
    return any(
        last_part(folded(claim.option)) == name and compare(claim.documented, truth).verdict == "disagrees"
        for claim in beside
    )


def _is_set_twice(judged: Judgement, compared: Sequence[tuple[Truth, Compared]]) -> bool:
    """Whether the claim's own file decides, and gives the option a value that is computed somewhere else as well."""
    path = judged.claim.path
    decides = judged.truth is not None and judged.truth.path == path
    return decides and any(truth.path == path and truth.kind == "computed" for truth, _ in compared)


def _is_deployed(judged: Judgement, compared: Sequence[tuple[Truth, Compared]]) -> bool:
    """Whether a file that sets options for one deployment is alone in contradicting, and not alone in knowing: another
    file knows of the option, or it is one that its service calls by the name."""
    truth = judged.truth
    if truth is None or truth.reader not in DEPLOYERS:
        return False
    others = [result.verdict for other, result in compared if other.reader not in DEPLOYERS]
    return truth.option != judged.claim.option or any(verdict != "disagrees" for verdict in others)


def _hidden_behind(compared: Sequence[tuple[Truth, Compared]]) -> list[Truth]:
    """The truths that come after one whose value only running the code would tell: it may be what is documented."""
    hidden = [truth.kind == "computed" and result.verdict == "unknown" for truth, result in compared]
    return [truth for truth, _ in compared[hidden.index(True) :]] if any(hidden) else []


def _by_order(
    claim: Claim, firm: Sequence[tuple[Truth, Compared]], decided: Sequence[tuple[Truth, Compared]]
) -> Judgement:
    """The first truth decides, unless another says what the document says, or one of its own kind something else again:
    then two truths disagree, and not the document."""
    winner, result = firm[0]
    agreeing, differing = _others(winner, result, decided)
    elsewhere = [truth for truth in differing if truth.reader == winner.reader and truth.path != winner.path]
    split = bool(elsewhere) and winner.path != claim.path
    if result.verdict == "disagrees" and (split or any(other.verdict == "agrees" for _, other in firm)):
        return Judgement(claim, "unknown", TWO_TRUTHS, winner, agreeing, differing)
    return Judgement(claim, result.verdict, result.reason, winner, agreeing, differing)


def _by_examples(claim: Claim, decided: Sequence[tuple[Truth, Compared]]) -> Judgement:
    for truth, result in decided:
        if result.verdict == "agrees":
            return Judgement(claim, "agrees", result.reason, truth)
    return Judgement(claim, "unknown", ONLY_EXAMPLES, decided[0][0])


def _others(
    winner: Truth, result: Compared, decided: Sequence[tuple[Truth, Compared]]
) -> tuple[tuple[Truth, ...], tuple[Truth, ...]]:
    """The other truths, apart by whether they say what the winner says."""
    others = [(truth, other) for truth, other in decided if truth is not winner]
    agree = [truth for truth, other in others if _say_one_thing(winner, result, truth, other)]
    return tuple(agree), tuple(truth for truth, _ in others if truth not in agree)


def _say_one_thing(winner: Truth, result: Compared, truth: Truth, other: Compared) -> bool:
    if result.verdict == "agrees" or other.verdict == "agrees":
        return result.verdict == other.verdict
    return compare(winner.value, truth).verdict == "agrees"
