"""The grammar of what brings the index up to date."""

from __future__ import annotations

from muniment.cli.parser.options import Commands, add_command, add_common, add_engine


def add_index(commands: Commands) -> None:
    """Adds `muniment index`."""
    text = "bring the index up to date with a repository"
    parser = add_command(commands, "index", text)
    parser.add_argument(
        "repo",
        nargs="*",
        metavar="REPO",
        help="a git repository, or a folder in one; without one: the configured sources, else those of the index",
    )
    parser.add_argument("--name", default="", help="what hits call this source (default: the folder's name)")
    parser.add_argument("--worktree", action="store_true", help="read the working copies of tracked files, not HEAD")
    parser.add_argument("--force", action="store_true", help="build everything anew beside the old index, then swap")
    parser.add_argument("--dry-run", action="store_true", help="say what would be done; contact nothing, write nothing")
    parser.add_argument(
        "--allow-shrink", action="store_true", help="go on when more than half of a source's documents are gone"
    )
    add_engine(parser)
    add_common(parser)


def add_watch(commands: Commands) -> None:
    """Adds `muniment watch`."""
    text = "bring the index up to date, now and whenever files have changed, until interrupted"
    parser = add_command(commands, "watch", text)
    parser.add_argument(
        "path",
        nargs="*",
        metavar="PATH",
        help="a repository or vault; without one: the configured sources, else those of the index",
    )
    parser.add_argument("--worktree", action="store_true", help="read the working copies of tracked files, not HEAD")
    parser.add_argument(
        "--settle-ms",
        type=int,
        default=500,
        metavar="N",
        help="wait until nothing has changed for so long; milliseconds (default: 500)",
    )
    add_common(parser)


def add_nightly(commands: Commands) -> None:
    """Adds `muniment nightly`."""
    text = "what a night does: index, look for drift, count what was used, check the data, write the report"
    parser = add_command(commands, "nightly", text)
    add_engine(parser)
    add_common(parser)
