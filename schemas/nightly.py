"""What a night found: the index brought up to date, drift by source, what was used, and the state of the data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from schemas.claims import Finding
from schemas.effectiveness import EffectivenessReport
from schemas.quality import QualityReport
from schemas.runs import RunReport


@dataclass(frozen=True, slots=True)
class OpenFinding:
    """A finding of this night, and since which night it is known."""

    finding: Finding
    first_seen: str
    """ISO 8601, UTC: the night that first saw it."""
    new: bool


@dataclass(frozen=True, slots=True)
class FixedFinding:
    """A finding of the night before that is no longer there."""

    check: str
    path: str
    line: int
    """Where it stood when it was last seen."""
    option: str
    documented: str
    actual: str
    message: str
    first_seen: str


@dataclass(frozen=True, slots=True)
class Night:
    """The counts of one source on one night: a point of the plot."""

    at: str
    """ISO 8601, UTC."""
    source: str
    commit: str
    open: int
    new: int
    fixed: int
    agrees: int
    disagrees: int
    unknown: int


@dataclass(frozen=True, slots=True)
class SourceDrift:
    """What became of one source's findings since the night before."""

    source: str
    repository: str
    commit: str
    open: tuple[OpenFinding, ...]
    """By path and line."""
    fixed: tuple[FixedFinding, ...]
    counts: Mapping[str, int]
    """Claims by verdict."""
    files: int
    """Text files read."""
    nights: tuple[Night, ...]
    """This night and those before it, oldest first."""
    notes: tuple[str, ...] = ()

    @property
    def new(self) -> int:
        """Findings that the night before did not have."""
        return sum(one.new for one in self.open)


@dataclass(frozen=True, slots=True)
class NightlyReport:
    """One nightly run."""

    run: str
    """The run's id: a folder of `runs/`."""
    engine: str
    started_at: str
    finished_at: str
    index: RunReport
    drift: tuple[SourceDrift, ...]
    effectiveness: EffectivenessReport
    quality: QualityReport
    seconds: Mapping[str, float] = field(default_factory=dict)
    """Step -> wall time."""
    pages: Mapping[str, str] = field(default_factory=dict)
    """What was written: name -> path relative to the home."""

    @property
    def verdict(self) -> str:
        """One line that says what to look at."""
        opened = sum(len(one.open) for one in self.drift)
        if not opened:
            drift = "nothing disagrees"
        else:
            new, fixed = sum(one.new for one in self.drift), sum(len(one.fixed) for one in self.drift)
            drift = f"{opened} open: {new} new, {opened - new} still open, {fixed} fixed"
        return f"{drift}; data {self.quality.verdict}"
