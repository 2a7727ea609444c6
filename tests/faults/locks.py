"""Runs that hold the writer's lock for as long as a test wants, and other programs that do."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event

from tests.faults.processes import PATIENCE_S
from tests.muniment.embedders.servers import EmbeddingServer


@contextmanager
def endless_embedder() -> Iterator[tuple[dict[str, str], Event]]:
    """Settings of an embedder that answers nobody before it may: a run that asks it holds the lock so long."""
    may = Event()
    with EmbeddingServer("openai") as server:
        server.behaviour.refuse = lambda texts: (503, "never asked to go on") if not may.wait(PATIENCE_S) else None
        settings = {"NAME": "openai", "MODEL": "tiny", "TIMEOUT_S": "100", "URL": server.url}
        try:
            yield {f"MUNIMENT_EMBEDDER__{key}": value for key, value in settings.items()}, may
        finally:
            may.set()


@contextmanager
def holding(lock: Path) -> Iterator[None]:
    """The lock, held by another program for the block."""
    with subprocess.Popen(
        ["flock", lock, "sh", "-c", "echo held; cat"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as other:
        assert other.stdout
        assert other.stdin
        assert other.stdout.readline() == b"held\n"
        yield
        other.stdin.close()


def await_losers(processes: list[subprocess.Popen[str]]) -> subprocess.Popen[str]:
    """The one that still works when all others have ended."""
    while len(working := [process for process in processes if process.poll() is None]) > 1:
        try:
            working[0].wait(0.05)
        except subprocess.TimeoutExpired:
            working.append(working.pop(0))
    (winner,) = working
    return winner
