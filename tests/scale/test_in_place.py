"""An index read in its bucket: every door answers, and nothing of it comes to this machine's disk."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from muniment import Index, open_index
from muniment.errors import NoIndex, Reclaimed, UsageError
from muniment.store.bucket import Bucket, BucketChoice
from muniment.store.in_place import BucketGenerations
from muniment.store.kept import reopening
from muniment.store.reader import open_reader
from tests.conftest import write
from tests.muniment.http.doors import QUESTION, opened
from tests.muniment.mcp.agents import over_stdio
from tests.scale.conftest import Machine
from tests.scale.reading import Requests, Shelf

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("words_only")]
TIMES = {"assembly", "elapsed_ms", "seconds"}


@pytest.fixture
def index(reader: Machine) -> Iterator[Index]:
    with open_index(reader.home) as found:
        yield found


@pytest.fixture
def requests(emulator: str) -> Requests:
    return Requests(emulator)


def same(reply: Any) -> Any:
    """A reply without what differs from one question to the next."""
    return {key: value for key, value in reply.items() if key not in TIMES}


@pytest.mark.parametrize(
    "words",
    [
        ("search", "heron"),
        ("search", "heron", "--kind", "doc", "--path", "docs/"),
        ("search", "copy in hand", "--section", "operational safeguards"),
        ("ask", QUESTION),
    ],
    ids=" ".join,
)
def test_commands_answer_as_from_the_disk(
    reader: Machine, shelf: Shelf, words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    found = reader(*words, "--json")
    assert (found.code, found.err) == (0, "")
    assert not reader.index.exists()
    monkeypatch.delenv("MUNIMENT_SCALE__READ_IN_PLACE")
    assert same(found.json) == same(shelf.writer(*words, "--json").json)


def test_status_says_where_it_reads(reader: Machine, shelf: Shelf, choice: BucketChoice) -> None:
    shelf.publish("A page about lighthouses.")
    said = reader("status")
    assert said.code == 0
    assert f"index       {choice.url}, read in place" in said.out
    assert "generation  2, published" in said.out
    assert "kept        1, published" in said.out
    assert reader("status", "--json").json["index"] == choice.url


def test_every_method_of_python_answers(index: Index) -> None:
    hit = index.search("never sleeps").hits[0]
    assert hit.path == "docs/heron.md"
    assert index.read(hit.chunk_id).text == hit.text
    assert "never sleeps" in index.assemble("never sleeps").text
    assert [one.option for source in index.drift().claims for one in source.disputes] == ["KESTREL_GRACE"]
    status = index.status()
    assert (status.number, [one.number for one in status.kept]) == (1, [1])
    answer = index.ask(QUESTION)
    assert [dispute.actual for dispute in answer.disputes] == ["120"]


def test_http_answers_and_says_that_it_can(reader: Machine) -> None:
    with opened(reader.home) as door:
        assert door.get("/readyz").status_code == 200
        assert door.get("/api/search?q=heron").json()["hits"]
        assert door.get("/api/index/status").json()["number"] == 1
        (first, *_) = door.get("/api/documents?limit=1").json()["documents"]
        assert door.get(f"/api/documents/{first['doc_id']}").json()["chunks"]
        assert "muniment_generation 1.0" in door.get("/metrics").text
    assert not reader.index.exists()


def test_an_agent_is_answered(reader: Machine, choice: BucketChoice) -> None:
    options = "".join(f"{name} = {json.dumps(value)}\n" for name, value in choice.options)
    settings = f'[scale]\nurl = "{choice.url}"\nread_in_place = true\n[scale.storage_options]\n{options}'
    write(reader.home, {"config/muniment/muniment.toml": settings})
    with over_stdio(reader.home) as agent:
        assert agent.told("search", question="never sleeps")["hits"][0]["path"] == "docs/heron.md"
        assert agent.told("status")["number"] == 1
    assert not reader.index.exists()


def test_a_filter_that_nothing_has_is_named(reader: Machine) -> None:
    ran = reader("search", "heron", "--section", "slep")
    assert (ran.code, "did you mean 'Sleep'?" in ran.err) == (2, True)


def test_a_second_question_asks_once_what_is_current(index: Index, requests: Requests) -> None:
    index.search("heron")
    requests.begin()
    index.search("wren")
    asked = requests.counted()
    assert (asked["pointer"], asked["list"], asked["PUT"]) == (1, 0, 0)
    assert asked["object"] <= 20


def test_a_small_index_is_fetched_once(index: Index, requests: Requests) -> None:
    """From the fourth question on nothing but the pointer is asked for, whatever the words."""
    for words in ("heron", "wren", "kestrel"):
        index.search(words)
    requests.begin()
    for words in ("heron", "wren", "kestrel", "finch"):
        index.search(words)
    asked = requests.counted()
    assert (asked["pointer"], asked["list"]) == (4, 0)
    assert asked["object"] <= 4


def test_a_new_generation_is_seen_at_once(index: Index, shelf: Shelf) -> None:
    assert not index.search("lighthouses").hits
    shelf.publish("A page about lighthouses.")
    found = index.search("lighthouses")
    assert (found.generation, [hit.path for hit in found.hits]) == (2, ["new.md"])


def test_an_earlier_generation_answers_as_long_as_it_is_kept(reader: Machine, shelf: Shelf, bucket: Bucket) -> None:
    shelf.publish("A page about lighthouses.")
    # What a run pushed that another one overtook was never published.
    bucket.write("generations/00000001-ffffffff.json", b"{}")
    assert reader("search", "lighthouses", "--as-of", "1", "--json").json["hits"] == []
    assert len(reader("search", "lighthouses", "--json").json["hits"]) == 1
    ran = reader("search", "lighthouses", "--as-of", "7")
    assert (ran.code, "generation 7 is not kept" in ran.err, "kept are: 2, 1;" in ran.err) == (2, True, True)


def test_a_question_whose_generation_is_removed_goes_to_the_newest(
    reader: Machine, shelf: Shelf, choice: BucketChoice
) -> None:
    generations = BucketGenerations(choice)
    asked = 0

    @reopening
    def read() -> tuple[int, list[str]]:
        nonlocal asked
        generations.current()
        with generations.open() as found:
            if not asked:
                asked += 1
                for text in ("One.", "Two.", "Three."):
                    shelf.publish(text)
            paths = found.rows("documents", ["path"])["path"].to_pylist()
            return found.generation.number, sorted(map(str, paths))

    number, paths = read()
    assert (number, "new.md" in paths) == (4, True)


def test_who_goes_on_reading_what_was_removed_is_told_so(shelf: Shelf, reader: Machine, choice: BucketChoice) -> None:
    with BucketGenerations(choice).open() as found:
        for text in ("One.", "Two.", "Three."):
            shelf.publish(text)
        with pytest.raises(Reclaimed, match="generation 1 was removed from"):
            found.rows("documents", ["path"])


def test_an_open_index_outlives_what_it_read(index: Index, shelf: Shelf) -> None:
    index.search("heron")
    for text in ("One.", "Two.", "Three."):
        shelf.publish(text)
    assert index.search("three", mode="lexical").hits[0].path == "new.md"
    with pytest.raises(UsageError, match="generation 1 is not kept"):
        index.search("heron", as_of=1)


def test_before_the_first_push_there_is_no_index(
    machine: Callable[[str], Machine], choice: BucketChoice, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MUNIMENT_SCALE__READ_IN_PLACE", "true")
    for command in (("search", "heron"), ("status",), ("verify",)):
        ran = machine("reader")(*command)
        assert (ran.code, f"nothing was pushed to '{choice.url}' yet" in ran.err) == (10, True)
    with pytest.raises(NoIndex):
        open_index()


def test_in_place_needs_a_bucket(reader: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MUNIMENT_SCALE__URL")
    ran = reader("search", "heron")
    assert (ran.code, "read_in_place needs a bucket" in ran.err) == (2, True)


@pytest.mark.parametrize("command", ["gc", "repair"])
def test_commands_that_need_files_say_so(reader: Machine, command: str) -> None:
    ran = reader(command)
    assert (ran.code, "it is read in place" in ran.err, "muniment pull" in ran.err) == (10, True, True)


def test_a_writer_that_reads_in_place_still_writes(reader: Machine, shelf: Shelf) -> None:
    shelf.publish("A page about lighthouses.")
    with open_reader(shelf.writer.index) as on_disk:
        assert on_disk.generation.number == 2
    assert shelf.writer("gc").code == 0
    assert shelf.writer("search", "lighthouses", "--json").json["generation"] == 2
