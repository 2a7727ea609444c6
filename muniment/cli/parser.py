"""The command line's grammar."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from muniment import __version__
from muniment.errors import EXIT_CODES

KIND_NAMES = ("header", "readme", "manual", "template", "doc", "note", "record")
FORMAT_NAMES = ("text", "json", "sarif", "markdown", "github", "patch")
CHECK_NAMES = (
    "default",
    "unknown-option",
    "undocumented-setting",
    "dead-link",
    "unparsed-flag",
    "missing-command",
    "python-api",
    "stated-version",
)
"""Those of `muniment.drift.FORMATS` and `schemas.claims.CHECKS`, which no other command should have to load."""


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
    parser = argparse.ArgumentParser(
        prog="muniment",
        description="An index over a repository's own documentation that answers with sources.",
        epilog=f"exit codes:\n{codes}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"muniment {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND", prog="muniment")
    _index(commands)
    _watch(commands)
    _search(commands)
    _ask(commands)
    _feedback(commands)
    _eval(commands)
    _drift(commands)
    _effectiveness(commands)
    _quality(commands)
    _nightly(commands)
    _serve(commands)
    _mcp(commands)
    _token(commands)
    for name, text in (
        ("status", "what is indexed, from which commit, and where it is kept"),
        ("config", "the settings in force, and where they come from"),
        ("doctor", "check that everything an index needs is there"),
    ):
        _common(commands.add_parser(name, help=text, description=text, allow_abbrev=False))
    return parser


def _index(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    text = "bring the index up to date with a repository"
    parser = commands.add_parser("index", help=text, description=text, allow_abbrev=False)
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
    _engine(parser)
    _common(parser)


def _watch(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    text = "bring the index up to date, now and whenever files have changed, until interrupted"
    parser = commands.add_parser("watch", help=text, description=text, allow_abbrev=False)
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
    _common(parser)


def _search(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    text = "find the passages that answer a question"
    parser = commands.add_parser("search", help=text, description=text, allow_abbrev=False)
    _question(parser, "words, a name, or a whole question")
    parser.add_argument(
        "--kind", action="append", default=[], choices=KIND_NAMES, help="only this kind of document (repeatable)"
    )
    parser.add_argument("--type", action="append", default=[], help="only this type of note, in any case (repeatable)")
    parser.add_argument("--section", action="append", default=[], help="only this section, in any case (repeatable)")
    _where(parser)
    parser.add_argument("--limit", type=int, default=5, help="how many hits (default: 5)")
    parser.add_argument(
        "--min-relevance", type=float, default=0.0, metavar="P", help="leave out hits that answer with less probability"
    )
    parser.add_argument("--explain", action="store_true", help="say what brought each hit to its place")
    parser.add_argument(
        "--mode", choices=("hybrid", "lexical", "vector"), default="hybrid", help="what to search by (default: hybrid)"
    )
    _common(parser)


def _ask(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    text = "answer a question, with the lines that the answer stands on"
    parser = commands.add_parser("ask", help=text, description=text, allow_abbrev=False)
    _question(parser, "a whole question, in quotes")
    parser.add_argument(
        "--model",
        default="",
        metavar="none|ollama|openai[:NAME]",
        help="who words the answer, among what the settings allow; none: the documents themselves",
    )
    _where(parser)
    parser.add_argument(
        "--today", default="", metavar="YYYY-MM-DD", help="what 'last November' is counted from (default: today)"
    )
    _common(parser)


def _feedback(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    text = "say which passages of a search or an answer were used"
    parser = commands.add_parser("feedback", help=text, description=text, allow_abbrev=False)
    parser.add_argument("assembly", metavar="ASSEMBLY", help="its id, as --json prints it")
    parser.add_argument("--used", nargs="+", required=True, metavar="CHUNK", help="ids of chunks that it gathered")
    _common(parser)


def _eval(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    text = "measure how well questions with known answers are found, by words, by vectors and by both"
    parser = commands.add_parser("eval", help=text, description=text, allow_abbrev=False)
    parser.add_argument(
        "file",
        type=Path,
        metavar="FILE",
        help='one question a line: {"query": "how is it restored", "gold": [{"path": "docs/restore.md"}]}; a gold may'
        " add heading, or start and end (lines); a question id, set and corpus (the name of a source)",
    )
    parser.add_argument("--plot", type=Path, metavar="PNG", help="also draw the figures into this file")
    parser.add_argument(
        "--prior",
        type=float,
        metavar="P",
        help="also measure hybrid search with what gets used as a prior of this strength, 0 to 0.1"
        " (default: ranking.effectiveness_prior)",
    )
    _common(parser)


def _where(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--path",
        action="append",
        default=[],
        metavar="GLOB",
        help="only paths that match this gitignore pattern (repeatable)",
    )
    parser.add_argument("--source", action="append", default=[], help="only this source (repeatable)")
    parser.add_argument(
        "--as-of",
        type=int,
        metavar="GENERATION",
        help="read an earlier generation ('muniment status' lists those kept)",
    )


def _question(parser: argparse.ArgumentParser, text: str) -> None:
    # Not required of argparse, so that `parse` can take a bare flag for the question.
    parser.add_argument("question", metavar="QUESTION", help=text).required = False


def _drift(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    text = "find where a repository's documents and its files disagree; needs no index, changes nothing"
    parser = commands.add_parser("drift", help=text, description=text, allow_abbrev=False)
    parser.add_argument(
        "repo",
        nargs="?",
        default=".",
        metavar="REPO",
        help="a git repository, or a folder in one whose findings are shown (default: the current folder)",
    )
    parser.add_argument("--check", action="store_true", help="exit with 1 when a finding is left")
    parser.add_argument("--format", choices=FORMAT_NAMES, help="how the report is written (default: text)")
    state = parser.add_mutually_exclusive_group()
    state.add_argument("--worktree", action="store_true", help="read the working copies of tracked files, not HEAD")
    state.add_argument("--staged", action="store_true", help="read what the next commit will hold, not HEAD")
    parser.add_argument(
        "--only",
        nargs="*",
        action="extend",
        metavar="PATH",
        help="only findings whose document or truth is one of these files or folders, seen from REPO; names after"
        " '--' count too, whatever they look like",
    )
    parser.add_argument(
        "--checks",
        action="append",
        default=[],
        metavar="CHECK",
        help=f"only this check (repeatable, or separated by commas): {', '.join(CHECK_NAMES)}",
    )
    parser.add_argument("--skip", action="append", default=[], metavar="CHECK", help="all but this check (repeatable)")
    baseline = parser.add_mutually_exclusive_group()
    baseline.add_argument("--baseline", type=Path, metavar="FILE", help="leave out the findings that this file knows")
    baseline.add_argument(
        "--write-baseline", type=Path, metavar="FILE", help="write a file that knows every finding of today"
    )
    parser.add_argument(
        "--all", action="store_true", help="show also the claims that agree and those that could not be judged"
    )
    _common(parser)


def _quality(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    text = "check the published index: keys, hashes, lines, vectors, counts, age, claims, and canary questions"
    parser = commands.add_parser("quality", help=text, description=text, allow_abbrev=False)
    parser.add_argument("--docs", action="store_true", help="also write the pages, to reports/quality/ in the home")
    _common(parser)


def _nightly(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    text = "what a night does: index, look for drift, count what was used, check the data, write the report"
    parser = commands.add_parser("nightly", help=text, description=text, allow_abbrev=False)
    _engine(parser)
    _common(parser)


def _effectiveness(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    text = "how much of what searches and answers gathered was used, by type, kind or section"
    parser = commands.add_parser("effectiveness", help=text, description=text, allow_abbrev=False)
    parser.add_argument(
        "--window-hours", type=int, default=168, metavar="N", help="how far back the log is read (default: 168)"
    )
    parser.add_argument(
        "--by", choices=("type", "kind", "section"), help="what to count apart (default: type; with --json all three)"
    )
    parser.add_argument("--plot", type=Path, metavar="PNG", help="also draw the figures into this file")
    parser.add_argument(
        "--import", dest="file", type=Path, metavar="FILE", help="take another assembler's log, JSON lines, into ours"
    )
    parser.add_argument(
        "--mapping",
        type=Path,
        metavar="TOML",
        help="what the fields of that file mean (default: a text whose blocks start with '[Type] title')",
    )
    _common(parser)


def _serve(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    text = "answer over HTTP, until interrupted"
    parser = commands.add_parser("serve", help=text, description=text, allow_abbrev=False)
    parser.add_argument("--host", metavar="ADDRESS", help="where to listen (default: serve.host, else 127.0.0.1)")
    parser.add_argument("--port", type=int, metavar="N", help="0: any free one (default: serve.port, else 8765)")
    _places(parser)


def _mcp(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    text = "answer one agent over stdin and stdout, by the Model Context Protocol"
    _places(commands.add_parser("mcp", help=text, description=text, allow_abbrev=False))


def _token(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    text = "make, list and revoke the tokens of 'muniment serve'"
    parser = commands.add_parser("token", help=text, description=text, allow_abbrev=False)
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    for name, said in (
        ("create", "make a token and print it, this once"),
        ("list", "names, scopes and ages"),
        ("revoke", "refuse a token from now on"),
    ):
        action = actions.add_parser(name, help=said, description=said, allow_abbrev=False)
        if name != "list":
            action.add_argument("name", metavar="NAME", help="what it is called here")
        if name == "create":
            action.add_argument(
                "--scope",
                choices=("read", "write"),
                default="read",
                help="read: search, ask and look; write: also index, evaluate and give feedback (default: read)",
            )
        _common(action)


def _engine(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--engine", choices=("auto", "direct", "prefect"), default="auto", help="who runs the steps (default: auto)"
    )


def _common(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    _places(parser)


def _places(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--home", metavar="DIR", help="folder of index, logs and reports (or MUNIMENT_HOME)")
    parser.add_argument("--config", metavar="FILE", help="settings file (or MUNIMENT_CONFIG)")
