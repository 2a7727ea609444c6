"""Binding: which option a claim speaks of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import re2

from schemas.claims import Claim
from tasks.drift.claims.binding.sentences import begins, is_conditional, is_first_of_item, is_old, sentence_before
from tasks.drift.claims.binding.settings import own_setting, setting_by
from tasks.drift.claims.binding.terms import begins_with, term_of
from tasks.drift.claims.binding.titles import option_line_above, option_of_heading
from tasks.drift.claims.reading.headings import above, nearest
from tasks.drift.claims.reading.options import Named, names_in
from tasks.drift.claims.reading.page import Line, Page
from tasks.drift.claims.reading.spelled import Spelled
from tasks.drift.claims.tables.cells import option_of
from tasks.drift.claims.tables.pipes import cells_of

NEAR_HEADING = 15
"""In lines below a heading: further down, running text has moved on to something else."""
MAX_GAP = 160
"""In characters between an option and what is said right behind it."""
MAX_AWAY = 90
"""In characters from an option to a parenthesis in the same sentence that may be about something in between."""
PARAGRAPH = 6
"""Lines of a paragraph before the claim's own."""

_CLOSE = re2.compile(
    r"[\s:*_)]*(?:\([^()]{0,60}\)|<[^<>]{0,60}>)?[\s:*_–—-]*"
    r"(?:option|setting|variable|parameter|flag|key|property|var)?(?:,?\s*(?:which|that|it|also|and))?\s*"
    r"(?:is|are|will|has|have|with|by)?\s*(?:a|an|the)?\s*"
)
# "setting `mode` to `fast`": the second is a value.
_GIVEN = re2.compile(r"[\s*_`]*(?:to|as|=)[\s*_`]*")
_JOINED = re2.compile(r"[\s*_]*(?:,|and|or|/|&|,\s?and|,\s?or)?[\s*_]*")


class Bound(NamedTuple):
    """The options that a value belongs to; several where a text names them together."""

    options: tuple[str, ...]
    binding: str
    above: tuple[str, ...]


def claims_at(page: Page, line: Line, shape: str, value: Spelled, bound: Bound) -> Iterator[Claim]:
    """One claim for each of the options that a value is bound to."""
    column = line.column + value.start
    for option in bound.options:
        yield Claim(
            option, value.text, page.file.path, line.number, shape, bound.binding, column, value.width, bound.above
        )


def bind(page: Page, line: Line, start: int, *, aside: bool = False) -> Bound | None:
    """What the claim that begins at a place of a line is about; None where that is in doubt.

    `aside`: the claim stands in parentheses, and so holds whatever case the sentence around it speaks of.
    """
    if is_old(page, line, start):
        return None
    if line.region == "trailing":
        return _by_setting(page, line)
    if line.number in page.helps:
        return Bound((page.helps[line.number].option,), "same line", above(page, line.number))
    if line.region == "prose" and line.text.lstrip().startswith("|"):
        return _in_row(page, line, start)
    return _in_text(page, line, start, aside)


def _in_text(page: Page, line: Line, start: int, aside: bool) -> Bound | None:
    """The option that is named right before the claim, or what the line's surroundings are about."""
    if line.region == "code":
        # Code blocks hold usage texts, and also the output of programs, with other people's sentences.
        return _by_lead(page, line, start) or _by_term(page, line)
    before = sentence_before(page, line, start)
    if aside:
        before = before.rstrip(", ")
    names = list(names_in(before))
    if told := _right_before(page, line, start, before, names):
        return told
    opens = not before.strip(" \t-*+•:>`_|(")
    if is_conditional(before) and not opens and not aside:
        return None
    if aside and names and len(before) - names[-1].end > MAX_AWAY:
        return _by_term(page, line)
    return _around(page, line, start, names, opens)


def _around(page: Page, line: Line, start: int, names: Sequence[Named], opens: bool) -> Bound | None:
    """What a line is about whose claim has no name right before it."""
    match line.region:
        case "prose":
            return _in_prose(page, line, start, names, opens)
        case "comment":
            return _in_comment(page, line, names)
        case "docstring":
            return _by_term(page, line)
        case _:
            return _by_term(page, line) or _by_name(page, line, names)


def _right_before(page: Page, line: Line, start: int, before: str, names: Sequence[Named]) -> Bound | None:
    """The option that is named right before the claim, or with which its line begins."""
    if joined := _joined(names, before):
        return Bound(_without_aliases(joined), "same line", above(page, line.number))
    return _by_lead(page, line, start)


def _by_lead(page: Page, line: Line, start: int) -> Bound | None:
    item = "" if begins(line, start) or page.syntax == "roff" else begins_with(page, line)
    return Bound((item,), "same line", above(page, line.number)) if item else None


def _joined(names: Sequence[Named], before: str) -> list[str]:
    """The names that stand right before the claim, together with those that they are joined to."""
    if not names or len(before) - names[-1].end > MAX_GAP or not _CLOSE.fullmatch(before[names[-1].end :]):
        return []
    if len(names) > 1 and _GIVEN.fullmatch(before[names[-2].end : names[-1].start]):
        return [names[-2].option]
    group = [names[-1]]
    for name in reversed(names[:-1]):
        between = before[name.end : group[-1].start]
        if not between.strip() or not _JOINED.fullmatch(between):
            break
        group.append(name)
    return [name.option for name in reversed(group)]


def _without_aliases(options: Sequence[str]) -> tuple[str, ...]:
    """The options, or the long form where all of them are spellings of one flag."""
    if len(options) > 1 and all(option.startswith("-") for option in options):
        return (next((option for option in options if option.startswith("--")), options[0]),)
    return tuple(dict.fromkeys(options))


def _in_row(page: Page, line: Line, start: int) -> Bound | None:
    """The option that a table's row is about, for what another of its cells says."""
    first = cells_of(line.text, line.number)[0]
    option = option_of(first) if start > first.column + len(first.text) else ""
    return Bound((option,), "row", above(page, line.number)) if option else None


def _in_prose(page: Page, line: Line, start: int, names: Sequence[Named], opens: bool) -> Bound | None:
    """What running text is about: the one name in the sentence, a term, the paragraph, or the heading."""
    if names:
        named = _by_name(page, line, names)
        return None if named and _is_under_another(page, line, named.options[0]) else named
    option, binding = term_of(page, line)
    if option:
        return Bound((option,), binding, above(page, line.number))
    told = None if binding == "blocked" else _by_heading(page, line, opens)
    return told or (_by_paragraph(page, line, start) if opens else None)


def _is_under_another(page: Page, line: Line, option: str) -> bool:
    """Whether the text stands right below the heading of another flag, and may be about either."""
    heading = nearest(page, line.number) if page.syntax != "roff" else None
    if heading is None or line.number - heading.line > NEAR_HEADING:
        return False
    headed = option_of_heading(heading, opens=False)
    return headed.startswith("-") and option.startswith("-") and headed != option


def _in_comment(page: Page, line: Line, names: Sequence[Named]) -> Bound | None:
    """What a comment is about: a term in it or the setting at which it stands, in settings files before any name."""
    if page.syntax == "settings":
        own = own_setting(page, line)
        if own:
            return Bound((own,), "setting", above(page, line.number))
        return _by_term(page, line) or _by_setting(page, line) or _by_name(page, line, names)
    return _by_term(page, line) or (_by_name(page, line, names) if names else _by_setting(page, line))


def _by_name(page: Page, line: Line, names: Sequence[Named]) -> Bound | None:
    options = {name.option for name in names}
    return Bound((options.pop(),), "same line", above(page, line.number)) if len(options) == 1 else None


def _by_term(page: Page, line: Line) -> Bound | None:
    option, binding = term_of(page, line)
    return Bound((option,), binding, above(page, line.number)) if option else None


def _by_setting(page: Page, line: Line) -> Bound | None:
    option, number = setting_by(page, line)
    return Bound((option,), "setting", above(page, number)) if option else None


def _by_paragraph(page: Page, line: Line, start: int) -> Bound | None:
    """The only option that the paragraph has named so far."""
    text, number = line.text[:start], line.number
    while not is_first_of_item(page, number) and line.number - number < PARAGRAPH:
        over = page.line(number - 1)
        if over is None or over.region != line.region or not over.text.strip() or over.text.startswith((".", "#", "|")):
            break
        number -= 1
        text = f"{over.text} {text}"
    named = _by_name(page, line, list(names_in(text)))
    return named._replace(binding="previous line") if named and number != line.number else named


def _by_heading(page: Page, line: Line, opens: bool) -> Bound | None:
    """The option that heads the text: on a line of its own, or as a heading."""
    heading = nearest(page, line.number) if page.syntax != "roff" else None
    around = above(page, line.number)
    if opens and (option := option_line_above(page, line, heading.line if heading else 0)):
        return Bound((option,), "term", around)
    near = heading is not None and (opens or line.number - heading.line <= NEAR_HEADING)
    option = option_of_heading(heading, opens=opens) if heading and near else ""
    return Bound((option,), "heading", around[:-1]) if option else None
