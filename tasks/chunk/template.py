"""Conf templates and defaults files: one piece per setting, with the comment above it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise, takewhile
from pathlib import PurePosixPath

from schemas.chunks import Document
from tasks.chunk.boilerplate import documenting
from tasks.chunk.layout import Heading, Layout, first_level, shorten
from tasks.chunk.looks import MARKER, NAMED, SETTINGS, Look, Seen, documents, looks_of

TINY = 200
"""In characters: an uncommented setting up to this long joins its neighbours ..."""
GROUP = 600
"""... until the group is this long."""

_LEVELS = {Look.SECTION: 1, Look.PARENT: 2, Look.SETTING: 2, Look.NESTED: 3}


@dataclass(frozen=True, slots=True)
class _Run:
    """A line, or lines of comment, and whether blank lines stand before it."""

    look: Look
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
    setting: bool = False
    commented: bool = True
    gap: bool = True
    """A blank line stands before it."""


def read_template(document: Document) -> Layout:
    """Settings (level 2, in YAML also 3) under `[sections]`, or under banner comments where there are none such."""
    lines = document.text.split("\n")
    suffixes = PurePosixPath(document.path.lower()).suffixes[-2:]
    looks = looks_of(lines, yaml=".yml" in suffixes or ".yaml" in suffixes)
    units = list(_units(_runs(looks)))
    return Layout(
        lines,
        _documentation(lines),
        list(_headings(lines, units)),
        sorted({unit.start for unit in units} | set(_inner_starts(lines))),
        section=first_level,
    )


def _documentation(lines: Sequence[str]) -> list[bool]:
    """For each line whether it documents something; licence and author at the top of the file do not."""
    head = list(takewhile(lambda line: not line.strip() or MARKER.match(line), lines))
    kept = documenting([MARKER.sub("", line, count=1) for line in head]) + [True] * (len(lines) - len(head))
    return [keep and documents(line) for keep, line in zip(kept, lines, strict=True)]


def _runs(looks: Sequence[Seen]) -> list[_Run]:
    """The lines that are not blank or rules, with adjoining comment lines taken together."""
    runs: list[_Run] = []
    gap = True
    for number, (look, name) in enumerate(looks, start=1):
        if look is Look.BLANK:
            gap = True
        elif look is not Look.RULE:
            if not (look is Look.COMMENT and runs and runs[-1].look is look and not gap):
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
        if run.look is Look.COMMENT:
            detached = below is None or below.gap
            if below and below.look in NAMED and (not detached or (run.gap and run is not runs[0])):
                comment = run.line
            elif run.gap and (detached or (below and below.look is not Look.MORE)):
                yield _Unit(run.line, 2, "", run.line - 1)
        elif run.look is Look.BANNER:
            yield _Unit(run.line, 1, run.name, run.line)
        elif run.look in NAMED:
            # A section or parent without a comment is no text of its own: it opens the piece of its first setting.
            bare = run.look not in SETTINGS and not comment
            yield _Unit(
                comment or run.line,
                _LEVELS[run.look],
                shorten(run.name),
                run.line if bare else (comment or run.line) - 1,
                run.look in SETTINGS,
                bool(comment),
                run.gap,
            )
            comment = 0


def _headings(lines: Sequence[str], units: Sequence[_Unit]) -> Iterator[Heading]:
    """A heading for each unit that does not join the tiny ones above it."""
    ends = [unit.start for unit in units[1:]] + [len(lines) + 1]
    group: _Unit | None = None
    joined = 0
    for unit, end in zip(units, ends, strict=False):
        size = sum(len(line) + 1 for line in lines[unit.start - 1 : end - 1])
        tiny = unit.setting and size <= TINY and _is_flat(lines[unit.start : end - 1])
        joins = tiny and not unit.commented and group is not None and group.level == unit.level
        if joins and group and joined + size <= GROUP and not (unit.gap and group.commented):
            joined += size
            continue
        yield Heading(unit.start, unit.level, unit.title, unit.line_end)
        group, joined = (unit if tiny else None), size


def _is_flat(lines: Sequence[str]) -> bool:
    """Whether a setting has no lines below its own but comments."""
    return all(not line.strip() or not line[0].isspace() or MARKER.match(line.lstrip()) for line in lines)


def _inner_starts(lines: Sequence[str]) -> Iterator[int]:
    """Where a block begins inside of a setting: after a blank line, or with a comment."""
    for number, (above, line) in enumerate(pairwise(["", *lines]), start=1):
        commented = MARKER.match(line.lstrip()) and not MARKER.match(above.lstrip())
        if line.strip() and (not above.strip() or commented):
            yield number
