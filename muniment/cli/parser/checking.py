"""The grammar of what holds documents, logs and tables against each other."""

from __future__ import annotations

from pathlib import Path

from muniment.cli.parser.options import Commands, add_command, add_common

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


def add_drift(commands: Commands) -> None:
    """Adds `muniment drift`."""
    text = "find where a repository's documents and its files disagree; needs no index, changes nothing"
    parser = add_command(commands, "drift", text)
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
    add_common(parser)


def add_quality(commands: Commands) -> None:
    """Adds `muniment quality`."""
    text = "check the published index: keys, hashes, lines, vectors, counts, age, claims, and canary questions"
    parser = add_command(commands, "quality", text)
    parser.add_argument("--docs", action="store_true", help="also write the pages, to reports/quality/ in the home")
    add_common(parser)


def add_effectiveness(commands: Commands) -> None:
    """Adds `muniment effectiveness`."""
    text = "how much of what searches and answers gathered was used, by type, kind or section"
    parser = add_command(commands, "effectiveness", text)
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
    add_common(parser)
