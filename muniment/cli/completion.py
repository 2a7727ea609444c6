"""`muniment completion`: a script that makes a shell complete commands, options, choices and paths."""

from __future__ import annotations

import argparse

from muniment.cli.terminal import say
from muniment.errors import DONE

_FOLDERS = {"DIR", "REPO"}
_FILES = {"FILE", "PATH", "PNG", "TOML"}
"""Placeholders of arguments that name something on disk."""


def run(args: argparse.Namespace) -> int:
    """Prints the script and returns DONE."""
    import shtab

    from muniment.cli.parser import make_parser

    parser = make_parser()
    _mark_paths(parser)
    say(shtab.complete(parser, args.shell))
    return DONE


def _mark_paths(parser: argparse.ArgumentParser) -> None:
    """Says of each argument that names something on disk that it does, in the way that shtab looks for."""
    import shtab

    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for command in action.choices.values():
                _mark_paths(command)
        elif action.metavar in _FOLDERS:
            action.complete = shtab.DIRECTORY  # type: ignore[attr-defined]  # shtab's own mark
        elif action.metavar in _FILES:
            action.complete = shtab.FILE  # type: ignore[attr-defined]  # shtab's own mark
