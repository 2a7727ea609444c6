"""The command line's grammar."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from muniment import __version__
from muniment.errors import EXIT_CODES

KIND_NAMES = ("header", "readme", "manual", "template", "doc", "note", "record")


def parse(argv: Sequence[str]) -> argparse.Namespace:
    """The parsed command line. Exits with 2 and a usage line when it is wrong."""
    return make_parser().parse_args(argv)


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
    _search(commands)
    _ask(commands)
    _feedback(commands)
    _eval(commands)
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
    parser.add_argument(
        "--engine", choices=("auto", "direct", "prefect"), default="auto", help="who runs the steps (default: auto)"
    )
    _common(parser)


def _search(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    text = "find the passages that answer a question"
    parser = commands.add_parser("search", help=text, description=text, allow_abbrev=False)
    parser.add_argument("question", metavar="QUESTION", help="words, a name, or a whole question")
    parser.add_argument(
        "--kind", action="append", default=[], choices=KIND_NAMES, help="only this kind of document (repeatable)"
    )
    parser.add_argument("--section", action="append", default=[], help="only this section, in any case (repeatable)")
    parser.add_argument(
        "--path",
        action="append",
        default=[],
        metavar="GLOB",
        help="only paths that match this gitignore pattern (repeatable)",
    )
    parser.add_argument("--source", action="append", default=[], help="only this source (repeatable)")
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
    parser.add_argument("question", metavar="QUESTION", help="a whole question, in quotes")
    parser.add_argument(
        "--model",
        default="",
        metavar="none|ollama|openai[:NAME]",
        help="who words the answer, among what the settings allow; none: the documents themselves",
    )
    parser.add_argument(
        "--path",
        action="append",
        default=[],
        metavar="GLOB",
        help="only paths that match this gitignore pattern (repeatable)",
    )
    parser.add_argument("--source", action="append", default=[], help="only this source (repeatable)")
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
    _common(parser)


def _common(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    parser.add_argument("--home", metavar="DIR", help="folder of index, logs and reports (or MUNIMENT_HOME)")
    parser.add_argument("--config", metavar="FILE", help="settings file (or MUNIMENT_CONFIG)")
