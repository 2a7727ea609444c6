"""Conf templates and defaults files: one piece per setting, with the comment above it."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from itertools import pairwise, takewhile

from schemas.chunks import Document
from tasks.chunk.boilerplate import documenting
from tasks.chunk.layout import Heading, Layout, first_level, is_rule, shorten
from tasks.chunk.sections import heading_words, is_between_rules, is_capitals, reads_as_heading

TINY = 200
"""In characters: an uncommented setting up to this long joins its neighbours ..."""
GROUP = 600
"""... until the group is this long."""

_MARKER = re.compile(r"(?:#+|;+|//+|/\*+|\*+/?)[ \t]?")
_SECTION = re.compile(r"\[{1,2}([^\[\]=]{1,80})\]{1,2}\s*(?:[#;].*)?$")
_ASSIGNED = re.compile(r"(?:export |set |local )?([$\w\[\]'\".:/@-]{1,80}?)\s{0,20}(?:[+:?]?=(?!=)|=>)")
_COLON = re.compile(r"([\"']?[\w./-]{1,80}[\"']?)\s?:(?:\s|$)")
_OPENS = re.compile(r"<?([A-Za-z_][\w.:/* -]{0,80}?)\s{0,8}=?\s{0,8}[{>]\s*$")
_WORD = re.compile(r"<?([A-Za-z_$@!%][\w.:/-]{0,80})")
_OFF = re.compile(r"(?:#|;|//)([\w.\[\]-]{1,80})\s{0,20}=(?!>)|(?:#|;|//)[ \t]([\w.-]{1,80})\s?=\s?\S*$")
_OFF_WORD = re.compile(r"(?:#|;|//)([A-Za-z][\w.-]{0,80})(?::?\s{1,20}\S{1,200}){0,2}\s*$")
_SPACED_PROSE = re.compile(r"(?:#+|;+|//+) [A-Za-z]")
_FRAME = re.compile(r"(?:<\?php|\?>|#!|%YAML)")


class _Look(Enum):
    BLANK = auto()
    RULE = auto()
    COMMENT = auto()
    BANNER = auto()
    SECTION = auto()
    SETTING = auto()
    MORE = auto()


_Seen = tuple[_Look, str]


@dataclass(frozen=True, slots=True)
class _Run:
    """A line, or lines of comment, and whether blank lines stand before it."""

    look: _Look
    line: int
    name: str
    gap: bool


@dataclass(frozen=True, slots=True)
class _Unit:
    """A section, a setting, or (without a title) a comment that belongs to no setting."""

    start: int
    level: int
    title: str
    line_end: int
    commented: bool = True
    apart: bool = True
    """A blank line stands before it."""


def read_template(document: Document) -> Layout:
    """Settings (level 2) under `[sections]`, or under banner comments where there are no such sections."""
    lines = document.text.split("\n")
    units = list(_units(_runs(_looks(lines))))
    return Layout(
        lines,
        _documentation(lines),
        list(_headings(lines, units)),
        sorted({unit.start for unit in units} | set(_nested_starts(lines))),
        section=first_level,
    )


def _documentation(lines: Sequence[str]) -> list[bool]:
    """For each line whether it documents something; licence and author at the top of the file do not."""
    head = list(takewhile(lambda line: not line.strip() or _MARKER.match(line), lines))
    kept = documenting([_MARKER.sub("", line, count=1) for line in head])
    return [keep and _documents(line) for keep, line in zip(kept, head, strict=True)] + [
        _documents(line) for line in lines[len(head) :]
    ]


def _documents(line: str) -> bool:
    return bool(line.strip()) and not is_rule(line.lstrip().lstrip(";/")) and not _FRAME.match(line)


def _looks(lines: Sequence[str]) -> list[_Seen]:
    """What each line is, with the name it gives."""
    spaced = any(_SPACED_PROSE.match(line) for line in lines)
    looks: list[_Seen] = []
    continued = False
    for line in lines:
        looks.append((_Look.MORE, "") if continued and line.strip() else _look(line, spaced))
        continued = line.endswith("\\") and looks[-1][0] in (_Look.SETTING, _Look.MORE)
    if not any(look is _Look.SECTION for look, _ in looks):
        for index, (look, _) in enumerate(looks):
            if look is _Look.COMMENT and (name := _banner(lines, looks, index)):
                looks[index] = _Look.BANNER, name
    return looks


def _look(line: str, spaced: bool) -> _Seen:
    if not line.strip():
        return _Look.BLANK, ""
    if not _documents(line):
        return _Look.RULE, ""
    if line[0].isspace() or line.startswith(("}", ")", "]", "</", "-")):
        return _Look.MORE, ""
    if found := _SECTION.match(line):
        return _Look.SECTION, found[1]
    if _MARKER.match(line):
        return _commented(line, spaced)
    found = _OPENS.match(line) or _ASSIGNED.match(line) or _COLON.match(line) or _WORD.match(line)
    return (_Look.SETTING, found[1].strip("\"'")) if found else (_Look.MORE, "")


def _commented(line: str, spaced: bool) -> _Seen:
    """A comment or a setting commented out: `#key value` is one where comments are written `# Like this`."""
    if found := _OFF.match(line):
        return _Look.SETTING, found[1] or found[2]
    if spaced and (found := _OFF_WORD.match(line)):
        return _Look.SETTING, found[1].rstrip(":")
    return _Look.COMMENT, ""


def _banner(lines: Sequence[str], looks: Sequence[_Seen], index: int) -> str:
    """The name in a comment line that heads a part of the file; empty where it is an ordinary comment."""
    text = _MARKER.sub("", lines[index], count=1).strip()
    name = heading_words(text)
    above = looks[index - 1][0] if index else _Look.BLANK
    below = looks[index + 1][0] if index + 1 < len(looks) else _Look.BLANK
    if not reads_as_heading(name) or above not in (_Look.BLANK, _Look.RULE):
        return ""
    framed = above is _Look.RULE and below is _Look.RULE
    capitals = is_capitals(text) and below in (_Look.BLANK, _Look.RULE, _Look.SETTING)
    return shorten(name) if framed or capitals or is_between_rules(text) else ""


def _runs(looks: Sequence[_Seen]) -> list[_Run]:
    """The lines that are not blank or rules, with adjoining comment lines taken together."""
    runs: list[_Run] = []
    gap = True
    for number, (look, name) in enumerate(looks, start=1):
        if look is _Look.BLANK:
            gap = True
        elif look is not _Look.RULE:
            if not (look is _Look.COMMENT and runs and runs[-1].look is look and not gap):
                runs.append(_Run(look, number, name, gap))
            gap = False
    return runs


def _units(runs: Sequence[_Run]) -> Iterator[_Unit]:
    """Sections and settings, each with the comment right above it, and the comments that belong to none.

    A comment between blank lines goes with the setting below it, unless that has its own or the comment is the
    file's first; a comment that only touches what stands above it belongs there.
    """
    comment = 0
    for run, below in zip(runs, [*runs[1:], None], strict=False):
        if run.look is _Look.COMMENT:
            first = run is runs[0]
            named = below is not None and below.look in (_Look.SECTION, _Look.SETTING)
            if named and below is not None and (not below.gap or (run.gap and not first)):
                comment = run.line
            elif run.gap and (below is None or below.gap or below.look is not _Look.MORE):
                yield _Unit(run.line, 2, "", run.line - 1)
        elif run.look is _Look.SETTING:
            yield _Unit(comment or run.line, 2, run.name, (comment or run.line) - 1, bool(comment), run.gap)
            comment = 0
        elif run.look is not _Look.MORE:
            yield _Unit(comment or run.line, 1, run.name, comment - 1 if comment else run.line)
            comment = 0


def _headings(lines: Sequence[str], units: Sequence[_Unit]) -> Iterator[Heading]:
    """A heading for each unit that does not join the tiny ones above it."""
    ends = [unit.start for unit in units[1:]] + [len(lines) + 1]
    joined = 0
    group: _Unit | None = None
    for unit, end in zip(units, ends, strict=False):
        size = sum(len(line) + 1 for line in lines[unit.start - 1 : end - 1])
        joins = group and unit.title and not unit.commented and size <= TINY and joined + size <= GROUP
        if group and joins and (not unit.apart or not group.commented):
            joined += size
            continue
        yield Heading(unit.start, unit.level, unit.title, unit.line_end)
        group, joined = (unit, size) if unit.level == 2 and unit.title else (None, 0)


def _nested_starts(lines: Sequence[str]) -> Iterator[int]:
    """Where a block begins inside of a setting: after a blank line, or with a comment."""
    for number, (above, line) in enumerate(pairwise(["", *lines]), start=1):
        commented = _MARKER.match(line.lstrip()) and not _MARKER.match(above.lstrip())
        if line.strip() and (not above.strip() or commented):
            yield number
