"""Documented flags that the program does not parse."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from schemas.claims import Finding, Place
from tasks.drift.pages import format_of_page, read_page
from tasks.drift.pages.commands import commands
from tasks.drift.real.programs import Program, Programs
from tasks.drift.real.slips import closest
from tasks.drift.tree import TextFile, Tree

_TERM = re.compile(
    r"\s{0,40}(?:[-*] )?((?:-{1,2}[A-Za-z][\w-]{0,60}(?:[ =]\[?[<A-Z][\w<>|-]{0,40}\]?)?(?:, ?| ?\| ?|/| or | )?){1,4})"
    r"(?=\s{2}|\t|$|\s?[:#\u2013\u2014]|\s-)"
)
_FLAG = re.compile(r"(?<![\w-])(--[A-Za-z][\w-]{1,60}|-[A-Za-z])(?![\w-])")
_ANY_FLAG = re.compile(r"(?<![\w-])(--[a-z][\w-]{1,60})")
_HISTORIC = re.compile(
    r"\b(?:remov\w*|deprecat\w*|no longer|obsolete|formerly|renamed|not supported|ignored|pass(?:ed|es)?)\b",
    re.IGNORECASE,
)
_USAGE = re.compile(r"\s*+(?:usage:?|syntax:?|e\.?g\.?,?:?)?\s*+(?:[$#%] )?(?:sudo )?[./\w-]{0,60}$", re.IGNORECASE)
_ROFF = re.compile(r"(\.IP |\.BI? |\.BR |\\fB)?\"?(?=\\?-)")
_STOPS = (">", "|", "&", ";", "`", "#")


def find_unparsed_flags(tree: Tree) -> Iterator[Finding]:
    """A finding for each flag that a script's own header, or a command line in a document, gives a script of this
    tree that has no trace of it.

    Programs that hand their arguments on, or whose parser can't be read, are not judged.
    """
    programs = Programs(tree)
    for file in tree.documents:
        seen: set[tuple[str, str]] = set()
        for line, flag, program in sorted(_documented(programs, file), key=lambda one: one[0]):
            key = (flag, program.file.path)
            if (
                key not in seen
                and program.judged
                and not program.parses(flag)
                and not _HISTORIC.search(file.lines[line - 1])
            ):
                seen.add(key)
                yield _finding(file.path, line, flag, program)


def _documented(programs: Programs, file: TextFile) -> Iterator[tuple[int, str, Program]]:
    """Line, flag and program of each flag that a document gives to a script of its tree."""
    if file.kind == "header":
        program = programs.of(file)
        return ((line, flag, program) for line, flag in _own_flags(program))
    if format_of_page(file):
        return _page_flags(programs, file)
    return _manual_flags(programs, file) if file.suffix.isdigit() else iter(())


def _own_flags(program: Program) -> Iterator[tuple[int, str]]:
    """The flags that a script's documentation explains one to a line, or gives in its usage."""
    file = program.file
    for line, text in read_page(file).documentation:
        if "-" not in text:
            continue
        if text.lstrip().startswith(("-", "*")):
            yield from ((line, flag) for flag in _term_flags(text))
        elif (place := text.find(file.name)) >= 0 and _USAGE.match(text[:place]):
            yield from ((line, flag) for flag in _given_flags(text[place + len(file.name) :].split()))


def _page_flags(programs: Programs, file: TextFile) -> Iterator[tuple[int, str, Program]]:
    """The flags of the command lines of a document, and those explained under a script's name."""
    page = read_page(file)
    for command in commands(page):
        if called := programs.called(command.words):
            yield from ((command.line, flag, called[0]) for flag in _given_flags(called[1]))
    named = [(heading.line, program) for heading in page.headings if (program := programs.named(heading.text))]
    bounds = [heading.line for heading in page.headings]
    for line, program in named:
        end = next((bound for bound in bounds if bound > line), len(file.lines) + 1)
        for term in page.terms:
            if line < term.line < end and term.name.startswith("-"):
                yield from ((term.line, flag, program) for flag in _FLAG.findall(term.name))


def _manual_flags(programs: Programs, file: TextFile) -> Iterator[tuple[int, str, Program]]:
    """The flags that a manual page of a script explains."""
    program = programs.named(file.name.rpartition(".")[0])
    if program:
        for number, (above, line) in enumerate(pairwise(("", *file.lines)), start=1):
            if (found := _ROFF.match(line)) and (found[1] == ".IP " or above.startswith(".TP")):
                text = (
                    line[found.end() :].replace("\\-", "-").replace("\\fB", "").replace("\\fR", "").replace("\\fI", "")
                )
                yield from ((number, flag, program) for flag in _term_flags(text.strip('" ')))


def _term_flags(text: str) -> list[str]:
    found = _TERM.match(text)
    return _FLAG.findall(found[1]) if found else []


def _given_flags(words: Sequence[str]) -> Iterator[str]:
    for word in words:
        if word.startswith(_STOPS) or word == "--":
            return
        flag = word.strip("[]\"'(){},.").partition("=")[0]
        if _FLAG.fullmatch(flag):
            yield flag


def _finding(path: str, line: int, flag: str, program: Program) -> Finding:
    near = closest(flag, _ANY_FLAG.findall(program.code), cutoff=0.75) if len(flag) > 3 else ""
    message = f"{program.file.name} does not parse {flag}" + (f"; it parses {near}" if near else "")
    truth = Place(program.file.path, 1)
    return Finding("unparsed-flag", path, line, message, flag, flag, near, truth, program.language)
