"""What each line of a conf template or defaults file is, by its looks."""

import re
from collections.abc import Sequence
from enum import Enum, auto

from tasks.chunk.layout import is_rule, shorten
from tasks.chunk.sections import heading_words, is_between_rules, is_capitals, reads_as_heading

MARKER = re.compile(r"(?:#+|;+|//+|/\*+|\*+/?)[ \t]?")

# Names are bounded and what follows them is anchored, so that no line takes more than linear time.
_SECTION = re.compile(r"\[{1,2}([^\[\]=]{1,80})\]{1,2}\s*(?:[#;].*)?$")
_OPENS = re.compile(r"<?([A-Za-z_][\w.:/* -]{0,80}?)\s{0,8}=?\s{0,8}[{>]\s*$")
_ASSIGNED = re.compile(r"(?:export |set |local )?([$\w\[\]'\".:/@-]{1,80}?)\s{0,20}(?:[+:?]?=(?!=)|=>)")
_COLON = re.compile(r"([\"']?[\w./-]{1,80}[\"']?)\s?:(?:\s|$)")
_WORD = re.compile(r"<?([A-Za-z_$@!%][\w.:/-]{0,80})")
_OFF = re.compile(r"(?:#|;|//)([\w.\[\]-]{1,80})\s{0,20}=(?!>)|(?:#|;|//)[ \t]([\w.-]{1,80})\s?=\s?\S*$")
_OFF_WORD = re.compile(r"(?:#|;|//)([A-Za-z][\w.-]{0,80})(?::?\s{1,20}\S{1,200}){0,2}\s*$")
_SPACED_PROSE = re.compile(r"(?:#+|;+|//+) [A-Za-z]")
_FRAME = re.compile(r"<\?php|\?>|#!|%YAML")
_CONTINUES = ("}", ")", "]", "</", "-")


class Look(Enum):
    """The kinds of lines."""

    BLANK = auto()
    RULE = auto()
    COMMENT = auto()
    BANNER = auto()
    SECTION = auto()
    PARENT = auto()
    """A key of a YAML file whose value are the nested settings below it."""
    SETTING = auto()
    NESTED = auto()
    MORE = auto()


Seen = tuple[Look, str]
"""A look, and the name that the line gives."""

SETTINGS = (Look.SETTING, Look.NESTED)
NAMED = (Look.SECTION, Look.PARENT, *SETTINGS)


def documents(line: str) -> bool:
    """Whether a line is more than blank, decoration, or a mark of the format."""
    return bool(line.strip()) and not is_rule(line.lstrip().lstrip(";/")) and not _FRAME.match(line)


def looks_of(lines: Sequence[str], yaml: bool) -> list[Seen]:
    """What each line is. Banner comments count where there are no `[sections]`, nested settings in YAML."""
    spaced = any(_SPACED_PROSE.match(line) for line in lines)
    looks: list[Seen] = []
    continued = False
    for line in lines:
        looks.append((Look.MORE, "") if continued and line.strip() else _look(line, spaced))
        continued = line.endswith("\\") and looks[-1][0] in (Look.SETTING, Look.MORE)
    if yaml:
        _see_nested(lines, looks)
    if not any(look is Look.SECTION for look, _ in looks):
        for index, (look, _) in enumerate(looks):
            if look is Look.COMMENT and (name := _banner(lines, looks, index)):
                looks[index] = Look.BANNER, name
    return looks


def _look(line: str, spaced: bool) -> Seen:
    if not line.strip():
        return Look.BLANK, ""
    if not documents(line):
        return Look.RULE, ""
    if line[0].isspace() or line.startswith(_CONTINUES):
        return Look.MORE, ""
    if found := _SECTION.match(line):
        return Look.SECTION, found[1]
    if MARKER.match(line):
        return _commented(line, spaced)
    found = _OPENS.match(line) or _ASSIGNED.match(line) or _COLON.match(line) or _WORD.match(line)
    return (Look.SETTING, found[1].strip("\"'")) if found else (Look.MORE, "")


def _commented(line: str, spaced: bool) -> Seen:
    """A comment or a setting commented out: `#key value` is one where comments are written `# Like this`."""
    if found := _OFF.match(line):
        return Look.SETTING, found[1] or found[2]
    if spaced and (found := _OFF_WORD.match(line)):
        return Look.SETTING, found[1].rstrip(":")
    return Look.COMMENT, ""


def _see_nested(lines: Sequence[str], looks: list[Seen]) -> None:
    """Marks the first level of nested settings, the comments on it, and the keys that hold them."""
    parent, depth = -1, 0
    for index, line in enumerate(lines):
        look = looks[index][0]
        if look is Look.SETTING:
            parent, depth = (index if line.rstrip().endswith(":") else -1), 0
        if look is not Look.MORE or parent < 0:
            continue
        text = line.lstrip()
        depth = depth or len(line) - len(text)
        if len(line) - len(text) != depth:
            continue
        if text.startswith("#"):
            looks[index] = Look.COMMENT, ""
        elif found := _COLON.match(text):
            looks[index] = Look.NESTED, found[1].strip("\"'")
            looks[parent] = Look.PARENT, looks[parent][1]


def _banner(lines: Sequence[str], looks: Sequence[Seen], index: int) -> str:
    """The name in a comment line that heads a part of the file; empty where it is an ordinary comment."""
    text = MARKER.sub("", lines[index].strip(), count=1).strip()
    name = heading_words(text)
    above = looks[index - 1][0] if index else Look.BLANK
    below = looks[index + 1][0] if index + 1 < len(looks) else Look.BLANK
    if not reads_as_heading(name) or above not in (Look.BLANK, Look.RULE) or lines[index][0].isspace():
        return ""
    framed = above is Look.RULE and below is Look.RULE
    loud = is_capitals(text) and below in (Look.BLANK, Look.RULE, Look.SETTING)
    doubled = below is Look.BLANK and lines[index].startswith(("##", ";;"))
    return shorten(name) if framed or loud or doubled or is_between_rules(text) else ""
