"""What a splitter finds in a file: its lines, where headings stand, what may be cited; and the cut into pieces."""

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from schemas.chunks import Piece

MAX_TITLE = 200
"""In characters: a heading may be a line of a megabyte, and it is stored with each of its pieces."""

CONTINUES = 99
"""The level of a cut that changes nothing about where we are."""

RULE_CHARACTERS = "-=_*#~+━─═▬╔╗╚╝╠╣┌┐└┘├┤╭╮╰╯"


@dataclass(frozen=True, slots=True)
class Heading:
    """A line at which a piece begins; without a title it only ends what its level ends."""

    line: int
    level: int
    title: str
    line_end: int
    """Last line that is heading and not yet text; before `line` where the heading's own line holds text."""


Stack = tuple[Heading, ...]


def outermost(stack: Stack) -> str:
    """The section by the outermost heading."""
    return stack[0].title if stack else ""


def below_title(stack: Stack) -> str:
    """The section where the outermost heading is the title of the whole document."""
    return stack[min(1, len(stack) - 1)].title if stack else ""


def first_level(stack: Stack) -> str:
    """The section where level 1 is a section, and level 2 may stand without one."""
    return stack[0].title if stack and stack[0].level == 1 else ""


@dataclass(frozen=True, slots=True)
class Layout:
    """A file as its splitter reads it."""

    lines: Sequence[str]
    """As they are cited: the file's own lines, in scripts with the comment markers stripped."""
    documentation: Sequence[bool]
    """For each line whether it documents something: these are the lines that no piece may lose."""
    headings: Sequence[Heading] = ()
    breaks: Sequence[int] = ()
    """Lines at which a block starts, ascending."""
    body_start: int = 1
    """First line after the front matter, which belongs to whatever comes first."""
    title: str = ""
    section: Callable[[Stack], str] = outermost


@dataclass(slots=True)
class _Span:
    line_start: int
    body_start: int
    stack: Stack
    line_end: int = 0


def cut(layout: Layout) -> list[Piece]:
    """The pieces of a file, in order and disjoint.

    A heading without text of its own opens the piece of the first heading below it, so that no piece is a bare
    heading unless nothing stands under it.
    """
    spans = list(_spans(layout))
    for span, following in pairwise(spans):
        if _is_bare(layout, span) and following.stack[: len(span.stack)] == span.stack:
            following.line_start, span.line_end = span.line_start, 0
    return [piece for span in spans if (piece := _piece(layout, span))]


def _spans(layout: Layout) -> Iterator[_Span]:
    span = _Span(1, layout.body_start, ())
    for heading in layout.headings:
        span.line_end = heading.line - 1
        yield span
        stack = tuple(above for above in span.stack if above.level < heading.level)
        span = _Span(heading.line, heading.line_end + 1, (*stack, heading) if heading.title else stack)
    span.line_end = len(layout.lines)
    yield span


def _is_bare(layout: Layout, span: _Span) -> bool:
    return not any(layout.documentation[span.body_start - 1 : span.line_end])


def _piece(layout: Layout, span: _Span) -> Piece | None:
    start, end = span.line_start, span.line_end
    while start <= end and not layout.documentation[start - 1]:
        start += 1
    while end >= start and not layout.documentation[end - 1]:
        end -= 1
    if start > end:
        return None
    path = tuple(heading.title for heading in span.stack)
    return Piece(
        line_start=start,
        line_end=end,
        text="\n".join(layout.lines[start - 1 : end]),
        section=layout.section(span.stack),
        title=path[-1] if path else "",
        heading_path=path,
        breaks=tuple(layout.breaks[bisect_right(layout.breaks, start) : bisect_right(layout.breaks, end)]),
    )


def shorten(title: str) -> str:
    """The title on one line and of bounded length."""
    title = " ".join(title[: 2 * MAX_TITLE].split())
    return title if len(title) <= MAX_TITLE else title[: MAX_TITLE - 1] + "…"


def is_rule(line: str) -> bool:
    """Whether a line is decoration: three or more of the characters that rules are drawn with, and nothing else."""
    drawn = line.replace(" ", "")
    return len(drawn) >= 3 and not drawn.strip(RULE_CHARACTERS)


def paragraph_starts(lines: Sequence[str]) -> list[int]:
    """The lines that begin a paragraph: not blank, and after a blank one."""
    return [
        number
        for number, line in enumerate(lines, start=1)
        if line.strip() and (number == 1 or not lines[number - 2].strip())
    ]


def titled(headings: Sequence[Heading]) -> bool:
    """Whether the first heading is the document's title: no other is of its level or above."""
    return bool(headings) and all(heading.level > headings[0].level for heading in headings[1:])
