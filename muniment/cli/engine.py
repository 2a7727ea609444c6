"""Which engine runs an index flow."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from muniment.errors import SettingsError
from muniment.home import CHECKOUT, read_config

if TYPE_CHECKING:
    from flows.index import Watch
    from flows.job import IndexJob
    from flows.nightly import NightlyJob
    from schemas.nightly import NightlyReport
    from schemas.runs import RunReport


@dataclass(frozen=True, slots=True)
class Engine:
    """A way to run the flow: the same DAG with the same result."""

    name: str
    start: Callable[[IndexJob, Watch], RunReport]
    start_night: Callable[[NightlyJob, Watch], NightlyReport]

    def run_night(self, job: NightlyJob, watch: Watch) -> NightlyReport:
        """Runs the nightly flow."""
        return self.start_night(replace(job, index=replace(job.index, engine=self.name)), watch)

    def run(self, job: IndexJob, *, rebuild: bool, watch: Watch) -> RunReport:
        """Runs the index flow, or the rebuild flow."""
        return self.start(replace(job, engine=self.name, rebuild=rebuild), watch)


def choose_engine(wanted: str, environ: Mapping[str, str]) -> Engine:
    """The engine asked for; `auto` is Prefect where an API is configured, else direct."""
    if wanted == "prefect" or (wanted == "auto" and prefect_api(environ)):
        return Engine("prefect", _start_prefect, _night_with_prefect)
    return Engine("direct", _start_direct, _night_direct)


def prefect_api(environ: Mapping[str, str], checkout: Path = CHECKOUT) -> str:
    """The configured Prefect API's address, or nothing: found without loading Prefect, which takes a second.

    Environment, then prefect.toml beside muniment, then the active profile. The working folder's prefect.toml,
    pyproject.toml and .env, which Prefect itself would read, are left out: they may belong to an indexed repository.
    """
    return prefect_setting("url", environ, checkout)


def prefect_setting(key: str, environ: Mapping[str, str], checkout: Path = CHECKOUT) -> str:
    """A setting of Prefect's [api] section, found in the same places; empty where none has it."""
    name = f"PREFECT_API_{key.upper()}"
    if value := environ.get(name):
        return value
    api = _toml(checkout / "prefect.toml").get("api")
    if isinstance(api, dict) and api.get(key):
        return str(api[key])
    return _profile(environ).get(name, "")


def _profile(environ: Mapping[str, str]) -> Mapping[str, str]:
    home = Path(environ.get("PREFECT_HOME") or Path.home() / ".prefect")
    file = _toml(Path(environ.get("PREFECT_PROFILES_PATH") or home / "profiles.toml"))
    named = environ.get("PREFECT_PROFILE") or file.get("active")
    found: Mapping[str, str] = file.get("profiles", {}).get(named, {})
    return found


def _toml(path: Path) -> Mapping[str, Any]:
    return read_config(path).values if path.is_file() else {}


def _start_direct(job: IndexJob, watch: Watch) -> RunReport:
    from flows.index import index
    from flows.rebuild import rebuild
    from muniment.runner import Direct

    return (rebuild if job.rebuild else index)(job, Direct(), watch)


def _night_direct(job: NightlyJob, watch: Watch) -> NightlyReport:
    from flows.nightly import nightly
    from muniment.runner import Direct

    return nightly(job, Direct(), watch)


def _start_prefect(job: IndexJob, watch: Watch) -> RunReport:
    with _prefect() as deployments:
        done: RunReport = deployments.run_job(job, watch)
        return done


def _night_with_prefect(job: NightlyJob, watch: Watch) -> NightlyReport:
    with _prefect() as deployments:
        done: NightlyReport = deployments.run_nightly(job, watch)
        return done


@contextlib.contextmanager
def _prefect() -> Iterator[Any]:
    """The module that knows Prefect, loaded and run where nobody else's settings are."""
    from pydantic import ValidationError

    # Before its import, which on a terminal would report a first use to its makers.
    os.environ.setdefault("DO_NOT_TRACK", "1")
    os.environ.setdefault("PREFECT_SERVER_ANALYTICS_ENABLED", "false")
    # Prefect takes settings from the working folder: stand where nobody else's files are.
    with contextlib.chdir(CHECKOUT):
        try:
            from flows import deployments
        except ValidationError as error:
            said = error.errors()[0]["msg"]
            raise SettingsError(f"Prefect refuses its own settings: {said}", "see 'prefect config view'") from error
        yield deployments
