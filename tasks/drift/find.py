"""Find: everything about a tree that its documents say and its files do not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from muniment.errors import UsageError
from schemas.claims import CHECKS as RULES
from schemas.claims import Claim, DriftReport, Edit, Finding, Judgement, Place, Truth
from tasks.drift.checks import CHECKS
from tasks.drift.conventions import judge_commented
from tasks.drift.facts import facts_of
from tasks.drift.judge import judge
from tasks.drift.lookup import places_of
from tasks.drift.tree import Tree
from tasks.drift.truths import READERS
from tasks.secrets.keys import find_keys, may_hold, without_keys

State = Literal["head", "worktree", "staged"]


@dataclass(frozen=True, slots=True)
class DriftOptions:
    """What is looked for, and where."""

    checks: frozenset[str] = field(default_factory=lambda: frozenset(RULES))
    """Keys of `schemas.claims.CHECKS`."""
    order: tuple[str, ...] = ()
    """Names of truth readers that win over the others, the first over the second; the rest keep their order."""


def find_drift(tree: Tree, options: DriftOptions, *, repository: str, state: State) -> DriftReport:
    """The verdict on every claim of a tree, and the findings of every check asked for.

    Raises UsageError when `order` names a reader that there is none of.
    """
    judgements = judge_tree(tree, options.order) if "default" in options.checks else ()
    found = [_finding(one, tree) for one in judgements if one.verdict == "disagrees"]
    for name, check in CHECKS.items():
        if name in options.checks:
            found += check(tree)
    shown = map(_without_keys, _once(found))
    return DriftReport(
        repository=repository,
        commit=tree.commit,
        state=state,
        files=len(tree.files),
        judgements=judgements,
        findings=tuple(sorted(shown, key=lambda one: (one.path, one.line, one.check, one.option))),
        skipped=tree.skipped,
        notes=tuple(_notes(tree)),
    )


def judge_tree(tree: Tree, order: Sequence[str] = ()) -> tuple[Judgement, ...]:
    """The verdict on every claim of a tree, by path and line."""
    facts = [facts_of(file) for file in tree.files.values()]
    claims = [claim for one in facts for claim in one.claims]
    return judge_all(claims, [truth for one in facts for truth in one.truths], order)


def judge_all(claims: Sequence[Claim], truths: Sequence[Truth], order: Sequence[str] = ()) -> tuple[Judgement, ...]:
    """The verdict on every claim, and on the commented settings of files where these are defaults, by place."""
    ranks, places = reader_ranks(order), places_of(truths)
    judged = [*judge(claims, places, ranks), *judge_commented(truths, ranks)]
    return tuple(sorted(judged, key=lambda one: (one.claim.path, one.claim.line, one.claim.column, one.claim.option)))


def reader_ranks(order: Sequence[str]) -> dict[str, int]:
    """Name of a truth reader -> its rank, 0 wins. Raises UsageError for a name that is none."""
    names = [reader.name for reader in READERS]
    if unknown := [name for name in order if name not in names]:
        raise UsageError(f"no truth reader '{unknown[0]}'", "choose among: " + ", ".join(names))
    ranked = [*order, *(name for name in names if name not in order)]
    return {name: rank for rank, name in enumerate(ranked)}


def _finding(judgement: Judgement, tree: Tree) -> Finding:
    claim, truth = judgement.claim, judgement.truth
    assert truth is not None
    return Finding(
        check="default",
        path=claim.path,
        line=claim.line,
        message=f"{claim.option} is documented as {_shown(claim.documented)}, "
        f"but {truth.path}:{truth.line} says {_shown(truth.value)}",
        option=claim.option,
        documented=claim.documented,
        actual=truth.value,
        truth=Place(truth.path, truth.line),
        won_by=truth.reader,
        agreeing=_places(judgement.agreeing),
        differing=_places(judgement.differing),
        edit=_edit(claim, truth, tree),
    )


def _without_keys(finding: Finding) -> Finding:
    """The finding as it may be shown anywhere: without what looks like a key, and without an edit of such a line."""
    said = (finding.message, finding.option, finding.documented, finding.actual)
    message, option, documented, actual = (without_keys(text) if may_hold(text) else text for text in said)
    edit = finding.edit
    if edit and may_hold(edit.old + edit.new) and find_keys(f"{edit.old}\n{edit.new}"):
        edit = None
    return replace(finding, message=message, option=option, documented=documented, actual=actual, edit=edit)


def _shown(value: str) -> str:
    return value or "nothing"


def _places(truths: Iterable[Truth]) -> tuple[Place, ...]:
    return tuple(Place(truth.path, truth.line) for truth in truths)


def _edit(claim: Claim, truth: Truth, tree: Tree) -> Edit | None:
    """The line with the real value in the documented one's place, where both are one plain word or number."""
    if not claim.width or truth.kind in ("computed", "list", "map", "null") or not truth.value or "\n" in truth.value:
        return None
    old = tree.files[claim.path].lines[claim.line - 1]
    new = old[: claim.column] + truth.value + old[claim.column + claim.width :]
    return Edit(claim.path, claim.line, old, new) if new != old else None


def _once(found: Sequence[Finding]) -> Iterator[Finding]:
    """The findings without defaults in docstrings that `python-api`, which knows the function, has found as well."""
    known = {(one.path, one.line) for one in found if one.check == "python-api"}
    return (one for one in found if one.check != "default" or (one.path, one.line) not in known)


def _notes(tree: Tree) -> Iterator[str]:
    for reason, count in sorted(tree.skipped.items()):
        yield f"{count} files were not read: {reason}"
