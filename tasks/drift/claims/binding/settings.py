"""The setting that a comment in a template or script explains: on its own line, below it, or above it."""

from __future__ import annotations

import re

from tasks.drift.claims.reading.page import Line, Page
from tasks.drift.claims.reading.syntax import DOCUMENTS, is_yaml

REACH = 30
"""In lines: a comment this far above a setting is not about it."""

_NAME = r"([A-Za-z_][\w.-]{0,90})"
_WORDS = (
    r"(?:(?:export|readonly|local|declare(?:\s-\w+)?|typeset|const|my|our|public|private|protected|static|var|let|set"
    r"|default|env)\s{1,9}){0,3}"
)
_ASSIGNED = re.compile(
    rf"\s*(?:- )?{_WORDS}[$@%]?(?:self\.)?{_NAME}\s{{0,24}}(?::\s?[\w\[\], |.]{{1,60}}=(?!=)|[:+?]?=(?!=)|=>)"
)
_IF_UNSET = re.compile(r"\s*:\s{1,9}\"?\$\{([A-Za-z_]\w*):?=")
_ELEMENT = re.compile(r"\s*\$\w{1,60}(?:\{|\[)['\"]?([\w.-]{1,90})['\"]?(?:\}|\])\s{0,24}=(?!=)")
_MAPPED = re.compile(rf"\s*(?:- )?[\"']?{_NAME}[\"']?:(?:\s|$)")
_SPACED = re.compile(rf"{_NAME}[ \t]{{1,80}}\S+(?:[ \t]{{1,80}}\S+){{0,2}}\s{{0,9}}$")
_MEMBER = re.compile(r"\s+(?:self\.)?\w{1,90}\s?:|\s+self\.")
_POINTERS = frozenset(("ref", "refs", "reference", "see", "doc", "docs", "source", "link"))
"""What is followed by an address in comments, and looks like a key."""
_OFF = re.compile(r"(?<!\s)\s*[#;]+\s?")
_KEY = re.compile(r"\s+default:\s")
_COMMENTED = re.compile(r"\S\s{1,80}#\s")
MAX_VALUE_WORDS = 3
"""A commented-out `key: value` with more words behind the colon is a sentence."""


def setting_in(page: Page, code: str, *, off: bool = False) -> str:
    """The name that a line of code gives a value to, or nothing; with `off`, the line is one that is commented out."""
    for pattern in (_ASSIGNED, _IF_UNSET, _ELEMENT):
        if found := pattern.match(code):
            return found[1]
    nested = is_yaml(page.file) or page.syntax in DOCUMENTS
    if nested and (found := _MAPPED.match(code)):
        value = code[found.end() :].partition(" #")[0]
        spoken = found[1].istitle() or found[1] in _POINTERS or len(value.split()) > MAX_VALUE_WORDS
        return "" if off and spoken else found[1]
    spaced = page.syntax == "settings" and not nested
    return found[1] if spaced and (found := _SPACED.match(code)) and "_" in found[1] else ""


def own_setting(page: Page, line: Line) -> str:
    """The setting that a comment line switches off, if it has a comment of its own behind it; else blank."""
    return setting_in(page, line.text.lstrip(), off=True) if _COMMENTED.search(line.text) else ""


def is_key_switched_off(page: Page, line: Line) -> bool:
    """Whether a comment line is itself a key named `default`, among others of YAML that is commented out."""
    return (
        line.region == "comment" and is_yaml(page.file) and line.text.startswith("  ") and bool(_KEY.match(line.text))
    )


def setting_by(page: Page, line: Line) -> tuple[str, int]:
    """The setting that a comment line explains, and its line; blank and 0 where there is none."""
    if line.region == "trailing":
        return setting_in(page, page.lines[line.number - 1][: line.column]), line.number
    number = _beside(page, line) or _below(page, line) or _over(page, line)
    name = _at(page, number) if number else ""
    return (name, number) if name and _is_option(page, number, name) else ("", 0)


def _is_option(page: Page, number: int, name: str) -> bool:
    """Whether what a line sets can be an option; in a script, the variables of functions are none."""
    if page.syntax not in ("python", "hashes") or name.isupper():
        return True
    raw = page.lines[number - 1]
    return not raw[:1].isspace() or bool(_MEMBER.match(raw))


def _at(page: Page, number: int) -> str:
    """The setting of a line, be it commented out or not."""
    raw, line = page.lines[number - 1], page.line(number)
    if line is not None and line.region == "comment":
        return setting_in(page, _OFF.sub("", raw, count=1), off=True)
    return setting_in(page, raw)


def _beside(page: Page, line: Line) -> int:
    """The line of the setting whose own comment an indented comment goes on with."""
    number = line.number
    top = max(1, number - REACH)
    while number > top and not is_yaml(page.file) and page.lines[number - 1][:1].isspace():
        number -= 1
    raw = page.lines[number - 1]
    return number if number < line.number and _COMMENTED.search(raw) and _at(page, number) else 0


def _below(page: Page, line: Line) -> int:
    """The line of the first setting below, with nothing but comments between."""
    gap = False
    for number in range(line.number + 1, min(len(page.lines), line.number + REACH) + 1):
        below = page.line(number)
        if below is None or below.region != "comment":
            return number if setting_in(page, page.lines[number - 1]) else 0
        gap = gap or not below.text.strip()
        if gap and page.syntax != "settings":
            return 0
        # What is commented out below a gap may have a comment of its own.
        if not gap and _at(page, number):
            return number
    return 0


def _over(page: Page, line: Line) -> int:
    """The line of the setting right above a comment that ends with a blank line."""
    last = line.number
    while (
        last < line.number + REACH
        and (below := page.line(last + 1)) is not None
        and below.region == "comment"
        and below.text.strip()
    ):
        last += 1
    if last < len(page.lines) and page.lines[last].strip():
        return 0
    for number in range(line.number - 1, max(0, line.number - REACH), -1):
        over = page.line(number)
        if over is None or over.region != "comment":
            inside = is_yaml(page.file) and _indent(page.lines[number - 1]) < _indent(page.lines[line.number - 1])
            return number if not inside and setting_in(page, page.lines[number - 1]) else 0
        if not over.text.strip() or _at(page, number):
            return 0
    return 0


def _indent(raw: str) -> int:
    return len(raw) - len(raw.lstrip())
