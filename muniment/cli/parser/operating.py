"""The grammar of what looks after an index and the machine it is on."""

from __future__ import annotations

import argparse

from muniment.cli.parser.options import add_common, add_places


def add_status(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds `muniment status`."""
    text = "what is indexed, from which commit, and where it is kept"
    add_common(commands.add_parser("status", help=text, description=text, allow_abbrev=False))


def add_pull(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds `muniment pull`."""
    text = "take the index that another machine pushed to the bucket of scale.url"
    add_common(commands.add_parser("pull", help=text, description=text, allow_abbrev=False))


def add_config(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds `muniment config`."""
    text = "the settings in force, and where they come from"
    add_common(commands.add_parser("config", help=text, description=text, allow_abbrev=False))


def add_doctor(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds `muniment doctor`."""
    text = "check that everything an index needs is there"
    add_common(commands.add_parser("doctor", help=text, description=text, allow_abbrev=False))


def add_hook(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds `muniment hook`."""
    text = "bring the index up to date after every 'git pull', by hooks in a repository"
    parser = commands.add_parser("hook", help=text, description=text, allow_abbrev=False)
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    for name, said in (
        ("install", "write the hooks; those that are there are kept, and run first"),
        ("uninstall", "take our hooks out, and put back what was there before"),
        ("status", "which hooks are there, what they do, and what came of the last pull"),
        ("run", "what the hooks call: tell Prefect, or index in the background, as index.on_pull says"),
    ):
        action = actions.add_parser(name, help=said, description=said, allow_abbrev=False)
        action.add_argument(
            "repo",
            nargs="?",
            default=".",
            metavar="REPO",
            help="a git repository, or a folder in one (default: the current folder)",
        )
        if name == "run":
            action.add_argument(
                "--wait", action="store_true", help="index here, after any run that is under way; never an event"
            )
            add_places(action)
        else:
            add_common(action)


def add_worker(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds `muniment worker`."""
    text = "start Prefect's worker, which runs what prefect.yaml deploys, whatever lies in the current folder"
    parser = commands.add_parser("worker", help=text, description=text, allow_abbrev=False)
    parser.add_argument("--pool", default="local", help="the work pool that it takes runs from (default: local)")
    parser.add_argument("--once", action="store_true", help="run what waits now, then end")


def add_completion(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds `muniment completion`."""
    text = "print what makes a shell complete commands, options and paths"
    parser = commands.add_parser("completion", help=text, description=text, allow_abbrev=False)
    parser.add_argument("shell", choices=("bash", "zsh"), help="the shell that is to read it")
