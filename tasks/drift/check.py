"""The check-claims step: the verdict on every claim of the indexed documents, as rows of the claims table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from schemas.claims import Judgement
from schemas.columns import CLAIMS, arrow_schema
from schemas.stated import SHOWN
from tasks.changes import Rows
from tasks.drift.facts import gather_facts
from tasks.drift.find import judge_all
from tasks.identify import claim_id, doc_id

if TYPE_CHECKING:
    import pyarrow as pa

    from tasks.enumerate.listing import Listed

FACTS_FILE = "facts.sqlite"

Verdicts = Mapping[str, Mapping[str, Any]]
"""Claim id -> its row in the published table."""


@dataclass(frozen=True, slots=True)
class Standing:
    """What the claims step knows besides the files."""

    documents: Mapping[str, frozenset[str]]
    """Source -> paths that are indexed and not withheld: claims of other files are left out; truths are read from all
    of a repository's files."""
    published: Verdicts
    seen: Path
    """Folder of what earlier runs saw."""
    now: datetime
    order: tuple[str, ...] = ()
    """Names of truth readers that win over the others."""


@dataclass(frozen=True, slots=True)
class Checked:
    """The claims of one source."""

    source: str
    rows: pa.Table
    """Every claim of its indexed documents, with the schema of `CLAIMS`."""
    changed: bool
    """Whether anything but `last_seen` differs from the published rows."""

    @property
    def counts(self) -> dict[str, int]:
        """Claims by verdict."""
        return dict(Counter(map(str, self.rows["verdict"].to_pylist())))


def standing(tables: Rows, seen: Path, order: Sequence[str] = ()) -> Standing:
    """What the tables hold now."""
    documents: dict[str, set[str]] = {}
    for row in tables.rows("documents", ["source", "path", "sensitivity"]).to_pylist():
        if row["sensitivity"] in SHOWN:  # a claim has no sensitivity to be withheld by
            documents.setdefault(row["source"], set()).add(row["path"])
    published = {row["claim_id"]: row for row in tables.rows("claims", [one.name for one in CLAIMS]).to_pylist()}
    held = {source: frozenset(paths) for source, paths in documents.items()}
    return Standing(held, published, seen, datetime.now(UTC), tuple(order))


def check_claims(listed: Sequence[Listed], standing: Standing) -> list[Checked]:
    """The claims of each source, in the order given; a verdict that stands since an earlier run keeps `first_seen`."""
    return [_check(one, standing) for one in listed]


def _check(listed: Listed, standing: Standing) -> Checked:
    import pyarrow as pa

    name, published = listed.source.name, standing.published
    documents = standing.documents.get(name, frozenset())
    entries = listed.listing.entries
    if listed.source.kind != "git":
        # What lies in a folder beside the documents is anybody's: attachments, or what is kept out of the index.
        entries = tuple(entry for entry in entries if entry.path in documents)
    if listed.source.kind == "archive":
        entries = ()  # a bill states what was the case, and no default of a program
    facts = gather_facts(listed.files, entries, standing.seen / FACTS_FILE, name)
    claims = [claim for path, own in facts.items() if path in documents for claim in own.claims]
    truths = [truth for own in facts.values() for truth in own.truths]
    judged = [one for one in judge_all(claims, truths, standing.order) if one.claim.path in documents]
    rows = list(_rows(name, judged, standing))
    before = {key for key, row in published.items() if row["source"] == name}
    changed = before != {row["claim_id"] for row in rows} or any(row != _as_now(row, published) for row in rows)
    return Checked(name, pa.Table.from_pylist(rows, arrow_schema(CLAIMS)), changed)


def _rows(source: str, judged: Sequence[Judgement], standing: Standing) -> Iterator[dict[str, Any]]:
    ordinals: Counter[tuple[str, ...]] = Counter()
    for one in judged:
        claim = one.claim
        said = (claim.path, claim.option, claim.shape, claim.documented)
        key = claim_id(source, claim.path, said[1:], ordinals[said])
        ordinals[said] += 1
        row = _row(source, one, key)
        old = standing.published.get(key, {})
        stands = (old.get("verdict"), old.get("actual")) == (row["verdict"], row["actual"])
        yield {**row, "first_seen": old["first_seen"] if stands else standing.now, "last_seen": standing.now}


def _row(source: str, judgement: Judgement, key: str) -> dict[str, Any]:
    claim, truth = judgement.claim, judgement.truth
    return {
        "claim_id": key,
        "doc_id": doc_id(source, claim.path),
        "source": source,
        "path": claim.path,
        "line": claim.line,
        "option": claim.option,
        "documented": claim.documented,
        "actual": truth.value if truth else "",
        "truth_path": truth.path if truth else "",
        "truth_line": truth.line if truth else 0,
        "reader": truth.reader if truth else "",
        "shape": claim.shape,
        "verdict": judgement.verdict,
        "reason": judgement.reason,
    }


def _as_now(row: Mapping[str, Any], published: Verdicts) -> dict[str, Any]:
    """The published row, as if it had been seen now."""
    return {**published.get(row["claim_id"], {}), "last_seen": row["last_seen"]}
