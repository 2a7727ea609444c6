"""Documented make targets, package scripts, recipes and sub-commands that do not exist."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from posixpath import normpath

from schemas.claims import Finding, Place
from tasks.drift.pages import format_of_page, read_page
from tasks.drift.pages.commands import Command, commands
from tasks.drift.real.makefiles import Runnable, justfile_at, makefile_at, package_at
from tasks.drift.real.programs import Program, Programs
from tasks.drift.real.slips import closest
from tasks.drift.tree import TextFile, Tree

_NAME = re.compile(r"[A-Za-z][\w.:-]{0,80}$")
_SUBCOMMAND = re.compile(r"[a-z][a-z_-]{1,40}$")
_PLACEHOLDER = re.compile(
    # And what follows `make` in a sentence: the help of a program stands in fences, too.
    r"(?:targets?|names?|command|task|script|recipe|sure|it|foo|bar|something|x+|an?|the|your|this|that)$",
    re.IGNORECASE,
)
_HISTORY = re.compile(
    r"(?:^|/)(?:change(?:s|log)|news|history|releases?|release[-_]?notes|upgrad\w*|migrat\w*)\b", re.IGNORECASE
)
_RUNNERS = ("npm", "yarn", "pnpm", "bun")

Finder = Callable[[Tree, str], Runnable | None]
Missing = tuple[str, str, Runnable]
"""What stands before a name, the name, and the file that lacks it."""


def find_missing_commands(tree: Tree) -> Iterator[Finding]:
    """A finding for each `make X`, `npm run X`, `just X` or `script.sh X` of a document whose file has no X.

    Commands below a `cd` to a place that is not in the tree are not judged, nor what a Makefile may generate.
    """
    look = _Look(tree)
    for file in tree.documents:
        if format_of_page(file) in ("markdown", "rst", "adoc") and not _HISTORY.search(file.path):
            first: dict[str, Finding] = {}
            for command in commands(read_page(file)):
                for before, name, runnable in _judge(look, file, command):
                    first.setdefault(f"{before} {name}", _finding(file, command.line, before, name, runnable))
            yield from sorted(first.values(), key=lambda finding: finding.line)


@dataclass(frozen=True)
class _Look:
    """What is looked up over and over in one tree."""

    tree: Tree
    _found: dict[Finder, list[Runnable]] = field(default_factory=dict)

    @cached_property
    def programs(self) -> Programs:
        return Programs(self.tree)

    def everywhere(self, find: Finder) -> list[Runnable]:
        """The files of one kind in all folders."""
        if find not in self._found:
            folders = sorted({file.folder for file in self.tree.files.values()})
            self._found[find] = [runnable for folder in folders if (runnable := find(self.tree, folder))]
        return self._found[find]

    def builds(self, name: str) -> bool:
        """Whether make may know by itself how to build something, or that there is nothing to do."""
        return any(path == name or path.startswith(name + ".") for path in self.tree.paths if "/" not in path)


def _judge(look: _Look, file: TextFile, command: Command) -> Iterator[Missing]:
    words = command.words
    if words[0] in ("make", "gmake"):
        folder, names = _make_words(words[1:])
        places = [folder] if folder is not None else _folders(file)
        yield from _lacking(look, command, makefile_at, places, ("make", names))
    elif words[0] == "just":
        yield from _lacking(look, command, justfile_at, _folders(file), ("just", words[1:2]))
    elif words[0] in _RUNNERS and words[1:2] in (("run",), ("run-script",)):
        yield from _lacking(look, command, package_at, _folders(file), (f"{words[0]} run", words[2:3]))
    elif (called := look.programs.called(words)) and called[1]:
        yield from _subcommand(called[0], called[1][0])


def _lacking(
    look: _Look, command: Command, find: Finder, places: Sequence[str], run: tuple[str, Sequence[str]]
) -> Iterator[Missing]:
    """The names that are in no file a command may mean, nor in another of its kind: text may say where to run it."""
    before, names = run
    if command.folder is None:
        return
    folders = {normpath(f"{place}/{command.folder}").strip("/.") if place or command.folder else "" for place in places}
    files = [runnable for folder in sorted(folders) if (runnable := find(look.tree, folder))]
    for name in names:
        if not _NAME.match(name) or _PLACEHOLDER.match(name):
            return
        if files and not look.builds(name) and not any(one.runs(name) for one in (*files, *look.everywhere(find))):
            yield before, name, files[0]


def _subcommand(program: Program, name: str) -> Iterator[Missing]:
    """The first argument of a script that takes one of a few words, where its code has no trace of this one."""
    known = program.subcommands
    if _SUBCOMMAND.match(name) and len(known) > 1 and not re.search(rf"\b{name}\b", program.code):
        yield program.file.name, name, Runnable(program.file.path, known)


def _folders(file: TextFile) -> list[str]:
    """The folders in which a document's commands may be meant: its own and those above."""
    parts = file.folder.split("/") if file.folder else []
    return ["/".join(parts[:count]) for count in range(len(parts) + 1)]


def _make_words(words: Sequence[str]) -> tuple[str | None, list[str]]:
    """The folder that `-C` names, if any, and the targets."""
    folder: str | None = None
    targets: list[str] = []
    above = ""
    for word in words:
        if word.startswith((">", "<", "(", "#", "`", "-f")):
            return folder, [] if word.startswith("-f") else targets
        if above == "-C":
            folder = word.rstrip("/")
        elif not word.startswith("-") and "=" not in word and not word.isdigit():
            targets.append(word)
        above = word
    return folder, targets


def _finding(file: TextFile, line: int, before: str, name: str, runnable: Runnable) -> Finding:
    near = closest(name, runnable.names)
    told = f"; it has {near}" if near else ""
    message = f"'{before} {name}' is documented, but {runnable.path} has no {name}{told}"
    truth = Place(runnable.path, 1)
    return Finding("missing-command", file.path, line, message, f"{before} {name}", name, near, truth)
