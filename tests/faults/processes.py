"""`muniment` as a process of its own that is killed: after a while, or after so many changes of names on the disk."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.conftest import Ran

PATIENCE_S = 120
MUNIMENT = (sys.executable, "-B", "-m", "muniment")
RENAMES = "rename,renameat,renameat2,link,linkat,unlink,unlinkat"
_REST_US = 5_000
"""How long a thread rests after each of these calls: the kill comes before the next one."""


def start(*argv: object, before: Sequence[object] = (), **environ: str) -> subprocess.Popen[str]:
    """A command that has begun."""
    return subprocess.Popen(
        [str(word) for word in (*before, *MUNIMENT, *argv)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, **environ},
    )


def finish(process: subprocess.Popen[str]) -> Ran:
    """What a command printed and returned."""
    out, err = process.communicate(timeout=PATIENCE_S)
    return Ran(process.returncode, out, err)


def run(*argv: object, before: Sequence[object] = (), **environ: str) -> Ran:
    """A command, from its beginning to its end."""
    return finish(start(*argv, before=before, **environ))


def await_writer(process: subprocess.Popen[str], home: Path) -> bool:
    """Whether the process has come to hold the writer's lock; False where it ended before."""
    lock = str(home / "index" / "lock")
    while process.poll() is None:
        if lock in _open_files(process.pid):
            return True
        try:
            process.wait(0.001)
        except subprocess.TimeoutExpired:
            continue
    return False


def kill_after(process: subprocess.Popen[str], seconds: float) -> bool:
    """Whether the process was killed after so long; False where it ended before."""
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        process.kill()
    process.communicate()
    return process.returncode == -signal.SIGKILL


def kill_after_rename(nth: int, home: Path, *argv: object) -> str:
    """The change of names in the index, counted from 1, after which the run was killed; nothing where it had fewer."""
    with _renames(*argv) as (strace, calls):
        within = (call for call in calls if f"{home}/index/" in call)
        for number, call in enumerate(within, 1):
            if number == nth:
                os.kill(_child(strace.pid), signal.SIGKILL)
                return call.strip()
    return ""


def count_renames(home: Path, *argv: object) -> int:
    """How many changes of names an undisturbed run makes in the index."""
    with _renames(*argv) as (_, calls):
        return sum(f"{home}/index/" in call for call in calls)


def needs_strace() -> None:
    """Skips where processes can't be traced."""
    traced = shutil.which("strace") and subprocess.run(["strace", "-qq", "-o", os.devnull, "true"], check=False)
    if not traced or traced.returncode:
        pytest.skip("strace is not installed, or may not trace here")


@contextmanager
def _renames(*argv: object) -> Iterator[tuple[subprocess.Popen[bytes], Iterator[str]]]:
    """A traced run, and its renames, links and unlinks as they are done, of all its threads in one row."""
    reading, writing = os.pipe()
    strace = ["strace", "-f", "-qq", "--seccomp-bpf", "-o", f"/dev/fd/{writing}", "-e", "signal=none"]
    strace += ["-e", f"trace={RENAMES}", "-e", f"inject={RENAMES}:delay_exit={_REST_US}"]
    process = subprocess.Popen(
        [*strace, *MUNIMENT, *map(str, argv)],
        pass_fds=[writing],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    os.close(writing)
    with os.fdopen(reading, encoding="utf-8", errors="replace") as calls, process:
        yield process, calls


def _child(pid: int) -> int:
    return int(Path(f"/proc/{pid}/task/{pid}/children").read_text().split()[0])


def _open_files(pid: int) -> set[str]:
    found = set()
    with contextlib.suppress(OSError):  # it has ended
        for name in Path(f"/proc/{pid}/fd").iterdir():
            with contextlib.suppress(OSError):  # closed since
                found.add(str(name.readlink()))
    return found
