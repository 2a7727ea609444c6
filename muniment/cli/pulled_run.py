"""The index run after a pull: in a process of its own, after any other run, and once for many pulls."""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import subprocess
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

from muniment.errors import DONE, PARTLY, Busy
from muniment.hook_log import log_of, log_to_write

if TYPE_CHECKING:
    from flows.job import IndexJob
    from muniment.cli.pulled import Pulled

_NICENESS = 10


def start(pulled: Pulled) -> int:
    """The id of the process that does the work, in a session of its own: no git and no terminal waits for it."""
    command = [sys.executable, "-P", "-m", "muniment", "hook", "run", "--wait", "--home", str(pulled.home)]
    if pulled.config.path:
        command += ["--config", str(pulled.config.path.absolute())]
    # Git sets GIT_DIR, GIT_INDEX_FILE and more for its hooks, and they would lead us to another repository.
    environ = {name: value for name, value in pulled.environ.items() if not name.startswith("GIT_")}
    with log_to_write(pulled.home) as log:
        process = subprocess.Popen(
            [*command, "--", str(pulled.repo)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,  # what it says there it writes into the log as well
            stderr=log,
            env=environ,
            cwd="/",
            start_new_session=True,
        )
    process.returncode = DONE  # nobody waits for it, of which Python would complain
    return process.pid


def index_now(pulled: Pulled) -> int:
    """Indexes the sources that lie in the repository, after any run that is under way; DONE or PARTLY.

    Leaves it, and returns DONE, where another pull waits for the same already: that one will read this commit.
    Raises what an index run raises, but for Busy.
    """
    if not pulled.sources:
        pulled.tell("nothing done: no source lies here")
        return DONE
    os.nice(_NICENESS)
    while _has_turn(pulled):
        try:
            return _run(pulled)
        except Busy:
            continue  # somebody was quicker
    pulled.tell("another pull waits already, and will read this commit too")
    return DONE


def _has_turn(pulled: Pulled) -> bool:
    """True once no other run writes the index; False at once where somebody waits for that with the same sources."""
    from muniment.generation import LOCK

    digest = hashlib.sha256("\0".join(sorted(pulled.sources)).encode("utf-8", "surrogateescape")).hexdigest()[:16]
    turns = log_of(pulled.home).parent
    with contextlib.ExitStack() as held:
        try:
            turns.mkdir(parents=True, exist_ok=True)
            turn = held.enter_context((turns / f".hook-{digest}.lock").open("a"))
            fcntl.flock(turn, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError:
            return True  # full, or not to be written: the run itself says it in its own words
        with contextlib.suppress(FileNotFoundError):
            writing = held.enter_context((pulled.home / "index" / LOCK).open("rb"))
            fcntl.flock(writing, fcntl.LOCK_SH)
    return True


def _run(pulled: Pulled) -> int:
    from flows.index import quiet
    from flows.job import make_job
    from muniment.cli.engine import choose_engine

    job = make_job(pulled.settings, pulled.config, pulled.home, pulled.environ)
    every = (*job.sources, *job.others)
    ours = tuple(source for source in every if source.name in pulled.sources)
    job = replace(job, sources=ours, others=tuple(source for source in every if source not in ours))
    if _is_as_published(pulled, job):
        pulled.tell("nothing new")
        return DONE
    # Prefect is told by events; a run here should depend on nobody.
    report = choose_engine("direct", pulled.environ).run(job, rebuild=False, watch=quiet)
    done = f"generation {report.generation}: {report.documents} documents, {report.chunks} chunks"
    pulled.tell(f"indexed, {done}; {report.lacking}" if report.lacking else f"indexed, {done}")
    return PARTLY if report.lacking else DONE


def _is_as_published(pulled: Pulled, job: IndexJob) -> bool:
    from muniment.noop import nothing_to_do

    return all(
        nothing_to_do(job.index, [one.path], pulled.config, pulled.environ, worktree=one.worktree)
        for one in job.sources
    )
