"""The grammar of what keeps an index sound over the years."""

from __future__ import annotations

from muniment.cli.parser.options import Commands, add_command, add_common


def add_verify(commands: Commands) -> None:
    """Adds `muniment verify`."""
    text = "check that what is published is what was written, and what the sources say"
    parser = add_command(commands, "verify", text)
    parser.add_argument("--deep", action="store_true", help="read every byte that readers use, of each kept generation")
    add_common(parser)


def add_repair(commands: Commands) -> None:
    """Adds `muniment repair`."""
    text = "build anew what is damaged, from the sources and the cache of vectors, and publish it"
    parser = add_command(commands, "repair", text)
    parser.add_argument(
        "--allow-shrink", action="store_true", help="go on when more than half of a source's documents are gone"
    )
    add_common(parser)


def add_gc(commands: Commands) -> None:
    """Adds `muniment gc`."""
    text = "remove what no kept generation, no reader and no next run needs"
    parser = add_command(commands, "gc", text)
    parser.add_argument("--dry-run", action="store_true", help="say what would be removed, and remove nothing")
    add_common(parser)
