"""A publisher that is killed when everything but the pointer is in the bucket."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from muniment.store.bucket import Bucket, BucketChoice
from tests.conftest import commit_all, write
from tests.scale.conftest import environ
from tests.scale.gate import Gate
from tests.scale.test_shared import MakeMachine, needed, pointer, texts


@pytest.mark.slow
@pytest.mark.usefixtures("words_only")
def test_a_killed_push_changes_nothing_and_leaves_nothing(
    machine: MakeMachine, sample: Path, bucket: Bucket, choice: BucketChoice, emulator: str
) -> None:
    first, reader = machine("first"), machine("reader")
    first("index", sample)
    reader("pull")
    before, held = pointer(bucket), texts(reader)
    write(sample, {"new.md": "# New\n\nA page about lighthouses.\n"})
    commit_all(sample)
    with Gate(emulator) as gate:
        options = json.dumps(dict(choice.options) | {"endpoint": gate.url})
        command = [sys.executable, "-m", "muniment", "index", "--home", str(first.home), "--engine", "direct"]
        run = subprocess.Popen(command, env=environ() | {"MUNIMENT_SCALE__STORAGE_OPTIONS": options})
        while not gate.reached.wait(0.1):
            assert run.poll() is None
        run.kill()
        run.wait()
        assert pointer(bucket) == before
    left = {one.name for one in bucket.find("data/")} - needed(bucket, [before["file"]])
    assert left
    assert reader("pull", "--json").json["pulled"] is False
    assert texts(reader) == held
    # The next run publishes what the killed one did not, and clears up after it.
    assert first("index").code == 0
    assert reader("pull", "--json").json["pulled"] is True
    assert "A page about lighthouses." in "".join(texts(reader))
    kept = [one.name for one in bucket.find("generations/")]
    assert {one.name for one in bucket.find("data/")} == needed(bucket, kept)
