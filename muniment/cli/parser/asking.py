"""The grammar of what looks for passages and answers."""

from __future__ import annotations

import argparse
from pathlib import Path

from muniment.cli.parser.options import Commands, add_command, add_common

KIND_NAMES = ("header", "readme", "manual", "template", "doc", "note", "record")


def add_search(commands: Commands) -> None:
    """Adds `muniment search`."""
    text = "find the passages that answer a question"
    parser = add_command(commands, "search", text)
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
    add_common(parser)


def add_ask(commands: Commands) -> None:
    """Adds `muniment ask`."""
    text = "answer a question, with the lines that the answer stands on"
    parser = add_command(commands, "ask", text)
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
    add_common(parser)


def add_feedback(commands: Commands) -> None:
    """Adds `muniment feedback`."""
    text = "say which passages of a search or an answer were used"
    parser = add_command(commands, "feedback", text)
    parser.add_argument("assembly", metavar="ASSEMBLY", help="its id, as --json prints it")
    parser.add_argument("--used", nargs="+", required=True, metavar="CHUNK", help="ids of chunks that it gathered")
    add_common(parser)


def add_eval(commands: Commands) -> None:
    """Adds `muniment eval`."""
    text = "measure how well questions with known answers are found, by words, by vectors and by both"
    parser = add_command(commands, "eval", text)
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
    add_common(parser)


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
        "--namespace",
        action="append",
        default=[],
        help="only notes of this namespace, a mission for example, in any case (repeatable)",
    )
    parser.add_argument(
        "--as-of",
        type=int,
        metavar="GENERATION",
        help="read an earlier generation ('muniment status' lists those kept)",
    )


def _question(parser: argparse.ArgumentParser, text: str) -> None:
    # Not required of argparse, so that `parse` can take a bare flag for the question.
    parser.add_argument("question", metavar="QUESTION", help=text).required = False
