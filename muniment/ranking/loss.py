"""Whether the prior loses anything: what `muniment eval` found, kept beside the reports, and asked by every search."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from muniment.inert import write_json

FILE = Path("reports", "prior-eval.json")
"""In the home."""
FEWEST = 20
"""Questions under which an evaluation shows nothing."""


@dataclass(frozen=True, slots=True)
class Trial:
    """An evaluation of hybrid search with the prior against hybrid search without."""

    fingerprint: str
    prior: float
    questions: int
    mean: float
    """Difference in nDCG@10; above 0 the prior is better."""
    low: float
    """Its paired bootstrap interval (95 %)."""
    high: float
    at: str
    """When, in UTC."""


def keep_trial(home: Path, trial: Trial) -> Path:
    """Writes the evaluation in place of the last one, and returns the file. Raises OSError."""
    file = home / FILE
    file.parent.mkdir(parents=True, exist_ok=True)
    beside = file.with_name(f".{file.name}.new")
    beside.write_text(write_json(asdict(trial), indent=1) + "\n", encoding="utf-8")
    return beside.replace(file)


def why_unproven(home: Path, fingerprint: str, prior: float) -> str:
    """Why the last evaluation does not allow this prior; empty where it does: its mean difference is no loss."""
    how = f"run 'muniment eval --prior {prior:g} FILE'"
    trial = _last(home)
    if trial is None:
        return f"no evaluation shows that it loses nothing; {how}"
    if (trial.get("fingerprint"), trial.get("prior")) != (fingerprint, prior):
        return f"the last evaluation was of another prior or another index; {how}"
    questions, mean = trial.get("questions"), trial.get("mean")
    if not isinstance(questions, int) or questions < FEWEST:
        return f"the last evaluation asked fewer than {FEWEST} questions"
    if not isinstance(mean, (int, float)) or not mean >= 0:
        return "the last evaluation shows a loss"
    return ""


def _last(home: Path) -> dict[str, Any] | None:
    try:
        trial = json.loads((home / FILE).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return trial if isinstance(trial, dict) else None
