"""The sample corpus, indexed with its vectors and open for reading."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from pathlib import Path

from flows.index import index
from flows.job import IndexJob
from muniment.embedders import EmbedderChoice
from muniment.runner import Direct
from muniment.store.reader import Reader, open_reader
from schemas.files import Source
from tests.conftest import SAMPLE, make_repo


@contextlib.contextmanager
def indexed_sample(place: Path, part: Sequence[str] = ()) -> Iterator[Reader]:
    """A reader of the whole sample corpus, or of these files of it; everything is made in `place`."""
    files = {str(path.relative_to(SAMPLE)): path for path in SAMPLE.rglob("*") if path.is_file()}
    chosen = {name: path.read_bytes() for name, path in files.items() if not part or name in part}
    repo = make_repo(place / "ops", chosen)
    index(IndexJob(place / "index", place / "runs", (Source("ops", str(repo)),), EmbedderChoice()), Direct())
    with open_reader(place / "index") as reader:
        yield reader
