"""Where documents mention Python names: in code type, in roles and directives, and in the imports of their examples."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import re2

from tasks.drift.pages import Fence, format_of_page, read_page
from tasks.drift.tree import TextFile

_NAME = r"[A-Za-z_]\w{0,80}(?:\.[A-Za-z_]\w{0,80}){1,8}"
_SPAN = re2.compile(rf"~?({_NAME})(\(.{{0,200}}\))?")
_ROLE = re2.compile(
    rf":(?:py:)?(?:class|func|meth|attr|data|exc|mod|obj):`(?:[^`<>]{{0,100}}<)?[~!]?({_NAME})(?:\(\))?>?`"
)
_DIRECTIVE = re2.compile(
    r"^(\s*)\.\. (?:py:)?(module|currentmodule|automodule|class|autoclass|autoexception|exception|function|autofunction"
    r"|method|automethod|attribute|autoattribute|data|autodata)::\s+(?:async\s+)?([A-Za-z_][\w.]{0,200})(?:\((.{0,600})\))?"
)
_MKDOCS = re2.compile(rf"^::: ({_NAME})\s*$")
_FROM = re2.compile(r"^(?:>>> )?from ([A-Za-z_][\w.]{0,200}) import ([\w, ]{1,300}?)\s*(?:#.*)?$")
_IMPORT = re2.compile(r"^(?:>>> )?import ([A-Za-z_][\w.]{0,200})\s*(?:as \w+\s*)?(?:#.*)?$")
_PYTHON = ("python", "py", "python3", "pycon", "py3", "")
_MODULES = ("module", "currentmodule", "automodule")


@dataclass(frozen=True, slots=True)
class Mention:
    """A dotted name in a document."""

    line: int
    name: str
    sure: bool
    """It is marked as a Python name, not just set in code type."""
    called: bool = False
    """It stands with parentheses."""
    declares: bool = False
    """The document describes it itself, as it may an interface or an optional hook that no code spells out."""
    signature: str | None = None
    """What stands between the parentheses of a declaration."""


def mentions(file: TextFile) -> Iterator[Mention]:
    """The names that a document mentions, those of one kind by line."""
    page = read_page(file)
    for span in page.spans:
        if found := _SPAN.fullmatch(span.text.strip()):
            yield Mention(span.line, found[1], False, bool(found[2]))
    for fence in page.fences:
        if fence.language in _PYTHON:
            yield from _imported(fence)
    form = format_of_page(file)
    if form == "rst":
        yield from _of_rst(
            file, frozenset(n for fence in page.fences for n in range(fence.line, fence.line + len(fence.lines)))
        )
    elif form == "markdown":
        yield from (
            Mention(number, found[1], True)
            for number, line in enumerate(file.lines, start=1)
            if line.startswith(":::") and (found := _MKDOCS.match(line))
        )


def _imported(fence: Fence) -> Iterator[Mention]:
    for number, line in enumerate(fence.lines, start=fence.line):
        text = line.strip()
        if found := _FROM.match(text):
            names = (part.split() for part in found[2].split(","))
            yield from (Mention(number, f"{found[1]}.{words[0]}", True) for words in names if words)
        elif (found := _IMPORT.match(text)) and "." in found[1]:
            yield Mention(number, found[1], True)


def _of_rst(file: TextFile, code: frozenset[int]) -> Iterator[Mention]:
    module, owner, depth = "", "", -1
    for number, line in enumerate(file.lines, start=1):
        if number in code:
            continue
        if ":`" in line:
            yield from (Mention(number, found[1], True) for found in _ROLE.finditer(line))
        found = _DIRECTIVE.match(line) if ".. " in line else None
        if not found:
            continue
        indent, kind, name = len(found[1]), found[2], found[3].strip(".")
        owner, depth = ("", -1) if indent <= depth else (owner, depth)
        if kind in _MODULES:
            module = name
            continue
        inner = owner and kind.endswith(("method", "attribute"))
        above = (
            (owner.rpartition(".")[0] if name.startswith(f"{owner.rpartition('.')[2]}.") else owner)
            if inner
            else module
        )
        # `Tower.ring` is one of the module; `requests.Response` is another's.
        absolute = not above or ("." in name and (name[0].islower() or name.startswith(f"{above.partition('.')[0]}.")))
        full = name if absolute else f"{above}.{name}"
        if kind.endswith(("class", "exception")):
            owner, depth = full, indent
        if "." in full:
            declares = not kind.startswith("auto")
            yield Mention(number, full, True, found[4] is not None, declares, found[4] if declares else None)
