"""The secrets step: chunks that look like holding a key go no further, and are listed instead."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from schemas.columns import DOCUMENTS, arrow_schema
from schemas.files import Skipped
from tasks.changes import Changes
from tasks.chunk.files import Chunked
from tasks.secrets.keys import REASON, Key, find_keys

if TYPE_CHECKING:
    import pyarrow as pa

TEMPLATE = "template"
_TITLES = ("section", "title", "heading_path", "context")
_STATED = ("title", "correspondent", "tags")


def withhold_secrets(changes: Sequence[Changes], chunked: Sequence[Chunked]) -> list[Chunked]:
    """What was cut of each source without the chunks that look like holding a key.

    A document says in `secrets` which lines of it are missing and why; one of which nothing is left is skipped. Ids and
    ordinals of the other chunks stay as they are. Sources whose settings want no such look pass as they came.
    """
    return [
        _withheld(cut) if change.listed.source.withhold_secrets else cut
        for change, cut in zip(changes, chunked, strict=True)
    ]


def withheld_lines(secrets: str | None) -> set[int]:
    """The numbers of the lines that a document's `secrets` name."""
    lines: set[int] = set()
    for one in (secrets or "").split(", "):
        first, _, last = one.partition(" ")[0].partition("-")
        if first:
            lines.update(range(int(first), int(last or first) + 1))
    return lines


@dataclass(frozen=True, slots=True)
class _Cut:
    """A chunk, as far as the step looks at it."""

    place: int
    """Its row."""
    line_start: int
    line_end: int
    text: str
    titles: str
    """All that it says of the headings above it."""


def _withheld(cut: Chunked) -> Chunked:
    import pyarrow as pa

    cuts = _by_document(cut.chunks)
    documents: list[dict[str, Any]] = []
    skipped: list[Skipped] = []
    away: set[int] = set()
    for row in cut.documents.to_pylist():
        own = cuts.get(row["doc_id"], [])
        keys = find_keys("\n".join(one.text for one in own), template=row["kind"] == TEMPLATE)
        found = dict(_kinds(own, keys))
        listed = ", ".join(_listed(one, found[one.place]) for one in own if one.place in found)
        away.update(found)
        if len(found) == len(own):
            skipped.append(Skipped(row["path"], REASON, f"lines {listed}", row["content_id"]))
        else:
            left = len(own) - len(found)
            documents.append({**row, **_without_keys(row), "chunk_count": left, "secrets": listed})
    kept = pa.array([place not in away for place in range(cut.chunks.num_rows)], pa.bool_())
    return replace(
        cut,
        documents=pa.Table.from_pylist(documents, arrow_schema(DOCUMENTS)),
        chunks=cut.chunks.filter(kept),
        skipped=(*cut.skipped, *skipped),
    )


def _by_document(chunks: pa.Table) -> dict[str, list[_Cut]]:
    columns = ("doc_id", "line_start", "line_end", "text", *_TITLES)
    cuts: dict[str, list[_Cut]] = {}
    for place, row in enumerate(zip(*(chunks[name].to_pylist() for name in columns), strict=True)):
        doc_id, line_start, line_end, text, *titles = row
        cuts.setdefault(doc_id, []).append(_Cut(place, line_start, line_end, text, "\n".join(titles)))
    return cuts


def _kinds(cuts: Iterable[_Cut], keys: Sequence[Key]) -> Iterator[tuple[int, str]]:
    """The row of each chunk that holds a key or a part of one, also in its headings, and of what kind it is."""
    kinds: dict[int, str] = {}
    for key in keys:
        for line in range(key.start, key.end + 1):
            kinds.setdefault(line, key.kind)
    titled: dict[str, str] = {}
    first = 0
    for cut in cuts:
        after = first + cut.text.count("\n") + 1
        if cut.titles not in titled:
            titled[cut.titles] = next((key.kind for key in find_keys(cut.titles)), "")
        held = (kinds[line] for line in range(first, after) if line in kinds) if kinds else iter(())
        if kind := next(held, titled[cut.titles]):
            yield cut.place, kind
        first = after


def _listed(cut: _Cut, kind: str) -> str:
    lines = f"{cut.line_start}-{cut.line_end}" if cut.line_end > cut.line_start else str(cut.line_start)
    return f"{lines} {kind}"


def _without_keys(row: Mapping[str, Any]) -> dict[str, str | None]:
    """What takes the place of a title, a correspondent or tags that hold a key."""
    held = (name for name in _STATED if row[name] and find_keys(row[name]))
    return {name: PurePosixPath(row["path"]).name if name == "title" else None for name in held}
