"""Documented make targets, package scripts, recipes and sub-commands that do not exist."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from difflib import get_close_matches
from posixpath import normpath

from schemas.claims import Finding, Place
from tasks.drift.commands import Command, commands
from tasks.drift.makefiles import Runnable, justfile_at, makefile_at, package_at
from tasks.drift.pages import format_of_page, read_page
from tasks.drift.programs import Programs
from tasks.drift.tree import TextFile, Tree

_NAME = re.compile(r"[A-Za-z][\w.:-]{0,80}$")
_PLACEHOLDER = re.compile(r"(?:target|targets|name|command|task|script|recipe|sure|it|foo|bar|something|x+)$", re.IGNORECASE)
_HISTORY = re.compile(r"(?:^|/)(?:change(?:s|log)|news|history|releases?|release[-_]?notes|upgrad\w*|migrat\w*)\b", re.IGNORECASE)

_SUBCOMMAND = re.compile(r"[a-z][a-z_-]{1,40}$")

Finder = Callable[[Tree, str], Runnable | None]


def find_missing_commands(tree: Tree) -> Iterator[Finding]:
    """A finding for each `make X`, `npm run X`, `just X` or `script.sh X` of a document whose file is there and has no X."""
    programs = Programs(tree)
    for file in tree.documents:
        if format_of_page(file) in ("markdown", "rst", "adoc") and not _HISTORY.search(file.path):
            found = [finding for command in commands(read_page(file)) for finding in _judge(programs, file, command)]
            unique = {finding.option: finding for finding in reversed(found)}
            yield from sorted(unique.values(), key=lambda finding: finding.line)


def _judge(programs: Programs, file: TextFile, command: Command) -> Iterator[Finding]:
    words, tree = command.words, programs.tree
    if words[0] in ("make", "gmake"):
        folder, names = _make_words(words[1:])
        places = [folder] if folder is not None else ["", file.folder]
        yield from _missing(tree, file, command, makefile_at, places, names, "make")
    elif words[0] == "just":
        yield from _missing(tree, file, command, justfile_at, ["", file.folder], words[1:2], "just")
    elif words[0] in ("npm", "yarn", "pnpm", "bun") and words[1:2] in (("run",), ("run-script",)):
        yield from _missing(tree, file, command, package_at, ["", file.folder], words[2:3], f"{words[0]} run")
    elif called := programs.called(words):
        program, arguments = called
        name = arguments[0] if arguments else ""
        if _SUBCOMMAND.match(name) and len(program.subcommands) > 1 and name not in program.subcommands:
            if not re.search(rf"\b{name}\b", program.code):
                script = program.file
                yield _finding(file, command, f"{script.name} {name}", name, Runnable(script.path, program.subcommands))


def _make_words(words: Sequence[str]) -> tuple[str | None, list[str]]:
    """The folder that `-C` names, and the targets."""
    folder, targets, waiting = None, [], ""
    for word in words:
        if waiting:
            folder, waiting = (word.rstrip("/") if waiting == "-C" else "\0"), ""
        elif word in ("-C", "-f", "-j", "-I", "-o", "-W"):
            waiting = "" if word == "-j" else word
        elif not word.startswith("-") and "=" not in word:
            targets.append(word)
        if word.startswith((">", "<", "(", "#", "`")):
            break
    return folder, targets


def _missing(
    tree: Tree, file: TextFile, command: Command, find: Finder, places: Sequence[str], names: Sequence[str], tool: str
) -> Iterator[Finding]:
    if command.folder is None:
        return
    folders = {normpath(f"{place}/{command.folder}").strip("/.") if place or command.folder else "" for place in places}
    files = [runnable for folder in sorted(folders) if (runnable := find(tree, folder))]
    for name in names:
        plain = name.strip("\"'`,.;)")
        if not _NAME.match(plain) or _PLACEHOLDER.match(plain) or plain != name:
            break
        if files and not any(runnable.runs(plain) for runnable in files) and not _is_built(tree, plain):
            yield _finding(file, command, f"{tool} {plain}", plain, files[0])


def _is_built(tree: Tree, name: str) -> bool:
    """Whether make may know by itself how to build it, or that there is nothing to do."""
    return any(path == name or path.startswith(name + ".") for path in tree.paths if "/" not in path)


def _finding(file: TextFile, command: Command, shown: str, name: str, runnable: Runnable) -> Finding:
    near = get_close_matches(name, sorted(runnable.names), n=1, cutoff=0.8)
    message = f"'{shown}' is documented, but {runnable.path} has no {name}" + (f"; it has {near[0]}" if near else "")
    actual = near[0] if near else ""
    return Finding("missing-command", file.path, command.line, message, shown, name, actual, Place(runnable.path, 1))
