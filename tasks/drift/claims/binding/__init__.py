"""Which option a claim speaks of."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from tasks.drift.claims.headings import Heading, above, nearest
from tasks.drift.claims.options import Named, is_plain_word, names_in, option_name
from tasks.drift.claims.page import Line, Page
from tasks.drift.claims.settings import own_setting, setting_by
from tasks.drift.claims.tables.cells import option_of
from tasks.drift.claims.tables.pipes import cells_of
from tasks.drift.claims.terms import alone, lead, term_of

MAX_BEFORE = 600
"""In characters of a sentence before the claim."""

_SENTENCE = re.compile(r"[.!?][\"')\]*`]{0,2}\s+(?=[A-Z`*\"'_(]|$)")
_CLOSE = re.compile(
    r"[\s,:*_)]*(?:\([^()]{0,60}\)|<[^<>]{0,60}>)?[\s,:*_–—-]*(?:option|setting|variable|parameter|flag|key|property|var)?[\s,]*(?:which|that|it|also|and)?\s*(?:is|are|will|has|have|with|by)?\s*(?:a|an|the)?\s*$"
)
_JOINED = re.compile(r"[\s*_]*(?:,|and|or|/|&|,\s?and|,\s?or)?[\s*_]*$")
_ITEM = re.compile(r"\s*(?:[-*+•]|\d{1,3}[.)]|:)\s")
_CONDITION = re.compile(
    r"\s*(?:[-*+:]\s)?(?:\*\*|_)?(?:if|when|unless|while|in case|on|for|under|with|starting|since|from|as of|up to)\b|.*\binstead\b",
    re.IGNORECASE,
)
_ABSENT = re.compile(
    r"\b(?:not (?:set|specified|given|provided|present|defined|configured)|unset|omitted|missing|empty|absent|undefined|unspecified|nothing|none|left out|blank|neither)\b"
)
_OLD = re.compile(
    r"(?:\b(?:previously|formerly|used to|no longer|not|never|old|older|was|were|would|instead of|changed|change|changes|before|until|prior)\s+(?:\w+\s+){0,2})$",
    re.IGNORECASE,
)
_VERSIONED = re.compile(
    r"\s*(?:\.\.\s+(?:versionchanged|versionadded|deprecated)::|:(?:versionchanged|deprecated):|!!! (?:warning|note|info) \"(?:New|Changed|Deprecated))"
)
_TITLE_CODE = re.compile(r"(`{1,2})([^`]{1,160})\1")
_LINK = re.compile(r"\[([^\[\]]{0,200})\]\([^()\s]{0,300}\)")
NEAR_HEADING = 15
"""In lines below a heading: further down, running text has moved on to something else."""


class Bound(NamedTuple):
    """The options that a value belongs to; several where a text names them together."""

    options: tuple[str, ...]
    binding: str
    above: tuple[str, ...]


def bind(page: Page, line: Line, start: int, *, aside: bool = False) -> Bound | None:
    """What the claim that begins at a place of a line is about; None where that is in doubt.

    `aside`: the claim stands in parentheses, and so holds whatever case the sentence around it speaks of.
    """
    if _is_old(page, line, start):
        return None
    if line.region == "trailing":
        return _by_setting(page, line)
    if line.region == "prose" and line.text.lstrip().startswith("|"):
        return _in_row(page, line, start)
    before = _sentence_before(page, line, start)
    opens = not before.strip(" \t-*+•:>`_|(")
    names = list(names_in(before))
    around = above(page, line.number)
    if joined := _joined(names, before):
        return Bound(_distinct(joined), "same line", around)
    if not _begins(line, start) and page.syntax != "roff" and (item := lead(line)):
        return Bound((item,), "same line", around)
    if not opens and not aside and _is_conditional(before):
        return None
    if line.region == "prose":
        return _in_prose(page, line, start, names, opens)
    term = _in_term(page, line, around)
    if line.region == "comment":
        if page.syntax == "settings":
            return _by_own(page, line) or term or _by_setting(page, line) or _by_name(names, around)
        return term or _by_name(names, around) or (None if names else _by_setting(page, line))
    return term or _by_name(names, around)


def _in_prose(page: Page, line: Line, start: int, names: Sequence[Named], opens: bool) -> Bound | None:
    around = above(page, line.number)
    if named := _by_name(names, around):
        return named
    if names:
        return None
    option, binding = term_of(page, line)
    if option:
        return Bound((option,), binding, around)
    if opens and (told := _by_paragraph(page, line, start, around)):
        return told
    return None if binding == "blocked" else _by_heading(page, line, around, opens=opens)


def _in_row(page: Page, line: Line, start: int) -> Bound | None:
    """The option that a table's row is about, for what another of its cells says."""
    cells = cells_of(line.text, line.number)
    option = option_of(cells[0])
    return (
        Bound((option,), "row", above(page, line.number))
        if option and start > cells[0].column + len(cells[0].text)
        else None
    )


def _by_paragraph(page: Page, line: Line, start: int, around: tuple[str, ...]) -> Bound | None:
    """The only option that the paragraph has named so far."""
    text, number = line.text[:start], line.number
    while not _ITEM.match(page.lines[number - 1]) and line.number - number < 6:
        over = page.line(number - 1)
        if over is None or over.region != line.region or not over.text.strip() or over.text.startswith((".", "#", "|")):
            break
        number -= 1
        text = f"{over.text} {text}"
    named = _by_name(list(names_in(text)), around)
    return named._replace(binding="previous line") if named and number != line.number else named


def _is_conditional(sentence: str) -> bool:
    """Whether a sentence speaks of a special case, and not of the option being left alone."""
    return bool(_CONDITION.match(sentence)) and not _ABSENT.search(sentence)


def _begins(line: Line, start: int) -> bool:
    return not line.text[:start].strip(" \t-*+•:>`_|")


def _by_name(names: Sequence[Named], around: tuple[str, ...]) -> Bound | None:
    options = {name.option for name in names}
    return Bound((options.pop(),), "same line", around) if len(options) == 1 else None


def _by_own(page: Page, line: Line) -> Bound | None:
    """The setting that is switched off on the very line whose second comment makes the claim."""
    option = own_setting(page, line)
    return Bound((option,), "setting", above(page, line.number)) if option else None


def _by_setting(page: Page, line: Line) -> Bound | None:
    option, around = setting_by(page, line)
    return Bound((option,), "setting", around) if option else None


def _in_term(page: Page, line: Line, around: tuple[str, ...]) -> Bound | None:
    option, binding = term_of(page, line)
    return Bound((option,), binding, around) if option else None


def _by_heading(page: Page, line: Line, around: tuple[str, ...], *, opens: bool) -> Bound | None:
    heading = nearest(page, line.number) if page.syntax != "roff" else None
    near = heading and (opens or line.number - heading.line <= NEAR_HEADING)
    if opens and (option := _paragraph_term(page, line, heading.line if heading else 0)):
        return Bound((option,), "term", around)
    if heading and near and (option := _titled(heading, opens)):
        return Bound((option,), "heading", around[:-1])
    return None


def _titled(heading: Heading, opens: bool) -> str:
    """The option of a heading, if it can be told from an ordinary title."""
    option = option_in_title(heading.title)
    if "`" in heading.title or not option:
        return option
    if is_plain_word(option):
        return option if opens and not option.istitle() else ""
    # A document may be titled by the name of a program.
    return "" if heading.level == 1 and "-" in option.lstrip("-") and not option.startswith("-") else option


def option_in_title(title: str) -> str:
    """The option that a heading consists of; empty for any other heading."""
    title = _LINK.sub(r"\1", title)
    spans = [name for match in _TITLE_CODE.finditer(title) if (name := option_name(match[2]))]
    if spans:
        flags = [name for name in spans if name.startswith("--")]
        rest = _TITLE_CODE.sub("", title)
        return (flags or spans)[0] if len(rest.split()) <= 3 else ""
    return option_name(title.strip("*_ ").split(" (")[0].replace("\\_", "_"))


def _paragraph_term(page: Page, line: Line, top: int) -> str:
    """The name that stands on a line of its own in the text above, at the same depth."""
    for number in range(line.number - 1, max(top, line.number - 30), -1):
        over = page.line(number)
        if not over or over.region != "prose" or over.indent != line.indent or not alone(over):
            continue
        previous = page.line(number - 1)
        if (previous is None or not previous.text.strip()) and (name := lead(over)) and not is_plain_word(name):
            return name
    return ""


def _joined(names: Sequence[Named], before: str) -> list[str]:
    """The names that stand right before the claim, together with those that they are joined to."""
    if not names or not _CLOSE.match(before, names[-1].end):
        return []
    group = [names[-1]]
    for name in reversed(names[:-1]):
        between = before[name.end : group[-1].start]
        if not between.strip() or not _JOINED.match(between):
            break
        group.append(name)
    return [name.option for name in reversed(group)]


def _distinct(options: Sequence[str]) -> tuple[str, ...]:
    """Without the short forms of a flag."""
    flags = [option for option in options if option.startswith("-")]
    if len(flags) == len(options) and len(options) > 1:
        return (next((flag for flag in flags if flag.startswith("--")), flags[0]),)
    return tuple(dict.fromkeys(options))


def _sentence_before(page: Page, line: Line, start: int) -> str:
    """The text of the sentence that leads up to a place, from earlier lines of its paragraph too; blank where the
    place begins a sentence or an item."""
    text, number = line.text[:start], line.number
    while not text.strip() or not _SENTENCE.search(text):
        over = page.line(number - 1)
        if len(text) > MAX_BEFORE or line.number - number >= 4 or _ITEM.match(page.lines[number - 1]):
            break
        if over is None or over.region != line.region or not over.text.strip() or over.indent != line.indent:
            break
        if page.syntax == "roff" and over.text.startswith("."):
            break
        text = f"{over.text.rstrip()} {text.lstrip()}"
        number -= 1
    ends = [match.end() for match in _SENTENCE.finditer(text)]
    return text[ends[-1] :] if ends else "" if _begins(line, start) and not _runs_on(text) else text


def _runs_on(text: str) -> bool:
    """Whether a line goes on in the middle of what the one above says."""
    return bool(text.strip(" \t-*+•:>`_|")) and not text.rstrip().endswith((":", ";", "."))


def _is_old(page: Page, line: Line, start: int) -> bool:
    """Whether the text speaks of what was the default once."""
    if _OLD.search(line.text[max(0, start - 60) : start]):
        return True
    if page.syntax != "rst":
        return False
    for number in range(line.number, max(0, line.number - 6), -1):
        text = page.lines[number - 1]
        if _VERSIONED.match(text):
            return number == line.number or line.indent > len(text) - len(text.lstrip())
        if not text.strip():
            return False
    return False
