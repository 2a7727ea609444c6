"""What a repository's own scripts parse from their command lines."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from tasks.drift.real.names import code_of
from tasks.drift.tree import TextFile, Tree

_SHELL_SUFFIXES = ("sh", "bash", "zsh", "ksh")
_SUFFIXES = {"py": "python", "pl": "perl", "php": "php"} | dict.fromkeys(_SHELL_SUFFIXES, "shell")
_BASH = re.compile(r"#!.{0,60}\b(?:ba|da|z|k)?sh\b")
_SOURCED = re.compile(r"^[ \t]*(?:\.|source)[ \t]+[\"']?([^\s\"';]{1,200})", re.MULTILINE)
_FUNCTION = re.compile(r"[ \t]*(?:function[ \t]+)?([\w:.-]{1,80})[ \t]*\(\)|[ \t]*function[ \t]+([\w:.-]{1,80})")
_ALL_ARGUMENTS = re.compile(r"\$(?:@|\{@(?::\d{1,2})?\})")
_BRACKETS = re.compile(r"[(){};]")
_FIRST_ARGUMENT = re.compile(r"^case[ \t]+\"?\$\{?1[\"}:\- ]{0,6}[^\n]{0,20}\bin\b", re.MULTILINE)
_CLOSED = re.compile(r"^[ \t]*\*\)[^)]{0,200}?(?:usage|exit|die|unknown|invalid|help)", re.MULTILINE | re.IGNORECASE)
_ADDED_PARSER = re.compile(r"\.add_parser\(\s{0,40}[\"']([\w-]{1,60})[\"']")
_WORD = re.compile(r"[a-z][a-z0-9_-]{1,40}$")
_GETOPTS = re.compile(r"\bgetopts[ \t]+[\"']?:?([A-Za-z0-9:?]{1,80})")
_ANY_GETOPTS = re.compile(r"\bgetopts\b")
_GETOPT = re.compile(r"\bgetopt[ \t]")
_ARM = re.compile(r"^[ \t]*\(?([^\s()#][^()#\n]{0,200}?)\)", re.MULTILINE)
_HARMLESS = frozenset({
    "set", "for", "echo", "printf", "getopt", "shift", "local", "if", "while", "until", "log", "case", "test",
    "[", "[[",
})  # fmt: skip
_ADDERS = frozenset({"add_argument", "option"})
_PARSERS = ("argparse", "click", "typer")
_DYNAMIC = re.compile(
    r"parse_known_args|REMAINDER|parents\s?=|ignore_unknown_options|allow_extra_args|docopt|fire\.Fire|UNPROCESSED"
)


@dataclass(frozen=True)
class Program:
    """A script, and whether its options can be told by reading it."""

    file: TextFile
    tree: Tree = field(repr=False)

    @cached_property
    def code(self) -> str:
        """Its code, and that of the files it sources, without comments."""
        texts = [code_of(file) for file in (self.file, *self._sourced())]
        return "\n".join(line for text in texts for line in text.split("\n") if not line.lstrip().startswith("#"))

    @cached_property
    def language(self) -> str:
        """`shell`, `python`, `perl`, `php`, or nothing."""
        suffix, first = self.file.suffix, self.file.lines[0][:80]
        if suffix in _SUFFIXES:
            return _SUFFIXES[suffix]
        named = next((name for name in ("python", "perl", "php") if name in first), "")
        return named if first.startswith("#!") and named else "shell" if _BASH.match(first) else ""

    @cached_property
    def judged(self) -> bool:
        """Whether it parses options by itself, hands none on unseen, and builds none of their names."""
        if self.language == "shell":
            return self._parses_in_shell() and not self._hands_on()
        if self.language == "python":
            return self._parses_in_python()
        if self.language == "perl":
            return "GetOptions(" in self.code and "pass_through" not in self.code
        return self.language == "php" and bool(re.search(r"\bgetopt\s?\(", self.code))

    def parses(self, flag: str) -> bool:
        """Whether a flag is, or may be, one that it parses."""
        name = flag.lstrip("-")
        if flag in ("-h", "--help", "--version", "-V", "-?"):
            return True
        if len(name) == 1:
            return self._parses_letter(name)
        if self.language == "shell":
            return flag in self.code or bool(_GETOPT.search(self.code) and name in self.code)
        names = {name, name.replace("-", "_"), name.removeprefix("no-")}
        return any(one in self.code for one in names)

    def _parses_letter(self, letter: str) -> bool:
        strings = _GETOPTS.findall(self.code)
        if any(letter in found for found in strings):
            return True
        if strings and len(strings) == len(_ANY_GETOPTS.findall(self.code)):
            return re.search(rf"(?<![\w-])-{letter}(?:[)|\"']|\s*\))", self.code) is not None
        return self.language in ("perl", "php") or bool(re.search(rf"(?<![\w-])-[A-Za-z]{{0,8}}{letter}", self.code))

    def _sourced(self) -> Iterator[TextFile]:
        if self.language != "shell":
            return
        for found in _SOURCED.findall(self.file.text):
            name = found.rpartition("/")[2]
            yield from [file for file in self.tree.files.values() if file.name == name and "." in name][:3]

    def _parses_in_shell(self) -> bool:
        return bool(_GETOPTS.search(self.code)) or any(
            arm.strip(" \t\"'").startswith("-") for arm in _ARM.findall(self.code)
        )

    def _hands_on(self) -> bool:
        """Whether something other than a function of its own gets all of the script's arguments.

        A script that uses `getopts` has read its options before it hands on what is left.
        """
        if _GETOPTS.search(self.code):
            return False
        bodies = _bodies(self.code)
        waiting, seen = [""], set[str]()
        while waiting:
            seen.add(name := waiting.pop())
            for line in bodies[name]:
                if _ALL_ARGUMENTS.search(line):
                    words = {word.strip("\"'") for word in _BRACKETS.sub(" ", line).split()}
                    called = words & bodies.keys()
                    if not called and not words & _HARMLESS:
                        return True
                    waiting += called - seen
        return False

    @cached_property
    def subcommands(self) -> frozenset[str]:
        """The words that it takes as its first argument; empty where that can't be told, or it takes others too."""
        if self.language == "python" and self.judged:
            return frozenset(_ADDED_PARSER.findall(self.code))
        found = _FIRST_ARGUMENT.search(self.code) if self.language == "shell" else None
        if not found:
            return frozenset()
        block = self.code[found.end() :].partition("\nesac")[0]
        arms = [arm.strip() for arm in _ARM.findall(block)]
        closed = _CLOSED.search(block) is not None
        words = {word.strip("\"' ") for arm in arms for word in arm.split("|")}
        return frozenset(word for word in words if _WORD.match(word)) if closed else frozenset()

    def _parses_in_python(self) -> bool:
        """Whether its options are all literals, and its parser is given to nothing that may add others."""
        text = self.file.text
        if _DYNAMIC.search(text) or not any(f"import {name}" in text for name in _PARSERS):
            return False
        nodes = list(ast.walk(_parse(text)))
        calls = [node for node in nodes if isinstance(node, ast.Call)]
        added = [call for call in calls if isinstance(call.func, ast.Attribute) and call.func.attr in _ADDERS]
        literal = all(call.args and isinstance(call.args[0], ast.Constant) for call in added)
        parsers = {name for node in nodes if isinstance(node, ast.Assign) for name in _made_parsers(node)}
        given = any(
            isinstance(argument, ast.Name) and argument.id in parsers for call in calls for argument in call.args
        )
        return bool(added) and literal and not given


def _bodies(code: str) -> dict[str, list[str]]:
    """Function -> the lines of its body; under an empty name those outside of functions."""
    bodies: dict[str, list[str]] = {"": []}
    name = ""
    for line in code.split("\n"):
        if found := _FUNCTION.match(line):
            opened = found[1] or found[2]
            bodies.setdefault(opened, []).append(line[found.end() :])
            name = "" if line.rstrip().endswith("}") else opened
        else:
            bodies[name].append(line)
            name = "" if line.startswith("}") else name
    return bodies


def _parse(text: str) -> ast.Module:
    """The module; an empty one for text that can't be parsed."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ast.Module([], [])


def _made_parsers(assigned: ast.Assign) -> Iterator[str]:
    """The names that a new parser is bound to."""
    if isinstance(assigned.value, ast.Call) and ast.unparse(assigned.value.func).endswith("ArgumentParser"):
        yield from (target.id for target in assigned.targets if isinstance(target, ast.Name))


@dataclass(frozen=True)
class Programs:
    """The scripts of a tree, by the words that call them."""

    tree: Tree

    @cached_property
    def _by_name(self) -> dict[str, list[TextFile]]:
        named: dict[str, list[TextFile]] = {}
        for file in self.tree.files.values():
            if file.kind == "header":
                named.setdefault(file.name, []).append(file)
        return named

    @cached_property
    def _made(self) -> dict[str, Program]:
        return {}

    def of(self, file: TextFile) -> Program:
        """The program that a script is."""
        return self._made.setdefault(file.path, Program(file, self.tree))

    def named(self, text: str) -> Program | None:
        """The one script that a heading, or a manual page's name, is of."""
        words = text.strip().split()
        name = words[0].strip("`*:") if words and len(words) <= 3 else ""
        files = self._by_name.get(name.rpartition("/")[2], [])
        return self.of(files[0]) if len(files) == 1 else None

    def called(self, words: tuple[str, ...]) -> tuple[Program, tuple[str, ...]] | None:
        """The script that a command runs and the arguments it gets; None where it is none of this tree, or not one."""
        for index, word in enumerate(words[:3]):
            path = word.strip("\"'").removeprefix("./")
            files = [file for file in self._by_name.get(path.rpartition("/")[2], ()) if _ends(file.path, path)]
            if len(files) == 1:
                return self.of(files[0]), words[index + 1 :]
            if index == 0 and word not in ("bash", "sh", "python", "python3", "perl", "php", "zsh"):
                return None
        return None


def _ends(path: str, called: str) -> bool:
    return path == called or path.endswith("/" + called.lstrip("./"))
