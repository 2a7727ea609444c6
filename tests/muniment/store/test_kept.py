"""Readers kept open: one a generation, held as long as somebody needs it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from muniment.errors import NoIndex, UsageError
from muniment.generation import kept_generations
from muniment.store.generations import FolderGenerations
from muniment.store.kept import KeptReaders
from muniment.store.reader import Reader
from tests.conftest import commit_all, make_repo, write
from tests.muniment.http.doors import index_repo


class Place:
    """A repository that can be published again and again."""

    def __init__(self, folder: Path) -> None:
        self.home = folder / "home"
        self.index = self.home / "index"
        self._repo = make_repo(folder / "repo", {"a.md": "# A\n\nText.\n"})

    def publish(self, text: str) -> int:
        write(self._repo, {"a.md": f"# A\n\n{text}\n"})
        commit_all(self._repo)
        return index_repo(self.home, self._repo)

    def kept(self) -> list[int]:
        return [one.number for one in kept_generations(self.index)]


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


@pytest.fixture
def readers(place: Place) -> Iterator[KeptReaders]:
    made = KeptReaders(FolderGenerations(place.index))
    yield made
    made.close()


def texts(reader: Reader) -> str:
    return "\n".join(map(str, reader.chunks(["text"])["text"].to_pylist()))


def test_one_reader_serves_until_the_next_generation(place: Place, readers: KeptReaders) -> None:
    with pytest.raises(NoIndex), readers.open():
        pass
    place.publish("one")
    with readers.open() as first, readers.open() as again:
        assert first is again
    number = place.publish("two")
    with readers.open() as second:
        assert (second is first, second.generation.number) == (False, number)


def test_a_generation_in_use_is_not_reclaimed(place: Place, readers: KeptReaders) -> None:
    first = place.publish("one")
    with readers.open() as reader:
        place.publish("two")
        with readers.open():
            pass
        place.publish("three")
        assert first in place.kept()
        assert texts(reader) == "# A\n\none"
    readers.let_go()
    last = place.publish("four")
    assert place.kept() == [last]


def test_a_lease_outlasts_its_reader(place: Place, readers: KeptReaders) -> None:
    first = place.publish("one")
    with readers.open():
        readers.lease(first, 3_600)
    place.publish("two")
    place.publish("three")
    readers.let_go()
    with readers.open(first) as reader:
        assert reader.generation.number == first
    readers.lease(first, -1)
    readers.let_go()
    place.publish("four")
    with pytest.raises(UsageError, match="not kept"), readers.open(first):
        pass


def test_an_index_made_anew_is_read_anew(place: Place, readers: KeptReaders) -> None:
    place.publish("one")
    with readers.open() as reader:
        assert reader.generation.number == 1
    shutil.rmtree(place.home)
    place.publish("other")
    with readers.open() as reader:
        assert reader.generation.number == 1
        assert texts(reader) == "# A\n\nother"
