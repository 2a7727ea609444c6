"""Options that several commands take."""

from __future__ import annotations

import argparse
from typing import TypeAlias

Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"
"""What commands are added to."""


def add_command(commands: Commands, name: str, text: str) -> argparse.ArgumentParser:
    """The parser of a command, listed with that text."""
    return commands.add_parser(name, help=text, description=text, allow_abbrev=False)


def add_engine(parser: argparse.ArgumentParser) -> None:
    """Adds the choice of who runs the steps."""
    parser.add_argument(
        "--engine", choices=("auto", "direct", "prefect"), default="auto", help="who runs the steps (default: auto)"
    )


def add_common(parser: argparse.ArgumentParser) -> None:
    """Adds what every command that prints a result takes."""
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    add_places(parser)


def add_places(parser: argparse.ArgumentParser) -> None:
    """Adds where the home and the settings are."""
    parser.add_argument(
        "--home", type=_named, metavar="DIR", help="folder of index, logs and reports (or MUNIMENT_HOME)"
    )
    parser.add_argument("--config", type=_named, metavar="FILE", help="settings file (or MUNIMENT_CONFIG)")


def _named(place: str) -> str:
    # `--home "$UNSET"` would else be the default, and write where nobody meant to.
    if not place:
        raise argparse.ArgumentTypeError("it is empty")
    return place
