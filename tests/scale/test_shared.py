"""An index shared over a bucket: pushed whole, pulled whole, and never back."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from muniment.generation import read_current
from muniment.store.bucket import Bucket, BucketChoice
from muniment.store.reader import open_reader
from tests.conftest import commit_all, write
from tests.scale.conftest import Machine, environ
from tests.scale.gate import Gate

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("words_only")]
MakeMachine = Callable[[str], Machine]


def texts(machine: Machine) -> list[str]:
    with open_reader(machine.index) as reader:
        return sorted(map(str, reader.chunks(["text"])["text"].to_pylist()))


def pointer(bucket: Bucket) -> dict[str, Any]:
    found = bucket.read("current.json")
    assert found
    values: dict[str, Any] = json.loads(found[0])
    return values


def needed(bucket: Bucket, generations: list[str]) -> set[str]:
    """The objects that these generations are read from."""
    names: set[str] = set()
    for name in generations:
        found = bucket.read(name)
        assert found
        values = json.loads(found[0])
        names |= {f"data/{values['lineage']}/{path}" for path in values["sums"]}
    return names


def test_another_machine_answers_from_what_was_pushed(machine: MakeMachine, sample: Path) -> None:
    writer, reader = machine("writer"), machine("reader")
    assert writer("index", sample).code == 0
    pulled = reader("pull", "--json")
    assert (pulled.code, pulled.json["pulled"], pulled.json["generation"]) == (0, True, 1)
    assert texts(reader) == texts(writer)
    assert reader("verify").code == 0
    found = reader("search", "mover", "--json")
    assert (found.code, len(found.json["hits"]) > 0) == (0, True)
    assert reader("pull", "--json").json["pulled"] is False


def test_only_what_is_new_is_sent(machine: MakeMachine, sample: Path, bucket: Bucket) -> None:
    writer = machine("writer")
    writer("index", sample)
    before = {one.name for one in bucket.find("data/")}
    write(sample, {"new.md": "# New\n\nA page about lighthouses.\n"})
    commit_all(sample)
    assert writer("index").code == 0
    after = {one.name for one in bucket.find("data/")}
    assert before & after
    assert after - before
    reader = machine("reader")
    reader("pull")
    assert "A page about lighthouses." in "".join(texts(reader))


def test_nothing_lies_in_the_bucket_that_no_generation_needs(
    machine: MakeMachine, sample: Path, bucket: Bucket
) -> None:
    """Neither old files nor what a push that never came to its end left there."""
    writer = machine("writer")
    bucket.write("data/0123456789abcdef/tables/left.lance/data/half.lance", b"half")
    for number in range(4):
        write(sample, {"new.md": f"# New\n\nEdition {number}.\n"})
        commit_all(sample)
        assert writer("index", sample).code == 0
    kept = [one.name for one in bucket.find("generations/")]
    assert len(kept) == 2
    assert {one.name for one in bucket.find("data/")} == needed(bucket, kept)
    bucket.write("data/0123456789abcdef/tables/left.lance/data/half.lance", b"half")
    would = writer("gc", "--json", "--dry-run").json["sizes"]
    assert would["objects in the bucket that no generation needs"] == 4
    assert writer("gc").code == 0
    assert {one.name for one in bucket.find("data/")} == needed(bucket, kept)


def test_of_two_publishers_one_wins(
    machine: MakeMachine, sample: Path, bucket: Bucket, choice: BucketChoice, emulator: str
) -> None:
    """Both began with the same generation. The one that is overtaken on its last step is told so."""
    first, second = machine("first"), machine("second")
    first("index", sample)
    second("pull")
    write(sample, {"new.md": "# New\n\nA page about lighthouses.\n"})
    commit_all(sample)
    with Gate(emulator) as gate:
        options = json.dumps(dict(choice.options) | {"endpoint": gate.url})
        overtaken = subprocess.Popen(
            [sys.executable, "-m", "muniment", "index", "--home", str(first.home), "--engine", "direct"],
            env=environ() | {"MUNIMENT_SCALE__STORAGE_OPTIONS": options},
            stderr=subprocess.PIPE,
            text=True,
        )
        while not gate.reached.wait(0.1):
            assert overtaken.poll() is None
        assert second("index").code == 0
        winner = pointer(bucket)
        gate.opened.set()
        _, said = overtaken.communicate()
    assert (overtaken.returncode, "another run has published" in said) == (75, True)
    assert pointer(bucket) == winner
    # Its next run begins with the winner's generation, and goes on from there.
    write(sample, {"newer.md": "# Newer\n\nA page about tides.\n"})
    commit_all(sample)
    assert first("index").code == 0
    assert pointer(bucket)["number"] > winner["number"]
    assert second("pull", "--json").json["pulled"] is True
    assert "A page about tides." in "".join(texts(second))


def test_who_has_not_seen_the_last_generation_is_refused(
    machine: MakeMachine, sample: Path, bucket: Bucket, choice: BucketChoice
) -> None:
    from muniment.errors import Busy
    from muniment.store.shared import push_generation

    first, second = machine("first"), machine("second")
    first("index", sample)
    second("pull")
    write(sample, {"first.md": "# First\n\nOf the first.\n"})
    commit_all(sample)
    assert first("index").code == 0
    before = pointer(bucket)
    with pytest.raises(Busy, match="another run has published"):
        push_generation(choice, second.index)
    assert pointer(bucket) == before
    # The next run of the second one begins with the first one's generation.
    write(sample, {"third.md": "# Third\n\nOf the second.\n"})
    commit_all(sample)
    assert second("index").code == 0
    now = read_current(second.index)
    assert now
    assert pointer(bucket)["number"] == now.number > int(str(before["number"]))
    assert {"# First\n\nOf the first.", "# Third\n\nOf the second."} <= set(texts(second))


def test_a_bucket_is_checked_before_anything_starts(
    machine: MakeMachine, sample: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = machine("one")
    monkeypatch.setitem(sys.modules, "obstore", None)
    ran = one("index", sample)
    assert (ran.code, "pip install 'muniment[s3]'" in ran.err) == (2, True)
    monkeypatch.setenv("MUNIMENT_SCALE__STORAGE_OPTIONS", "{}")
    ran = one("index", sample)
    assert (ran.code, "egress_ack" in ran.err) == (4, True)
    monkeypatch.setenv("MUNIMENT_SCALE__URL", "gs://bucket/docs")
    ran = one("index", sample)
    assert (ran.code, "write s3://BUCKET/PREFIX" in ran.err) == (2, True)
    assert not one.index.exists()


def test_a_bucket_that_is_away_costs_nothing_here(
    machine: MakeMachine, sample: Path, choice: BucketChoice, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = machine("one")
    assert one("index", sample).code == 0
    away = dict(choice.options) | {"endpoint": "http://127.0.0.1:9"}
    monkeypatch.setenv("MUNIMENT_SCALE__STORAGE_OPTIONS", json.dumps(away))
    ran = one("index")
    assert (ran.code, "can't be reached" in ran.err) == (13, True)
    assert "'b'" not in ran.err
    assert one("search", "mover").code == 0


def test_the_tables_in_the_bucket_are_whole(
    machine: MakeMachine, sample: Path, bucket: Bucket, choice: BucketChoice
) -> None:
    """LanceDB reads them where they lie, at the versions that the pointer leads to."""
    import lancedb

    writer = machine("writer")
    writer("index", sample)
    found = bucket.read(str(pointer(bucket)["file"]))
    assert found
    pushed = json.loads(found[0])
    tables = json.loads(pushed["generation"])["tables"]
    there = lancedb.connect(f"{choice.url}/data/{pushed['lineage']}/tables", storage_options=dict(choice.options))
    chunks = there.open_table(tables["chunks"]["name"])
    chunks.checkout(tables["chunks"]["version"])
    assert sorted(map(str, chunks.search().select(["text"]).to_arrow()["text"].to_pylist())) == texts(writer)
    assert chunks.search("mover", query_type="fts").limit(3).to_list()
