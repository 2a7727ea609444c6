"""Which characters of a line a finding is about, and which a suggested edit replaces."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from schemas.claims import DriftReport, Finding

_BORDERS = " \t|`'\"()[]{}<>,;="


class Change(NamedTuple):
    """Characters `start` up to `end` of a line become `text`."""

    start: int
    end: int
    text: str

    def is_apart_from(self, other: Change) -> bool:
        """Whether both can be made: no character is between or under the two at once."""
        return self.end < other.start or other.end < self.start


def change(old: str, new: str) -> Change:
    """The smallest change that makes one line of the other."""
    start = _shared(old, new)
    rest = _shared(old[start:][::-1], new[start:][::-1])
    return Change(start, len(old) - rest, new[start : len(new) - rest])


def whole_word(change: Change, line: str) -> Change:
    """The same change of a line, widened to whole words: `300` becomes `600`, not `3` becomes `6`."""
    start, end, text = change
    while start > 0 and line[start - 1] not in _BORDERS:
        start -= 1
    while end < len(line) and line[end] not in _BORDERS:
        end += 1
    return Change(start, end, line[start : change.start] + text + line[change.end : end])


def columns_of(report: DriftReport) -> Callable[[Finding], tuple[int, int] | None]:
    """What tells the 0-based columns of a finding's value, the end not included; None where they are not known."""
    claims = (judgement.claim for judgement in report.judgements if judgement.verdict == "disagrees")
    known = {
        (claim.path, claim.line, claim.option, claim.documented): (claim.column, claim.column + claim.width)
        for claim in claims
        if claim.width
    }

    def columns(finding: Finding) -> tuple[int, int] | None:
        if found := known.get((finding.path, finding.line, finding.option, finding.documented)):
            return found
        edit = finding.edit
        if edit is None or (edit.path, edit.line) != (finding.path, finding.line):
            return None
        span = whole_word(change(edit.old, edit.new), edit.old)
        return (span.start, span.end) if span.end > span.start else None

    return columns


def _shared(one: str, other: str) -> int:
    """How many characters two texts begin with together."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))
