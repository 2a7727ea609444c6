"""What a verification found, and what it looked at."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, TypeVar

from muniment.errors import ForeignIndex
from schemas.damage import Extent
from schemas.stated import SHOWN

T = TypeVar("T")

REPAIR = "muniment repair"
Remedy = Literal[
    "documents", "table", "search index", "publish again", "pointer", "marks", "cache", "seen", "record", "give up"
]
"""What a repair does: cut some documents anew; make a table anew; make the search indexes anew; publish the same tables
with new checksums; write the pointer anew; drop marks on versions; drop vectors; drop what was seen; drop the record of
a run; give an earlier generation up."""
SHOWN_PLACES = 5
"""So many rows of one table are named for one fault."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that is not as it was published."""

    part: str
    """pointer, files, rows, vectors, words, counts, cache or seen."""
    place: str
    """The table, or the file with its path in the index folder."""
    said: str
    count: int = 1
    """Rows or files that it holds of."""
    samples: tuple[str, ...] = ()
    """Some of them; a withheld document is not named."""
    remedy: Remedy = "documents"
    mend: str = REPAIR
    """The command that mends it."""


@dataclass(slots=True)
class Verified:
    """One verification."""

    generation: int
    """0 where none can be read."""
    deep: bool
    findings: list[Finding] = field(default_factory=list)
    looked: dict[str, int] = field(default_factory=dict)
    """What was looked at, and how much of it."""
    unchecked: dict[str, str] = field(default_factory=dict)
    """What could not be compared, and why: no fault of the index."""
    extent: Extent = field(default_factory=Extent)
    """How far what is wrong with rows and tables reaches."""

    @property
    def ok(self) -> bool:
        """Whether all is as it was published."""
        return not self.findings

    @property
    def remedies(self) -> set[Remedy]:
        """What the findings call for."""
        return {finding.remedy for finding in self.findings}

    def as_document(self) -> dict[str, Any]:
        """The verification as `--json` has it."""
        return {"ok": self.ok, **{name: value for name, value in asdict(self).items() if name != "extent"}}


class Faults:
    """Rows that a fault holds of, counted; the first few are named, and what they belong to goes into the extent."""

    def __init__(self, part: str, table: str, extent: Extent, whole: str = "") -> None:
        """`whole` names the table where all of it is made anew for a fault of one row."""
        self._part = part
        self._table = table
        self._extent = extent
        self._whole = whole
        self._counts: dict[str, int] = {}
        self._samples: dict[str, list[str]] = {}

    def add(self, said: str, place: str, row: Mapping[str, Any], *others: str) -> None:
        """Books one row, which has at least doc_id and source; `others` are more ids that it may belong to."""
        self._counts[said] = self._counts.get(said, 0) + 1
        samples = self._samples.setdefault(said, [])
        if len(samples) < SHOWN_PLACES:
            samples.append(place)
        if self._whole:
            self._extent.tables.add(self._whole)
        else:
            self._extent.documents |= dict.fromkeys((row["doc_id"], *others), row["source"])

    def findings(self) -> list[Finding]:
        """One finding for each thing said."""
        remedy: Remedy = "table" if self._whole else "documents"
        return [
            Finding(self._part, self._table, said, count, tuple(self._samples[said]), remedy)
            for said, count in self._counts.items()
        ]


def looked_twice(look: Callable[[], T]) -> T:
    """What is seen, if need be at a second look; raises what that raises.

    For what no reader holds: a run that ends just now may take a file away between its listing and its reading.
    """
    try:
        return look()
    except ForeignIndex:
        return look()


def place_of(source: str, path: str, sensitivity: str, line: int = 0) -> str:
    """How a document is named: not at all, where it is withheld from readers."""
    if sensitivity not in SHOWN:
        return f"{source}: a withheld document"
    return f"{source}:{path}:{line}" if line else f"{source}:{path}"
