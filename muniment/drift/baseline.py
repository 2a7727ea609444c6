"""The baseline: findings that are known, kept in a file of the operator's, and silenced."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from muniment.errors import UsageError
from muniment.inert import write_json
from schemas.claims import DriftReport, Finding

VERSION = 1
_FIELDS = ("check", "path", "option", "documented", "actual")
"""What makes up `Finding.key`; the line is none of it, or every line added above would unsilence."""

Key = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Baseline:
    """How often each finding is known."""

    known: Mapping[Key, int] = field(default_factory=dict)

    def silence(self, report: DriftReport) -> DriftReport:
        """The report without what is known; of findings alike, the first are."""
        left = Counter(self.known)
        shown = [finding for finding in report.findings if not _take(left, _key(finding))]
        silenced = report.silenced + len(report.findings) - len(shown)
        return replace(report, findings=tuple(shown), silenced=silenced)

    def stale(self, findings: Iterable[Finding], checks: Collection[str]) -> int:
        """How many entries of these checks are no longer found."""
        gone = Counter({key: count for key, count in self.known.items() if key[0] in checks})
        return (gone - Counter(map(_key, findings))).total()


def baseline_of(findings: Iterable[Finding]) -> Baseline:
    """The baseline that knows these findings and no other."""
    return Baseline(Counter(map(_key, findings)))


def read_baseline(path: Path) -> Baseline:
    """The baseline in a file. Raises UsageError when it is missing or is none."""
    try:
        known = _parse(json.loads(path.read_bytes()))
    except OSError as error:
        raise UsageError(f"can't read baseline '{path}': {error.strerror}", _HINT) from error
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise UsageError(f"'{path}' is no baseline", _HINT) from error
    return Baseline(known)


_HINT = "write it anew with --write-baseline"


def write_baseline(path: Path, baseline: Baseline) -> None:
    """Writes the file, sorted so that a diff of it can be read. Raises UsageError when it can't be written."""
    entries = [{**dict(zip(_FIELDS, key, strict=True)), "count": baseline.known[key]} for key in sorted(baseline.known)]
    text = write_json({"version": VERSION, "findings": entries}, indent=1) + "\n"
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise UsageError(f"can't write baseline '{path}': {error.strerror}", "check --write-baseline") from error


def _parse(document: Any) -> dict[Key, int]:
    if document["version"] != VERSION:
        raise ValueError(document["version"])
    known: Counter[Key] = Counter()
    for entry in document["findings"]:
        key, count = tuple(entry[name] for name in _FIELDS), entry["count"]
        if not all(isinstance(part, str) for part in key) or type(count) is not int or count < 1:
            raise ValueError(entry)
        known[key] += count
    return dict(known)


def _key(finding: Finding) -> Key:
    return tuple(getattr(finding, name) for name in _FIELDS)


def _take(left: Counter[Key], key: Key) -> bool:
    if left[key] < 1:
        return False
    left[key] -= 1
    return True
