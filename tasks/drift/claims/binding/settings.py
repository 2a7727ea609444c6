"""The setting that a comment in a template or script explains: on its own line, below it, or above it."""

from __future__ import annotations

import re

from tasks.drift.claims.headings import above, parents_in_yaml
from tasks.drift.claims.page import Line, Page
from tasks.drift.claims.syntax import is_yaml

_WORDS = r"(?:(?:export|readonly|local|declare(?:\s-\w+)?|typeset|const|my|our|public|private|protected|static|var|let|set|default|env)\s+){0,3}"
_ASSIGNED = re.compile(
    rf"\s*(?:- )?{_WORDS}[$@%]?(?:self\.)?([A-Za-z_][\w.-]{{0,90}})\s{{0,24}}(?::\s?[\w\[\], |.]{{1,60}}=(?!=)|[:+?]?=(?!=)|=>)"
)
_IF_UNSET = re.compile(r"\s*:\s+\"?\$\{([A-Za-z_]\w*):?=")
_ELEMENT = re.compile(r"\s*\$\w+(?:\{|\[)['\"]?([\w.-]{1,90})['\"]?(?:\}|\])\s*=(?!=)")
_MAPPED = re.compile(r"\s*(?:- )?[\"']?([A-Za-z_][\w.-]{0,90})[\"']?:(?:\s|$)")
_SPACED = re.compile(r"([A-Za-z_][\w.-]{0,90})[ \t]+\S+(?:[ \t]+\S+){0,2}\s*$")
_OPENS = re.compile(r"\s*(?:\[\s*)?(?:- )?[\"']?([A-Za-z_][\w.-]{0,90})[\"']?:\s*(?:#.*)?$")
_TRAILING = re.compile(r"\S\s{1,80}#\s")
_OFF = re.compile(r"\s*[#;]+\s?")
REACH = 40
"""In lines: a comment this far above a setting is not about it."""


def setting_in(page: Page, code: str, *, off: bool = False) -> str:
    """The name that a line of code gives a value to; with `off`, the line is one that is commented out."""
    for pattern in (_ASSIGNED, _IF_UNSET, _ELEMENT):
        if found := pattern.match(code):
            return found[1]
    if (is_yaml(page.file) or page.syntax in ("markdown", "rst", "asciidoc", "text")) and (
        found := _MAPPED.match(code)
    ):
        return (
            found[1]
            if not off
            or (found[1].islower() or "_" in found[1])
            or found[1] != found[1].lower()
            and " " not in found[1]
            and not found[1].istitle()
            else ""
        )
    if page.syntax == "settings" and not is_yaml(page.file) and (found := _SPACED.match(code)) and "_" in found[1]:
        return found[1]
    return ""


def setting_by(page: Page, line: Line) -> tuple[str, tuple[str, ...]]:
    """The setting that a comment line explains, and what encloses it; blanks where there is none."""
    if line.region == "trailing":
        name = setting_in(page, page.lines[line.number - 1][: line.column])
        return (name, _above(page, line.number)) if name else ("", ())
    number = _beside(page, line) or _below(page, line) or _over(page, line)
    if not number:
        return "", ()
    raw = page.lines[number - 1]
    commented = page.line(number)
    off = commented is not None and commented.region == "comment"
    return setting_in(page, _OFF.sub("", raw, count=1) if off else raw, off=off), _above(page, number)


def _above(page: Page, number: int) -> tuple[str, ...]:
    if page.syntax == "settings" and is_yaml(page.file):
        return parents_in_yaml(page, number)
    return above(page, number) if page.syntax != "python" else ()


def own_setting(page: Page, line: Line) -> str:
    """The setting that a comment line switches off, if it has a comment of its own behind it; else blank."""
    return setting_in(page, line.text.lstrip(), off=True) if _TRAILING.search(line.text) else ""


def _beside(page: Page, line: Line) -> int:
    """The line whose setting an indented comment is about: its own, switched off, or one whose comment it goes on with."""
    if own_setting(page, line):
        return line.number
    number = line.number
    while number > 1 and not is_yaml(page.file) and page.lines[number - 1][:1].isspace():
        number -= 1
        raw = page.lines[number - 1]
        if raw.strip() and not raw[0].isspace():
            return number if _TRAILING.search(raw) and setting_in(page, _OFF.sub("", raw, count=1), off=True) else 0
    return 0


def _below(page: Page, line: Line) -> int:
    """The line of the first setting below, with nothing but comments between; 0 where there is none."""
    gap = False
    for number in range(line.number + 1, min(len(page.lines), line.number + REACH) + 1):
        raw = page.lines[number - 1]
        other = page.line(number)
        if other is not None and other.region == "comment":
            gap = gap or not other.text.strip()
            if gap and page.syntax != "settings":
                return 0
            # What is commented out below a gap may have a comment of its own.
            if not gap and setting_in(page, _OFF.sub("", raw, count=1), off=True):
                return number
        else:
            return number if setting_in(page, raw) else 0
    return 0


def _over(page: Page, line: Line) -> int:
    """The line of the setting right above a comment that ends with a blank line; 0 where there is none."""
    last = line.number
    while (below := page.line(last + 1)) is not None and below.region == "comment" and below.text.strip():
        last += 1
    if last < len(page.lines) and page.lines[last].strip():
        return 0
    for number in range(line.number - 1, max(0, line.number - REACH), -1):
        raw = page.lines[number - 1]
        over = page.line(number)
        if over is None or over.region != "comment":
            return number if raw.strip() and setting_in(page, raw) else 0
        if not over.text.strip() or setting_in(page, _OFF.sub("", raw, count=1), off=True):
            return 0
    return 0


def parents_in_code(page: Page, number: int) -> tuple[str, ...]:
    """The keys around a line of a code block in a document, outermost first."""
    indent = len(page.lines[number - 1]) - len(page.lines[number - 1].lstrip())
    keys: list[str] = []
    for above in range(number - 1, max(0, number - 400), -1):
        raw = page.lines[above - 1]
        if above not in page.fences or not indent:
            break
        depth = len(raw) - len(raw.lstrip())
        if raw.strip() and depth < indent and (found := _OPENS.match(raw)):
            keys.append(found[1])
            indent = depth
    return tuple(reversed(keys))
