"""The grammar of what keeps an index sound over the years."""

from __future__ import annotations

import argparse

from muniment.cli.parser.options import add_common


def add_verify(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds `muniment verify`."""
    text = "check that what is published is what was written, and what the sources say"
    parser = commands.add_parser("verify", help=text, description=text, allow_abbrev=False)
    parser.add_argument("--deep", action="store_true", help="read every byte that readers use, of each kept generation")
    add_common(parser)


def add_repair(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds `muniment repair`."""
    text = "build anew what is damaged, from the sources and the cache of vectors, and publish it"
    parser = commands.add_parser("repair", help=text, description=text, allow_abbrev=False)
    parser.add_argument(
        "--allow-shrink", action="store_true", help="go on when more than half of a source's documents are gone"
    )
    add_common(parser)


def add_gc(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds `muniment gc`."""
    text = "remove what no kept generation, no reader and no next run needs"
    parser = commands.add_parser("gc", help=text, description=text, allow_abbrev=False)
    parser.add_argument("--dry-run", action="store_true", help="say what would be removed, and remove nothing")
    add_common(parser)
