"""A run over many files goes through them in slices: less at a time, and the same index in the end."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flows.index import index
from flows.job import IndexJob
from muniment.embedders import EmbedderChoice
from muniment.runner import Direct
from muniment.store.reader import open_reader
from schemas.files import Entry, Label, Listing, Source
from schemas.runs import RunReport
from tasks.changes import SLICE_BYTES, Changes, cut_slices
from tasks.enumerate.listing import Listed
from tasks.narrow import Narrowing
from tests.conftest import commit_all, git, make_repo, write

DOC = Label("doc", "doc")
COLUMNS = {
    "documents": ["source", "path", "content_id", "title", "chunk_count"],
    "skipped": ["source", "path", "reason", "content_id"],
    "claims": ["source", "path", "line", "option", "documented", "verdict"],
}


SIZES = st.lists(st.one_of(st.just(-1), st.integers(0, SLICE_BYTES * 2)), max_size=30)


def changes(sizes: list[int], name: str) -> Changes:
    """Changed files of these sizes, and one that is gone."""
    changed = tuple((Entry(f"{number}.md", "", size=size), DOC) for number, size in enumerate(sizes))
    listed = Listed(Source(name, f"/{name}"), None, Listing(()), Narrowing(), 0)  # type: ignore[arg-type]  # nothing is read here
    return Changes(listed, changed, ("kept.md",), (), (), ("gone.md",), ("once.md",), frozenset())


@given(st.lists(SIZES, min_size=1, max_size=3), st.integers(1, 7))
def test_each_changed_file_is_in_one_slice(sizes: list[list[int]], files: int) -> None:
    whole = [changes(own, f"s{number}") for number, own in enumerate(sizes)]
    slices = list(cut_slices(whole, files))
    for place, change in enumerate(whole):
        assert [one for part in slices for one in part[place].changed] == list(change.changed)
        assert [part[place].gone for part in slices] == [("gone.md",), *[()] * (len(slices) - 1)]
    for part in slices:
        held = [entry.size for change in part for entry, _ in change.changed]
        assert len(held) <= files
        assert len(held) <= 1 or sum(max(size, 0) for size in held) <= SLICE_BYTES


def job(home: Path, repo: Path, slice_files: int, embedder: str) -> IndexJob:
    sources = (Source("docs", str(repo)), Source("more", str(repo)))
    return IndexJob(home / "index", home / "runs", sources, EmbedderChoice(embedder), slice_files=slice_files)


def tables(home: Path, chunk_columns: tuple[str, ...]) -> dict[str, list[dict[str, Any]]]:
    """All that is published, without what depends on the moment."""
    with open_reader(home / "index") as reader:
        held = {table: reader.rows(table, columns) for table, columns in COLUMNS.items()}
        held["chunks"] = reader.chunks(chunk_columns)
    return {table: sorted(rows.to_pylist(), key=repr) for table, rows in held.items()}


def counts(report: RunReport) -> tuple[Any, ...]:
    """What the run says of itself, but for its times and numbers."""
    own = [replace(source, notes=[]) for source in report.sources]
    return (own, report.documents, report.chunks, report.chunks_written, report.embedded, report.pending)


@pytest.mark.parametrize(("embedder", "more"), [("none", ()), ("bundled", ("vector",))])
def test_slices_make_the_same_index(tmp_path: Path, embedder: str, more: tuple[str, ...]) -> None:
    of_chunks = ("chunk_id", "path", "text", *more)
    files = {f"{number}.md": f"# {number}\n\nThe port is {number} (default: {number}).\n" for number in range(9)}
    repo = make_repo(tmp_path / "repo", {**files, "run.sh": "#!/bin/sh\necho\n", "same.md": files["1.md"]})
    places = [(tmp_path / "whole", 1_000), (tmp_path / "sliced", 3)]
    first = [index(job(home, repo, size, embedder), Direct()) for home, size in places]
    assert counts(first[0]) == counts(first[1])
    assert tables(places[0][0], of_chunks) == tables(places[1][0], of_chunks)
    write(repo, {f"{number}.md": f"# {number}\n\nAnother text.\n" for number in range(5)})
    git(repo, "rm", "-q", "8.md")
    git(repo, "mv", "7.md", "seven.md")
    commit_all(repo)
    again = [index(job(home, repo, size, embedder), Direct()) for home, size in places]
    assert counts(again[0]) == counts(again[1])
    assert tables(places[0][0], of_chunks) == tables(places[1][0], of_chunks)
