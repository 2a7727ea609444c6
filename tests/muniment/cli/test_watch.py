"""`muniment watch`, in a process of its own: what is written is found, and nothing ends it but an interrupt."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from muniment.errors import INTERRUPTED
from tests.conftest import commit_all, make_repo, write
from tests.flows.conftest import until

pytestmark = pytest.mark.usefixtures("words_only")

NOTES = {f"birds/{name}.md": f"# {name}\n\nThe {name} sleeps.\n" for name in ("heron", "kestrel", "wren")}


@pytest.fixture
def vault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    settings = tmp_path / "muniment.toml"
    settings.write_text('[[sources]]\nname = "notes"\nkind = "vault"\npath = "vault"\n')
    monkeypatch.setenv("MUNIMENT_CONFIG", str(settings))
    write(tmp_path / "vault", NOTES)
    return tmp_path / "vault"


@pytest.fixture
def watcher(tmp_path: Path) -> Iterator[Callable[..., subprocess.Popen[str]]]:
    """Starts `muniment watch`, and ends it after the test."""
    started: list[subprocess.Popen[str]] = []

    def start(*words: object) -> subprocess.Popen[str]:
        command = [sys.executable, "-m", "muniment", "watch", "--settle-ms", "50", *map(str, words)]
        with (tmp_path / "said").open("w") as said, (tmp_path / "told").open("w") as told:
            process = subprocess.Popen(command, stdout=said, stderr=told, text=True, env=os.environ.copy())
        started.append(process)
        return process

    yield start
    for process in started:
        process.kill()
        process.wait()


def found(muniment: Any, words: str) -> list[str] | None:
    """Paths of the hits, once there are any."""
    ran = muniment("search", words, "--mode", "lexical", "--json")
    return [hit["path"] for hit in ran.json["hits"]] or None if ran.code == 0 else None


def gone(muniment: Any, words: str) -> bool | None:
    return not found(muniment, words) or None


def test_a_note_written_now_is_found(muniment: Any, vault: Path, watcher: Any, tmp_path: Path) -> None:
    watcher()
    assert until(lambda: found(muniment, "kestrel")) == ["birds/kestrel.md"]
    write(vault, {"owl.md": "The owl hoots at the pelican.\n"})
    assert until(lambda: found(muniment, "pelican")) == ["owl.md"]
    lines = until(lambda: said if len(said := (tmp_path / "said").read_text().splitlines()) == 2 else None)
    assert "notes: 3 indexed, 0 gone; 3 documents" in lines[0]
    assert "notes: 1 indexed, 0 gone; 4 documents" in lines[1]


def test_a_deleted_folder_ends_nothing(muniment: Any, vault: Path, watcher: Any) -> None:
    write(vault, {f"old/{number}.md": f"The pelican of {number}.\n" for number in range(3)})
    process = watcher()
    assert len(until(lambda: found(muniment, "pelican"))) == 3
    shutil.rmtree(vault / "old")
    until(lambda: gone(muniment, "pelican"))
    write(vault, {"old/new.md": "The stork is back.\n"})
    assert until(lambda: found(muniment, "stork")) == ["old/new.md"]
    assert process.poll() is None


def test_a_vault_that_is_away_for_a_while_keeps_its_index(
    muniment: Any, vault: Path, watcher: Any, tmp_path: Path
) -> None:
    watcher()
    until(lambda: found(muniment, "heron"))
    vault.rename(tmp_path / "elsewhere")
    until(lambda: "not indexed: can't open" in (tmp_path / "told").read_text() or None)
    assert found(muniment, "heron") == ["birds/heron.md"]
    (tmp_path / "elsewhere").rename(vault)
    write(vault, {"back.md": "The pelican is back.\n"})
    assert until(lambda: found(muniment, "pelican")) == ["back.md"]


def test_a_vault_that_lost_its_notes_is_left_to_the_operator(
    muniment: Any, vault: Path, watcher: Any, tmp_path: Path
) -> None:
    watcher()
    until(lambda: found(muniment, "heron"))
    shutil.rmtree(vault / "birds")
    told = until(lambda: said if "not indexed" in (said := (tmp_path / "told").read_text()) else None)
    assert "'muniment index --allow-shrink'" in told
    assert found(muniment, "heron") == ["birds/heron.md"]


def test_one_vault_that_is_away_keeps_no_other_from_being_indexed(
    muniment: Any, vault: Path, watcher: Any, tmp_path: Path
) -> None:
    with (tmp_path / "muniment.toml").open("a") as settings:
        settings.write('[[sources]]\nname = "stick"\nkind = "vault"\npath = "stick"\n')
    watcher()
    assert until(lambda: found(muniment, "heron")) == ["birds/heron.md"]
    write(tmp_path / "stick", {"owl.md": "The owl hoots at the pelican.\n"})
    assert until(lambda: found(muniment, "pelican")) == ["owl.md"]
    shutil.rmtree(tmp_path / "stick")
    write(vault, {"new.md": "The stork is back.\n"})
    assert until(lambda: found(muniment, "stork")) == ["new.md"]
    assert found(muniment, "pelican") == ["owl.md"]


def test_a_commit_is_indexed(muniment: Any, watcher: Any, tmp_path: Path) -> None:
    repo = make_repo(tmp_path / "repo", NOTES)
    watcher(repo / "birds")
    until(lambda: found(muniment, "heron"))
    write(repo, {"birds/owl.md": "The owl hoots at the pelican.\n"})
    commit_all(repo)
    assert until(lambda: found(muniment, "pelican")) == ["owl.md"]


def test_an_interrupt_ends_it(muniment: Any, vault: Path, watcher: Any, tmp_path: Path) -> None:
    process = watcher()
    until(lambda: found(muniment, "heron"))
    process.send_signal(signal.SIGINT)
    assert process.wait(60) == INTERRUPTED
    assert "error: interrupted" in (tmp_path / "told").read_text()


@pytest.mark.parametrize("settle", ["0", "49", "10001", "-1"])
def test_a_wait_that_is_none_is_refused(muniment: Any, vault: Path, settle: str) -> None:
    ran = muniment("watch", f"--settle-ms={settle}")
    assert (ran.code, ran.out) == (2, "")
