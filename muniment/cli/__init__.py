"""The command line: parse, call, render. Nothing is decided here."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from muniment.errors import BUG, INTERRUPTED, MunimentError


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one command and returns its exit code; results go to stdout, everything else to stderr."""
    from muniment.cli.parser import parse

    args = parse(sys.argv[1:] if argv is None else argv)
    try:
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


def _say_error(message: str, hint: str) -> None:
    from muniment.cli.terminal import inert

    sys.stdout.flush()
    print(f"error: {inert(message)}", file=sys.stderr)  # noqa: T201
    if hint:
        print(f"hint: {inert(hint)}", file=sys.stderr)  # noqa: T201
