"""The command line's grammar."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import NoReturn

from muniment import __version__
from muniment.cli.parser.asking import add_ask, add_eval, add_feedback, add_search
from muniment.cli.parser.building import add_index, add_nightly, add_watch
from muniment.cli.parser.checking import add_drift, add_effectiveness, add_quality
from muniment.cli.parser.mending import add_gc, add_repair, add_verify
from muniment.cli.parser.operating import (
    add_completion,
    add_config,
    add_doctor,
    add_hook,
    add_pull,
    add_status,
    add_worker,
)
from muniment.cli.parser.serving import add_mcp, add_serve, add_token
from muniment.errors import EXIT_CODES
from muniment.inert import one_line


class _Parser(argparse.ArgumentParser):
    """Complains inertly: words of a command line may come from a hook or another program."""

    def error(self, message: str) -> NoReturn:
        """Prints usage and message, and exits with 2."""
        super().error(one_line(message))


def parse(argv: Sequence[str]) -> argparse.Namespace:
    """The parsed command line. Exits with 2 and a usage line when it is wrong."""
    parser = make_parser()
    argv, named = _named_files(argv)
    args, unknown = parser.parse_known_args(argv)
    if named is not None:
        args.only = [*(args.only or ()), *named]
    if getattr(args, "question", "") is None:
        args.question, unknown = _bare_question(parser, args.command, unknown), []
    if unknown:
        parser.error(f"unrecognized arguments: {' '.join(unknown)}")
    return args


def _named_files(argv: Sequence[str]) -> tuple[Sequence[str], Sequence[str] | None]:
    """The command line without what follows `--` in `muniment drift`, and that.

    Names of files that a hook hands over may look like options, and must not be taken for any.
    """
    if argv[:1] != ["drift"] or "--" not in argv:
        return argv, None
    dashes = list(argv).index("--")
    return argv[:dashes], argv[dashes + 1 :]


def _bare_question(parser: argparse.ArgumentParser, command: str, unknown: Sequence[str]) -> str:
    """What was typed where a question is missing: `muniment search --dry-run` asks for a flag of somebody's program.

    Not what looks like an option of ours with a slip in it: that is an error, as is no question at all.
    """
    from difflib import get_close_matches

    (commands,) = (action for action in parser._actions if isinstance(action, argparse._SubParsersAction))
    own = commands.choices[command]
    ours = [flag for flag in own._option_string_actions if flag.startswith("--")]
    for word in unknown:
        if close := get_close_matches(word.partition("=")[0], ours, n=1, cutoff=0.8):
            own.error(f"no option {word}: did you mean {close[0]}? as a question: muniment {command} -- {word}")
    if not unknown:
        own.error(f"there is no QUESTION (one that is an option of ours: muniment {command} -- --json)")
    return " ".join(unknown)


def make_parser() -> argparse.ArgumentParser:
    """The parser of every command."""
    codes = "\n".join(f"  {code:3d}  {meaning}" for code, meaning in EXIT_CODES.items())
    parser: argparse.ArgumentParser = _Parser(
        prog="muniment",
        description="An index over a repository's own documentation that answers with sources.",
        epilog=f"exit codes:\n{codes}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"muniment {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND", prog="muniment")
    add_index(commands)
    add_watch(commands)
    add_search(commands)
    add_ask(commands)
    add_feedback(commands)
    add_eval(commands)
    add_drift(commands)
    add_effectiveness(commands)
    add_quality(commands)
    add_nightly(commands)
    add_serve(commands)
    add_mcp(commands)
    add_token(commands)
    add_status(commands)
    add_pull(commands)
    add_config(commands)
    add_doctor(commands)
    add_verify(commands)
    add_repair(commands)
    add_gc(commands)
    add_hook(commands)
    add_worker(commands)
    add_completion(commands)
    return parser
