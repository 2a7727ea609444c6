"""The command line's grammar."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Iterable, Sequence
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
    """Complains in one line, with a hint, and inertly: words of a command line may come from a hook or a program."""

    def error(self, message: str, hint: str = "") -> NoReturn:
        """Prints what is wrong and what to do, and exits with 2."""
        hint = hint or f"see '{self.prog} --help'"
        self.exit(2, f"error: {one_line(message)}\nhint: {one_line(hint)}\n")

    def _check_value(self, action: argparse.Action, value: object) -> None:
        close = _nearest(str(value), map(str, action.choices or ()))
        if close and value not in (action.choices or ()):
            raise argparse.ArgumentError(action, f"no {value!r}: did you mean {close!r}?")
        super()._check_value(action, value)


def parse(argv: Sequence[str]) -> argparse.Namespace:
    """The parsed command line. Exits with 2, what is wrong and a hint when it is wrong."""
    parser = make_parser()
    argv, named = _named_files(argv)
    args, unknown = parser.parse_known_args(argv)
    if named is not None:
        args.only = [*(args.only or ()), *named]
    own = _parser_of(parser, args)
    if getattr(args, "question", "") is None:
        args.question, unknown = _bare_question(own, unknown), []
    if unknown:
        _refuse(own, args, unknown)
    return args


def _parser_of(parser: argparse.ArgumentParser, args: argparse.Namespace) -> _Parser:
    """That of the command, or of the action of a command, that was typed."""
    chosen = parser
    for name in (args.command, getattr(args, "action", None)):
        for action in chosen._actions:
            if name and isinstance(action, argparse._SubParsersAction):
                chosen = action.choices[name]
                break
    assert isinstance(chosen, _Parser)
    return chosen


def _refuse(own: _Parser, args: argparse.Namespace, unknown: Sequence[str]) -> NoReturn:
    for word in unknown:
        if close := _option_near(own, word):
            own.error(f"no option {word}", f"did you mean {close}?")
    question = getattr(args, "question", "")
    quoted = f"a question is one word, in quotes: {own.prog} {shlex.quote(' '.join([question, *unknown]))}"
    own.error(f"unrecognized arguments: {' '.join(unknown)}", quoted if question else "")


def _option_near(own: argparse.ArgumentParser, word: str) -> str:
    """The option of the command that a word was probably meant for."""
    flags = [flag for flag in own._option_string_actions if flag.startswith("--")]
    return _nearest(word.partition("=")[0], flags) if word.startswith("-") else ""


def _nearest(word: str, known: Iterable[str]) -> str:
    from difflib import get_close_matches

    return next(iter(get_close_matches(word, list(known), n=1, cutoff=0.8)), "")


def _named_files(argv: Sequence[str]) -> tuple[Sequence[str], Sequence[str] | None]:
    """The command line without what follows `--` in `muniment drift`, and that.

    Names of files that a hook hands over may look like options, and must not be taken for any.
    """
    if argv[:1] != ["drift"] or "--" not in argv:
        return argv, None
    dashes = list(argv).index("--")
    return argv[:dashes], argv[dashes + 1 :]


def _bare_question(own: _Parser, unknown: Sequence[str]) -> str:
    """What was typed where a question is missing: `muniment search --dry-run` asks for a flag of somebody's program.

    Not what looks like an option of ours with a slip in it: that is an error, as is no question at all.
    """
    for word in unknown:
        if close := _option_near(own, word):
            own.error(f"no option {word}", f"did you mean {close}? as a question: {own.prog} -- {word}")
    if not unknown:
        own.error("there is no QUESTION", f"one that is an option of ours: {own.prog} -- --json")
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
