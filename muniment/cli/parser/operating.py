"""The grammar of what looks after an index and the machine it is on."""

from __future__ import annotations

from muniment.cli.parser.options import Commands, add_command, add_common, add_places


def add_status(commands: Commands) -> None:
    """Adds `muniment status`."""
    text = "what is indexed, from which commit, and where it is kept"
    add_common(add_command(commands, "status", text))


def add_pull(commands: Commands) -> None:
    """Adds `muniment pull`."""
    text = "take the index that another machine pushed to the bucket of scale.url"
    add_common(add_command(commands, "pull", text))


def add_config(commands: Commands) -> None:
    """Adds `muniment config`."""
    text = "the settings in force, and where they come from"
    add_common(add_command(commands, "config", text))


def add_doctor(commands: Commands) -> None:
    """Adds `muniment doctor`."""
    text = "check that everything an index needs is there"
    add_common(add_command(commands, "doctor", text))


def add_hook(commands: Commands) -> None:
    """Adds `muniment hook`."""
    text = "bring the index up to date after every 'git pull', by hooks in a repository"
    parser = add_command(commands, "hook", text)
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    for name, said in (
        ("install", "write the hooks; those that are there are kept, and run first"),
        ("uninstall", "take our hooks out, and put back what was there before"),
        ("status", "which hooks are there, what they do, and what came of the last pull"),
        ("run", "what the hooks call: tell Prefect, or index in the background, as index.on_pull says"),
    ):
        action = add_command(actions, name, said)
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


def add_worker(commands: Commands) -> None:
    """Adds `muniment worker`."""
    text = "start Prefect's worker, which runs what prefect.yaml deploys, whatever lies in the current folder"
    parser = add_command(commands, "worker", text)
    parser.add_argument("--pool", default="local", help="the work pool that it takes runs from (default: local)")
    parser.add_argument("--once", action="store_true", help="run what waits now, then end")


def add_completion(commands: Commands) -> None:
    """Adds `muniment completion`."""
    text = "print what makes a shell complete commands, options and paths"
    parser = add_command(commands, "completion", text)
    parser.add_argument("shell", choices=("bash", "fish", "zsh"), help="the shell that is to read it")
