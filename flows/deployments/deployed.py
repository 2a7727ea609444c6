"""The flows that `prefect.yaml` deploys: started by a worker, for whatever its settings name."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from prefect import flow, get_run_logger
from prefect.client.schemas.objects import State
from prefect.states import Completed

from flows.deployments.asked import Absolute, AbsoluteOrEmpty, Patience, name_asked
from flows.deployments.ends import finish, night_to_end, run_to_end
from flows.index import quiet
from flows.job import make_job
from flows.nightly import make_nightly_job
from muniment.errors import Busy
from muniment.home import data_home, find_config
from muniment.noop import nothing_to_do
from muniment.settings import load_settings

LONGEST_PAUSE_S = 30.0
"""Between two looks at whether another run has let go of the index."""


@flow(name="index", flow_run_name=name_asked, persist_result=False)
def index(
    *,
    paths: tuple[Absolute, ...] = (),
    worktree: bool = False,
    allow_shrink: bool = False,
    config: AbsoluteOrEmpty = "",
    home: AbsoluteOrEmpty = "",
    patience_s: Patience = 1800,
    pulled: str = "",  # noqa: ARG001 - for the run's name
) -> State[Any]:
    """Bring the index up to date with its sources.

    Args:
        paths: Repositories to index, as absolute paths. Empty: the configured sources, else those the index holds.
        worktree: Read the working copies of tracked files instead of HEAD.
        allow_shrink: Go on when more than half of a source's documents are gone.
        config: Settings file, as an absolute path. Empty: MUNIMENT_CONFIG of the worker, else the user's muniment.toml.
        home: Folder of index, logs and reports, as an absolute path. Empty: the one that 'muniment status' names.
        patience_s: How long to wait for another run that is writing the index, in seconds.
        pulled: Filled in by the trigger: what was pulled, for the run's name. It does not choose what is indexed.
    """

    def work() -> State[Any]:
        found = find_config(config, os.environ)
        place = data_home(home, os.environ, found)
        if same := nothing_to_do(place / "index", paths, found, os.environ, worktree=worktree):
            return Completed(name="Unchanged", message=f"nothing new since generation {same.number}")
        job = make_job(load_settings(found), found, place, os.environ, paths=paths, worktree=worktree)
        return run_to_end(replace(job, allow_shrink=allow_shrink), quiet)

    return finish(lambda: _patiently(work, patience_s))


@flow(name="rebuild", flow_run_name=name_asked, persist_result=False)
def rebuild(*, config: AbsoluteOrEmpty = "", home: AbsoluteOrEmpty = "", patience_s: Patience = 1800) -> State[Any]:
    """Build everything anew beside the published index, then swap; readers notice nothing.

    Args:
        config: Settings file, as an absolute path. Empty: MUNIMENT_CONFIG of the worker, else the user's muniment.toml.
        home: Folder of index, logs and reports, as an absolute path. Empty: the one that 'muniment status' names.
        patience_s: How long to wait for another run that is writing the index, in seconds.
    """

    def work() -> State[Any]:
        found = find_config(config, os.environ)
        job = make_job(load_settings(found), found, data_home(home, os.environ, found), os.environ)
        return run_to_end(replace(job, rebuild=True), quiet)

    return finish(lambda: _patiently(work, patience_s))


@flow(name="nightly", flow_run_name=name_asked, persist_result=False)
def nightly(*, config: AbsoluteOrEmpty = "", home: AbsoluteOrEmpty = "", patience_s: Patience = 1800) -> State[Any]:
    """Bring the index up to date, look for drift, check the data, and write the report.

    Args:
        config: Settings file, as an absolute path. Empty: MUNIMENT_CONFIG of the worker, else the user's muniment.toml.
        home: Folder of index, logs and reports, as an absolute path. Empty: the one that 'muniment status' names.
        patience_s: How long to wait for another run that is writing the index, in seconds.
    """

    def work() -> State[Any]:
        found = find_config(config, os.environ)
        job = make_nightly_job(load_settings(found), found, data_home(home, os.environ, found), os.environ)
        return night_to_end(job, quiet)

    return finish(lambda: _patiently(work, patience_s))


def _patiently(work: Callable[[], State[Any]], patience_s: float) -> State[Any]:
    """What the work returns, tried again while another run holds the index."""
    give_up, pause = time.monotonic() + patience_s, 1.0
    while True:
        try:
            return work()
        except Busy as busy:
            if time.monotonic() + pause > give_up:
                raise
            get_run_logger().warning("%s: looking again in %d s", busy.message, pause)
        time.sleep(pause)
        pause = min(2 * pause, LONGEST_PAUSE_S)
