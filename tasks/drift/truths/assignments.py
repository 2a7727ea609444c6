"""Assignments: the settings of a line-by-line file, with its sections, its separator and its commented-out lines."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from tasks.drift.truths.value import MAX_OPTION, Value, computed, setting_value, unquoted

MAX_LINE = 4_000
"""In characters: a longer line is data, not a setting."""
_MIN_SPACED = 3
"""A file of fewer lines does not show that it separates by blanks."""
_MAX_SPACED_WORDS = 3
_MAX_QUOTED_LINES = 100
_MAX_BLOCKS = 10

# Each part is followed by what it can't match itself: linear on any line.
_NAME = r"[A-Za-z_][\w.\-/]*(?:\[[\w.\-]+\])?"
_SECTION = re.compile(r"\[{1,2}([^\s\[\]=][^\[\]=]{0,80})\]{1,2}[ \t]*(?:[#;].*)?$")
_EQUALS = re.compile(rf"(?:export |set )?({_NAME}(?: [\w.\-/]+){{0,3}})[ \t]*[?:+]?=(?![=~>])(.*)$")
_COLON = re.compile(rf"({_NAME}):(?:[ \t]+(.*))?$")
_SPACED = re.compile(rf"({_NAME})[ \t]+([^=\s].*)$")
_OPENS = re.compile(r"[ \t]*([A-Za-z_][\w.\-]{0,80})(?:[ \t:=][^#{}]{0,200})?\{[ \t]*(?:#.*)?$")
_PERL = re.compile(r"\$(\w+)((?:[\[{]['\"]?\w+['\"]?[\]}])*)[ \t]*=(?![=~>])([^;]*);[ \t]*(?:#.*)?$")
_COMMENT = re.compile(r"#|;|//|\{#|\{%|<!--|/\*|\*|--")
_OFF = re.compile(r"(?:#|;|//)([ \t]?)(?=[A-Za-z_$])(.*)$")
_CONSTANT = re.compile(r"[A-Z][A-Z0-9_]+$")

Form = Callable[[str], tuple[str, str] | None]
"""From a line to the name and what stands behind the separator."""


@dataclass(frozen=True, slots=True)
class Assignment:
    """A setting as its line spells it."""

    section: str
    name: str
    raw: str
    """What stands behind the separator, quotes and comment included."""
    line: int
    commented: bool = False
    goes_on: bool = False
    """The lines below belong to the value too."""

    @property
    def option(self) -> str:
        """The name, behind its section."""
        return f"{self.section}.{self.name}" if self.section else self.name

    @property
    def value(self) -> Value:
        """What the line gives."""
        return computed(self.raw.strip()) if self.goes_on else setting_value(self.raw)


def has_sections(lines: Sequence[str]) -> bool:
    """Whether the file has `[sections]`."""
    return any(line[:1] == "[" and _SECTION.match(line) for line in lines)


def assignments(lines: Sequence[str], spaced: bool = False) -> list[Assignment]:
    """The settings, by line; none where most of the lines that are no comment are something else.

    With `spaced`, a file all of whose lines are `key value` is one of settings.
    """
    if spaced and _is_spaced(lines):
        return list(_active(lines, _spaced))
    found = list(_active(lines, _assigned))
    if _is_tree(lines, found) or 2 * len(found) < sum(_may_set(line) and not line[0].isspace() for line in lines):
        return []
    return sorted([*found, *_commented_out(lines, found)], key=lambda one: one.line)


def _is_tree(lines: Sequence[str], found: Sequence[Assignment]) -> bool:
    """Whether keys stand below keys, as in YAML, so that a line alone does not name its option."""
    heads = (one.line for one in found if not one.raw.strip() and lines[one.line - 1].rstrip().endswith(":"))
    return any(line < len(lines) and lines[line][:1] in (" ", "\t", "-") for line in heads)


def _may_set(line: str) -> bool:
    return bool(line.strip(" \t]}),;")) and not _COMMENT.match(line.lstrip()) and not _SECTION.match(line)


def _is_spaced(lines: Sequence[str]) -> bool:
    active = [line.strip() for line in lines if _may_set(line)]
    fits = all(len(line) <= MAX_LINE and _SPACED.match(line) and line[-1] not in ".;{},:" for line in active)
    return len(active) >= _MIN_SPACED and fits and sum(map(_words, active)) <= _MAX_SPACED_WORDS * len(active)


def _words(line: str) -> int:
    return len(line.split())


def _active(lines: Sequence[str], form: Form) -> Iterator[Assignment]:
    resume = 0
    for number, line, section in _in_sections(lines):
        if number < resume or not _may_set(line):
            continue
        if (named := form(line.strip())) and len(named[0]) <= MAX_OPTION:
            resume = _end_of_quote(lines, number, named[1].strip())
            below = lines[number] if number < len(lines) else ""
            yield Assignment(section, *named, number, goes_on=resume > number + 1 or _goes_on(line, below, form))


def _in_sections(lines: Sequence[str]) -> Iterator[tuple[int, str, str]]:
    """Number, line, and the section or blocks it is in, of each line of bearable length that opens and closes none."""
    section, blocks = "", list[str]()
    for number, line in enumerate(lines, start=1):
        if line[:1] == "[" and (found := _SECTION.match(line)):
            section, blocks = found[1].strip(), []
        elif len(line) > MAX_LINE:
            continue
        elif (opened := _OPENS.match(line)) and len(blocks) < _MAX_BLOCKS:
            blocks.append(opened[1])
        elif blocks and line.strip(" \t;,") == "}":
            blocks.pop()
        else:
            yield number, line, ".".join([section, *blocks] if section else blocks)


def _end_of_quote(lines: Sequence[str], number: int, raw: str) -> int:
    """The line after the one in which a quote that is open at the end of line `number` closes."""
    if raw[:1] not in ("'", '"') or raw.find(raw[0], 1) > 0:
        return number + 1
    below = range(number, min(len(lines), number + _MAX_QUOTED_LINES))
    return next((index + 2 for index in below if raw[0] in lines[index]), number + 1)


def _goes_on(line: str, below: str, form: Form) -> bool:
    if line.endswith("\\"):
        return True
    return below[:1].isspace() and not line[0].isspace() and _may_set(below) and not form(below.strip())


def _assigned(line: str) -> tuple[str, str] | None:
    if found := _PERL.match(line):
        return ".".join([found[1], *re.findall(r"\w+", found[2])]), found[3]
    found = _COLON.match(line) or _EQUALS.match(line)
    return (found[1], found[2] or "") if found else None


def _spaced(line: str) -> tuple[str, str] | None:
    found = _SPACED.match(line)
    return (found[1], found[2]) if found else None


def _commented_out(lines: Sequence[str], active: Sequence[Assignment]) -> Iterator[Assignment]:
    """The comment lines that look exactly like a setting of this file."""
    colons = any(":" in lines[one.line - 1].partition("=")[0] for one in active)
    for number, line, section in _in_sections(lines):
        if (off := _OFF.match(line)) and (named := _assigned(off[2])) and len(named[0]) <= MAX_OPTION:
            equals = not _COLON.match(off[2])
            if _is_setting(*named, bool(off[1])) if equals else colons and not off[1] and _is_single(named[1]):
                yield Assignment(section, *named, number, commented=True)


def _is_setting(name: str, raw: str, blank: bool) -> bool:
    """Whether `# name = raw` is a setting and no sentence about one."""
    if " " in name or raw.rstrip().endswith(("...", ",")):
        return False
    return not blank or bool(_CONSTANT.match(name)) or _is_single(raw)


def _is_single(raw: str) -> bool:
    text, quote = unquoted(raw)
    return bool(quote) or len(text.split()) == 1
