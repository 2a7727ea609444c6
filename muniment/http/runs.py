"""Index runs that the server starts: one at a time, each in a thread of its own, known by its id."""

from __future__ import annotations

import json
import logging
import re
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from threading import Event, Lock, Thread
from typing import Any, Literal, ParamSpec, TypeVar

from pydantic import TypeAdapter

from flows.index import index
from flows.job import IndexJob
from flows.ledger import make_run_id
from flows.rebuild import rebuild
from muniment.errors import Busy, MunimentError, Refused, Shrunk
from muniment.http.problem import under_way
from muniment.runner import Direct
from schemas.runs import RunReport

P = ParamSpec("P")
T = TypeVar("T")
A = TypeVar("A")

KEPT = 100
"""Runs of this process that are remembered; the reports of those that ended well are on the disk besides."""
_ID = re.compile(r"\d{8}T\d{6}Z-[0-9a-f]{6}")
_REPORT = TypeAdapter(RunReport)
_log = logging.getLogger("muniment.http")


@dataclass(slots=True)
class Run:
    """One run, as far as it has come."""

    run: str
    """Its id: a folder of `runs/` in the home, once it has ended well."""
    state: Literal["running", "done", "failed"]
    stage: str = ""
    """What is counted by the next two; empty where nothing is."""
    done: int = 0
    total: int = 0
    error: str = ""
    """Why it failed, and what to do; the last published generation still answers."""
    hint: str = ""
    counts: Mapping[str, Any] = field(default_factory=dict)
    """scanned, indexed, skipped, deleted, chunks, duration_ms and errors, once it has ended well."""
    report: RunReport | None = None
    """What was done, once it has ended well."""


@dataclass(slots=True, eq=False)
class _Stoppable:
    """Runs steps here as `Direct` does, says when the first one begins, and begins none once it is told to stop."""

    begun: Event = field(default_factory=Event)
    """The writer's lock is held from the first step on."""
    stop: Event = field(default_factory=Event)
    _direct: Direct = field(default_factory=Direct)

    def __call__(self, step: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """What the step returns; raises Refused instead of starting it once the server stops."""
        self.begun.set()
        if self.stop.is_set():
            raise Refused("the server stopped before the run had ended", "scan again: what was embedded is kept")
        return self._direct(step, *args, **kwargs)

    def each(self, step: Callable[[A], T], batches: Iterable[A]) -> Iterator[T]:
        """What the step returns for each batch, one after the other."""
        for batch in batches:
            yield self(step, batch)


class Runs:
    """The runs of this process, and the reports that any process left in the home."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = Lock()
        self._runs: dict[str, Run] = {}
        self._thread: Thread | None = None
        self._runner = _Stoppable()

    @property
    def under_way(self) -> str:
        """Id of the run that this process has under way, or nothing."""
        return next((run.run for run in list(self._runs.values()) if run.state == "running"), "")

    def start(self, job: IndexJob) -> Run:
        """A run that has begun: it holds the writer's lock.

        Raises ProblemError while another one runs, here or in any other process, and what keeps a run from beginning.
        """
        with self._lock:
            if self.under_way:
                raise under_way(f"ask for it: GET /api/index/runs/{self.under_way}")
            run = Run(make_run_id(datetime.now(UTC)), "running")
            self._runner = _Stoppable()
            failures: list[Exception] = []
            work = (replace(job, run=run.run), run, self._runner, failures)
            self._thread = Thread(target=_work, args=work, name=f"run-{run.run}")
            self._thread.start()
            self._runner.begun.wait()
            if failures and run.state == "failed":
                if isinstance(failures[0], Busy):
                    raise under_way("try again when it has ended") from failures[0]
                raise failures[0]
            self._runs[run.run] = run
            for old in list(self._runs)[:-KEPT]:
                del self._runs[old]
            return run

    def find(self, run_id: str) -> Run | None:
        """The run with this id; one of another process from its report."""
        if run := self._runs.get(run_id):
            return run
        if not _ID.fullmatch(run_id):
            return None
        try:
            kept = json.loads((self._folder / run_id / "run.json").read_text(encoding="utf-8"))
            return _ended(run_id, _REPORT.validate_python(kept))
        except (OSError, ValueError):
            return None

    def stop(self) -> None:
        """Ends the run under way before its next step, and waits for that; what it has embedded is kept."""
        self._runner.stop.set()
        self.wait()

    def wait(self) -> None:
        """Returns when no run is under way."""
        if self._thread:
            self._thread.join()


def _work(job: IndexJob, run: Run, runner: _Stoppable, failures: list[Exception]) -> None:
    def watch(stage: str, done: int, total: int) -> None:
        run.stage, run.done, run.total = stage, done, total

    try:
        ended = _ended(run.run, (rebuild if job.rebuild else index)(job, runner, watch))
        run.counts, run.report = ended.counts, ended.report
        run.state = "done"
    except Exception as error:
        # Only what kept it from beginning is raised where it was started; later there is nobody to raise it to.
        if not runner.begun.is_set():
            failures.append(error)
        run.error, run.hint = _said(error)
        run.state = "failed"
    finally:
        runner.begun.set()


def _ended(run_id: str, report: RunReport) -> Run:
    """A run that ended well; what it withholds, and what is wrong with which document, is the operator's to know."""
    told = report.shown()
    return Run(run_id, "done", counts=told.counts, report=told)


def _said(error: Exception) -> tuple[str, str]:
    if isinstance(error, Shrunk):
        return error.message, 'if that is right, scan again with {"allow_shrink": true}; the index is unchanged'
    if isinstance(error, MunimentError):
        return error.message, error.hint
    where = "".join(traceback.format_tb(error.__traceback__))
    _log.error("a bug in muniment: %s\n%s", type(error).__name__, where)
    return f"a bug in muniment: {type(error).__name__}", "the server's log says where"
