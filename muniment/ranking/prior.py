"""A prior from what gets used: chunks of a type that is used more than the mean come a little earlier."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from muniment.ranking.loss import why_unproven

if TYPE_CHECKING:
    from muniment.store.reader import Reader

_READ = ("by", "name", "assembled", "used", "ratio", "low")


@dataclass(frozen=True, slots=True)
class Prior:
    """What is added to the score of a chunk."""

    strength: float
    """The most."""
    shares: Mapping[tuple[str, str], float]
    """(type or kind, its name) -> which part of that, 0..1; only of those with enough data."""

    def boost(self, row: Mapping[str, Any]) -> float:
        """Never below 0: what is used less is left where it stands."""
        by_kind = self.shares.get(("kind", row["kind"]), 0.0)
        return self.strength * self.shares.get(("type", row["type"]), by_kind)


class Chosen(NamedTuple):
    """The prior of an index, or why there is none."""

    prior: Prior | None
    why: str
    """Empty where there is one, and where none was asked for."""


def make_prior(effects: Iterable[Mapping[str, Any]], strength: float) -> Prior | None:
    """The prior from rows of the effectiveness table; None where none of them has enough data.

    A name gets all of the strength once the lower end of its interval is twice the mean ratio, and nothing while that
    end is under the mean: what may be chance moves nothing.
    """
    known = [row for row in effects if row["ratio"] is not None and row["by"] in ("type", "kind")]
    assembled, used = (sum(row[name] for row in known if row["by"] == "type") for name in ("assembled", "used"))
    if not used:
        return None
    mean = used / assembled
    return Prior(strength, {(row["by"], row["name"]): min(1.0, max(0.0, row["low"] / mean - 1)) for row in known})


def read_prior(reader: Reader, strength: float) -> Prior | None:
    """The prior from what the index holds of effectiveness."""
    return make_prior(reader.rows("effectiveness", _READ).to_pylist(), strength) if strength else None


def choose_prior(reader: Reader, home: Path, strength: float) -> Chosen:
    """The prior of the settings, where `muniment eval` showed that it loses nothing in this index."""
    if not strength:
        return Chosen(None, "")
    if why := why_unproven(home, reader.generation.fingerprint, strength):
        return Chosen(None, why)
    prior = read_prior(reader, strength)
    return Chosen(prior, "" if prior else "there is not enough data on what was used")
