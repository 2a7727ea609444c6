"""`muniment hook`: bring the index up to date after every pull."""

from __future__ import annotations

import argparse
import json
import os
import shlex
import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

from muniment.cli.pulled import Pulled, after_pull, on_pull_means
from muniment.cli.terminal import note, one_line, say
from muniment.errors import DONE, FOUND, MunimentError
from muniment.home import Config, data_home, find_config
from muniment.hook import (
    ABSENT,
    EDITED,
    FOREIGN,
    INSTALLED,
    OUTDATED,
    HooksFolder,
    hook_states,
    hooks_folder,
    install,
    top_of,
    uninstall,
)
from muniment.hook_log import last_line, write_line

_SAID = {
    ABSENT: "not installed",
    INSTALLED: "installed",
    OUTDATED: "installed, but calls another muniment, home or settings file: install it again",
    EDITED: "changed by somebody since muniment wrote it",
    FOREIGN: "not installed; the one that is there would be kept, and run first",
}


def run(args: argparse.Namespace) -> int:
    """Does what is asked and returns DONE; `status` returns FOUND where a hook is not as it should be.

    Raises SourceUnreadable, Refused or SettingsError; hooks themselves let nobody see that.
    """
    if args.action == "run":
        return _run(args)
    config = find_config(args.config, os.environ)
    home = data_home(args.home, os.environ, config)
    folder = hooks_folder(args.repo)
    command = hook_command(home, args.config or os.environ.get("MUNIMENT_CONFIG"))
    if args.action == "status":
        return _status(args, folder, hook_states(folder, command), home, config)
    done = install(folder, command) if args.action == "install" else uninstall(folder)
    if args.json:
        say(json.dumps({"folder": str(folder.path), "hooks": done}, indent=1))
    else:
        for name, what in done.items():
            say(f"{name}: {what} ({one_line(str(folder.path))})")
    if args.action == "install":
        _advise(top_of(args.repo), home, config)
    return DONE


def _run(args: argparse.Namespace) -> int:
    # Hooks throw away what is printed, and always name the home: whatever goes wrong is found in its log.
    home, repo = Path(args.home or ""), Path(args.repo).absolute()
    try:
        config = find_config(args.config, os.environ)
        home, repo = data_home(args.home, os.environ, config), top_of(args.repo)
        pulled = Pulled(repo, home, config, os.environ)
        if not args.wait:
            return after_pull(pulled)
        from muniment.cli.pulled_run import index_now

        return index_now(pulled)
    except MunimentError as error:
        if home.is_absolute():
            write_line(home, repo, f"not done: {error.message}", datetime.now(UTC))
        raise


def hook_command(home: Path, config: str | None) -> list[str]:
    """What a hook runs: this muniment, with the home and the settings file that were named, wherever git is started."""
    # -P: what a repository holds under the name muniment is never run, although git starts hooks in its folder.
    line = [sys.executable, "-P", "-m", "muniment", "hook", "run", "--home", str(home)]
    return line + (["--config", str(Path(config).absolute())] if config else [])


def _advise(repo: Path, home: Path, config: Config) -> None:
    pulled = Pulled(repo, home, config, os.environ)
    if not pulled.sources:
        note(f"note: nothing in '{repo}' is indexed yet, and a hook adds no source")
        note(f"hint: run this once: muniment index {shlex.quote(str(repo))}")
    places = {"MUNIMENT_HOME", "MUNIMENT_CONFIG", "MUNIMENT_TRACEBACK"}
    if own := sorted(name for name in os.environ if name.startswith("MUNIMENT_") and name not in places):
        note(f"note: {own[0]} is set in this shell, and a pull that is started elsewhere does not see it")
        note("hint: put settings that hooks need into muniment.toml")


def _status(
    args: argparse.Namespace, folder: HooksFolder, states: Mapping[str, str], home: Path, config: Config
) -> int:
    pulled = Pulled(top_of(args.repo), home, config, os.environ)
    means, last = on_pull_means(pulled), last_line(home, pulled.repo)
    if args.json:
        about = {"folder": str(folder.path), "hooks": states, "home": str(home), "on_pull": pulled.gate}
        about |= {"means": means, "sources": pulled.sources, "last": last}
        say(json.dumps(about, indent=1))
    else:
        say(f"hooks         {one_line(str(folder.path))}")
        for name, state in states.items():
            say(f"{name:13} {_SAID[state]}")
        say(f"on_pull       {pulled.gate}: {means}")
        names = ", ".join(map(one_line, pulled.sources))
        say(f"refreshes     {names or 'nothing: no source lies in this repository'}")
        say(f"last          {one_line(last) or 'no pull yet'}")
    return DONE if all(state == INSTALLED for state in states.values()) else FOUND
