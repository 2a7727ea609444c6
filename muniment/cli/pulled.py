"""What a pull comes to: an event for Prefect, an index run in the background, or nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from muniment.cli.engine import prefect_setting
from muniment.cli.terminal import one_line, say
from muniment.errors import DONE, MunimentError, Refused, SettingsError
from muniment.generation import read_current
from muniment.gitrun import find_head
from muniment.home import Config
from muniment.hook_event import DEPLOYMENT, PrefectApi, has_deployment, send_pulled
from muniment.hook_log import is_foreign, write_line

if TYPE_CHECKING:
    from muniment.settings import Settings


@dataclass(frozen=True)
class Pulled:
    """A repository that a pull has changed, and where its index is."""

    repo: Path
    """The top of the work tree, or the bare repository."""
    home: Path
    config: Config
    environ: Mapping[str, str]

    @cached_property
    def settings(self) -> Settings:
        """The operator's settings. Raises SettingsError."""
        from muniment.settings import load_settings

        return load_settings(self.config)

    @property
    def gate(self) -> str:
        """What index.on_pull says."""
        return self.settings.index.on_pull

    @cached_property
    def sources(self) -> tuple[str, ...]:
        """Names of the sources, configured or indexed, that lie in the repository. Raises ForeignIndex."""
        from muniment.settings.sources import configured_sources

        held = read_current(self.home / "index")
        paths = {name: state.path for name, state in held.sources.items()} if held else {}
        paths |= {source.name: source.path for source in configured_sources(self.settings, self.config)}
        top = self.repo.resolve()
        return tuple(name for name, path in paths.items() if Path(path).resolve().is_relative_to(top))

    def tell(self, said: str) -> None:
        """Prints a line, and adds it to the log."""
        write_line(self.home, self.repo, said, datetime.now(UTC))
        say(said)


def prefect_access(environ: Mapping[str, str]) -> PrefectApi | None:
    """The Prefect API that is configured, with what it lets us in by. Raises SettingsError for a broken file."""
    url, auth, key = (prefect_setting(name, environ) for name in ("url", "auth_string", "key"))
    return PrefectApi(url, auth, key) if url else None


def on_pull_means(pulled: Pulled) -> str:
    """What the setting comes to here, in words; contacts nobody."""
    api = prefect_access(pulled.environ)
    if pulled.gate == "off":
        return "nothing is done after a pull"
    if pulled.gate == "index" or (pulled.gate == "auto" and not api):
        return "a pull is indexed here, in the background"
    if not api:
        return "nothing is done after a pull, since no Prefect API is configured"
    told = f"Prefect at {one_line(str(api))} is told"
    return told if pulled.gate == "event" else f"{told} where it has the deployment {DEPLOYMENT}, else indexed here"


def after_pull(pulled: Pulled) -> int:
    """Does what index.on_pull says, without waiting for an index run, and returns DONE.

    Raises SettingsError, Refused, ForeignIndex or ProviderError.
    """
    pulled.tell(_act(pulled))
    return DONE


def _act(pulled: Pulled) -> str:
    if pulled.gate == "off":
        return "nothing done: index.on_pull is off"
    api, why_not = prefect_access(pulled.environ), ""
    if pulled.gate == "event":
        if api is None:
            raise SettingsError(
                "index.on_pull is 'event', and no Prefect API is configured",
                "prefect config set PREFECT_API_URL=... (a hook sees no variable of another shell)",
            )
        return _tell(api, pulled)
    if api and pulled.gate == "auto":
        try:
            # An API that has no such deployment takes the event all the same, and nothing comes of it.
            if has_deployment(api):
                return _tell(api, pulled)
            why_not = f"; Prefect at {api} has no deployment {DEPLOYMENT}"
        except MunimentError as error:
            why_not = f"; {error.message}"
    return _index(pulled) + why_not


def _tell(api: PrefectApi, pulled: Pulled) -> str:
    commit = find_head(str(pulled.repo), need_commit=False).commit
    send_pulled(api, pulled.repo.name, commit, datetime.now(UTC))
    return f"told Prefect at {api}"


def _index(pulled: Pulled) -> str:
    from muniment.cli.pulled_run import start

    if not pulled.sources:
        return f"nothing done: no source lies in '{pulled.repo}', index it once with 'muniment index'"
    if is_foreign(pulled.home):
        raise Refused(
            f"root pulled, and the home '{pulled.home}' is another user's", "pull as that user, or index from a timer"
        )
    return f"indexing in the background, process {start(pulled)}"
