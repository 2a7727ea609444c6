"""The grammar of what looks after an index and the machine it is on."""

from __future__ import annotations

import argparse

from muniment.cli.parser.options import add_common


def add_status(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds `muniment status`."""
    text = "what is indexed, from which commit, and where it is kept"
    add_common(commands.add_parser("status", help=text, description=text, allow_abbrev=False))


def add_config(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds `muniment config`."""
    text = "the settings in force, and where they come from"
    add_common(commands.add_parser("config", help=text, description=text, allow_abbrev=False))


def add_doctor(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds `muniment doctor`."""
    text = "check that everything an index needs is there"
    add_common(commands.add_parser("doctor", help=text, description=text, allow_abbrev=False))
