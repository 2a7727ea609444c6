"""The command line: parse, call, render. Nothing is decided here."""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Sequence

from muniment.errors import BUG, INTERRUPTED, MunimentError, UsageError

_NO_TEXT = re.compile("[\ud800-\udfff]")
"""What Python makes of a byte that is not UTF-8."""
_ANY_NAME = frozenset({"drift", "hook"})
"""Commands that are handed names of files by git, whatever they are made of, and store none of them."""


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one command and returns its exit code; results go to stdout, everything else to stderr."""
    from muniment.cli.parser import parse

    args = parse(sys.argv[1:] if argv is None else argv)
    try:
        _check_words(args)
        return _run(args.command, args)
    except MunimentError as error:
        _say_error(error.message, error.hint)
        return error.exit_code
    except KeyboardInterrupt:
        _say_error("interrupted", "what was embedded so far is kept; run the same command again to go on")
        return INTERRUPTED
    except BrokenPipeError:
        # The reader went away (`| head`): say nothing, and keep Python from complaining at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as error:  # the last door: a bug gets one line too
        if os.environ.get("MUNIMENT_TRACEBACK"):
            raise
        _say_error(
            f"a bug in muniment: {type(error).__name__}: {error}",
            "set MUNIMENT_TRACEBACK=1 to see where, and report it",
        )
        return BUG


def _run(command: str, args: object) -> int:
    from importlib import import_module

    # One module a command, so that none pays for the imports of another.
    code: int = import_module(f"muniment.cli.{command}").run(args)
    return code


def _check_words(args: argparse.Namespace) -> None:
    """Raises UsageError for a word that is no text: bytes that are not UTF-8 can be neither stored nor looked for."""
    if args.command in _ANY_NAME:
        return
    for name, value in vars(args).items():
        for word in value if isinstance(value, list) else [value]:
            if isinstance(word, str | os.PathLike) and _NO_TEXT.search(os.fspath(word)):
                hint = "write it in UTF-8, or rename what is called so"
                raise UsageError(f"{name} is not UTF-8: {os.fspath(word)!r}", hint)


def _say_error(message: str, hint: str) -> None:
    from muniment.cli.terminal import one_line

    sys.stdout.flush()
    print(f"error: {one_line(message)}", file=sys.stderr)  # noqa: T201
    if hint:
        print(f"hint: {one_line(hint)}", file=sys.stderr)  # noqa: T201
