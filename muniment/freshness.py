"""Whether what was found still stands in its file: what is indexed, compared with the sources as they are now.

Apart from the search itself, which never leaves the index; surfaces that show what was found ask for it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypedDict

from muniment.errors import SourceUnreadable
from muniment.gitrun import find_head
from muniment.store.reader import Filter, Reader
from schemas.answers import Results
from schemas.cited import Answer, Excerpt
from schemas.files import Source
from schemas.generations import SourceState
from tasks.enumerate import reader as source_reader
from tasks.identify import doc_id

SILENCE_S = 10.0
"""A question does not wait for a dead mount as long as a run does."""

Place = tuple[str, str]
"""Name of a source, and path in it."""


class Mark(TypedDict):
    """What hits and excerpts say of their file."""

    changed_since_index: bool | None
    gone: bool


@dataclass(frozen=True, slots=True)
class Freshness:
    """How some files stand to what is indexed of them."""

    marks: Mapping[Place, Mark]
    unchecked: Mapping[str, str]
    """Source -> why it could not be read."""

    def of(self, found: Any) -> Mark:
        """The mark for a hit or excerpt."""
        return self.marks.get((found.source, found.path), {"changed_since_index": None, "gone": False})


def mark_changes(reader: Reader, results: Results) -> Results:
    """The results, each hit marked; a source that can't be read leaves its hits unmarked and is named.

    One git process a repository while its commit is the indexed one, two otherwise; none for other sources.
    """
    fresh = compare(reader, ((hit.source, hit.path) for hit in results.hits))
    hits = tuple(replace(hit, **fresh.of(hit)) for hit in results.hits)
    return replace(results, hits=hits, unchecked=fresh.unchecked)


def mark_answer(reader: Reader, answer: Answer) -> Answer:
    """The answer, each of its citations and excerpts marked, as `mark_changes` does."""
    fresh = compare(reader, ((one.source, one.path) for one in (*answer.excerpts, *answer.citations)))

    def marked(excerpts: Iterable[Excerpt]) -> tuple[Excerpt, ...]:
        return tuple(replace(one, **fresh.of(one)) for one in excerpts)

    return replace(
        answer, excerpts=marked(answer.excerpts), citations=marked(answer.citations), unchecked=fresh.unchecked
    )


def compare(reader: Reader, places: Iterable[Place]) -> Freshness:
    """How these files stand to what the reader's generation holds of them."""
    wanted: dict[str, set[str]] = {}
    for name, path in places:
        wanted.setdefault(name, set()).add(path)
    marks: dict[Place, Mark] = {}
    unchecked: dict[str, str] = {}
    for name, paths in wanted.items():
        try:
            marks |= _compare(reader, reader.generation.sources[name], paths)
        except SourceUnreadable as why:
            unchecked[name] = why.message
    return Freshness(marks, unchecked)


def _compare(reader: Reader, state: SourceState, paths: Collection[str]) -> dict[Place, Mark]:
    if state.kind == "git":
        head = find_head(state.path, need_commit=not state.worktree, silence_s=SILENCE_S)
        if not state.worktree and head.commit == state.commit:
            return {(state.name, path): {"changed_since_index": False, "gone": False} for path in paths}
    ids = tuple(doc_id(state.name, path) for path in paths)
    rows = reader.rows("documents", ["path", "content_id", "size"], Filter(doc_ids=ids)).to_pylist()
    # A file that has grown has changed, so that it need not be read to its end.
    largest = max((row["size"] for row in rows), default=0)
    source = Source(state.name, state.path, state.kind, state.worktree, max_bytes=largest)
    present = source_reader(source).present_ids([row["path"] for row in rows])
    return {(state.name, row["path"]): _mark(row["content_id"], present.get(row["path"])) for row in rows}


def _mark(indexed: str, present: str | None) -> Mark:
    return {"changed_since_index": present != indexed, "gone": present is None}
