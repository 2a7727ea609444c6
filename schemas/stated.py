"""What is stated of a document beside its text: title, date, correspondent, tags, sensitivity."""

from __future__ import annotations

import datetime
from dataclasses import dataclass, fields

SENSITIVITIES: dict[str, str] = {
    "public": "anybody may see it",
    "internal": "for those who have the index",
    "confidential": "withheld from every answer and count, unless archive.admit_sensitive",
    "restricted": "withheld as well; what states a word that is none of these is treated as this",
}
"""From the mildest to the strictest."""

WITHHELD = ("confidential", "restricted")
SHOWN = ("", *(word for word in SENSITIVITIES if word not in WITHHELD))
"""What everybody who has the index is shown; empty where nothing is stated."""


@dataclass(frozen=True, slots=True)
class Stated:
    """What one place states of a document; empty fields state nothing."""

    title: str = ""
    doc_date: datetime.date | None = None
    correspondent: str = ""
    """Who wrote it, or whom it was written to."""
    tags: tuple[str, ...] = ()
    sensitivity: str = ""
    """A key of SENSITIVITIES."""
    faults: tuple[str, ...] = ()
    """What is written there and can't be understood."""

    def over(self, other: Stated) -> Stated:
        """Both together: this one's fields win, but for the sensitivity, of which the stricter one does."""
        own = {
            field.name: getattr(self, field.name) or getattr(other, field.name)
            for field in fields(self)
            if field.name not in ("sensitivity", "faults")
        }
        return Stated(
            **own,
            sensitivity=max(self.sensitivity, other.sensitivity, key=strictness),
            faults=self.faults + other.faults,
        )


NOTHING_STATED = Stated()


def strictness(sensitivity: str) -> int:
    """How strict a sensitivity is; -1 for none."""
    return list(SENSITIVITIES).index(sensitivity) if sensitivity else -1
