"""History: which findings are new, fixed or still open, told from what the nights before left behind."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from muniment.inert import write_json
from schemas.claims import DriftReport, Finding
from schemas.nightly import FixedFinding, Night, OpenFinding, SourceDrift

FILE = "drift-history.json"
FORMAT = "muniment-drift-history-1"
KEPT_NIGHTS = 400
"""Of each source: more than a year."""


@dataclass(frozen=True, slots=True)
class History:
    """What earlier nights saw."""

    open: Mapping[str, Mapping[str, FixedFinding]] = field(default_factory=dict)
    """Source -> key -> the finding as it was last seen; one that the next night misses is fixed."""
    nights: tuple[Night, ...] = ()
    """Oldest first."""


def load_history(folder: Path) -> History:
    """What the folder's file holds; nothing where there is none, or where it is torn: a history can begin anew."""
    try:
        values: dict[str, Any] = json.loads((folder / FILE).read_text(encoding="utf-8"))
        if values["format"] != FORMAT:
            return History()
        seen = {
            source: {key: FixedFinding(**one) for key, one in findings.items()}
            for source, findings in values["open"].items()
        }
        return History(seen, tuple(Night(**night) for night in values["nights"]))
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return History()


def save_history(folder: Path, history: History) -> None:
    """Replaces the folder's file whole."""
    seen = {source: {key: asdict(one) for key, one in found.items()} for source, found in history.open.items()}
    values = {"format": FORMAT, "open": seen, "nights": [asdict(night) for night in history.nights]}
    folder.mkdir(parents=True, exist_ok=True)
    beside = folder / f".{FILE}.new"
    beside.write_text(write_json(values, indent=1) + "\n", encoding="utf-8")
    beside.replace(folder / FILE)


def compare(history: History, source: str, report: DriftReport, at: str) -> SourceDrift:
    """A source's findings of this night against those of the last."""
    before, known = history.open.get(source), dict(history.open.get(source, {}))
    opened = tuple(_open(keyed, known, before is not None, at) for keyed in _keyed(report.findings))
    fixed = tuple(sorted(known.values(), key=lambda one: (one.path, one.line)))
    new = sum(one.new for one in opened)
    night = Night(at, source, report.commit, len(opened), new, len(fixed), **report.counts)
    return SourceDrift(
        source=source,
        repository=report.repository,
        commit=report.commit,
        open=opened,
        fixed=fixed,
        counts=report.counts,
        files=report.files,
        nights=(*(one for one in history.nights if one.source == source), night)[-KEPT_NIGHTS:],
        notes=report.notes,
    )


def continued(history: History, drift: Sequence[SourceDrift]) -> History:
    """The history with this night added; sources that were not looked at keep what they had."""
    looked_at = {one.source for one in drift}
    seen = {source: found for source, found in history.open.items() if source not in looked_at}
    for one in drift:
        keys = (key for key, _ in _keyed([opened.finding for opened in one.open]))
        seen[one.source] = dict(zip(keys, map(_remembered, one.open), strict=True))
    nights = [night for night in history.nights if night.source not in looked_at]
    nights += [night for one in drift for night in one.nights]
    return History(seen, tuple(sorted(nights, key=lambda night: (night.at, night.source))))


def _keyed(findings: Sequence[Finding]) -> Iterator[tuple[str, Finding]]:
    """Each finding with a key of its own: of two that say the same of one file, the second is another."""
    ordinals: Counter[str] = Counter()
    for finding in findings:
        yield f"{finding.key}\x1f{ordinals[finding.key]}", finding
        ordinals[finding.key] += 1


def _open(keyed: tuple[str, Finding], known: dict[str, FixedFinding], has_before: bool, at: str) -> OpenFinding:
    """The finding, taken out of those that the night before knew."""
    key, finding = keyed
    before = known.pop(key, None)
    # On the first night everything is open and nothing is news.
    return OpenFinding(finding, before.first_seen if before else at, new=has_before and before is None)


def _remembered(opened: OpenFinding) -> FixedFinding:
    finding = opened.finding
    return FixedFinding(
        check=finding.check,
        path=finding.path,
        line=finding.line,
        option=finding.option,
        documented=finding.documented,
        actual=finding.actual,
        message=finding.message,
        first_seen=opened.first_seen,
    )
