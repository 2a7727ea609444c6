"""A block of documentation inside a script, and the test for what reads like a title."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile

from tasks.chunk.layout import Heading, is_rule, shorten

_NAMED = re.compile(r"\S+ +(?:-{1,2}|–|—) +\S")
MAX_TITLE_LINE = 120
_ESCAPABLE = ('"', '"""', "'''")


@dataclass(frozen=True, slots=True)
class Block:
    """Consecutive lines of a script with what is not text (comment markers, quotes, indentation) taken off."""

    line_start: int
    texts: tuple[str, ...]
    section: str = ""
    """The section of what stands before the block's first own heading."""
    headings: tuple[Heading, ...] | None = None
    """Where the syntax itself says where headings are (POD); otherwise they are recognised by their looks."""

    @property
    def line_end(self) -> int:
        """Last line of the block."""
        return self.line_start + len(self.texts) - 1


def dedent(texts: Sequence[str]) -> tuple[str, ...]:
    """The texts without the blanks that all of them begin with (rules apart), and without any at their ends."""
    texts = [text.strip() if is_rule(text) else text.rstrip() for text in texts]
    filled = [text for text in texts if text and not is_rule(text)] or [""]
    # What the smallest and the greatest text begin with, all begin with.
    pairs = zip(min(filled), max(filled), strict=False)
    depth = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1] and pair[0] in " \t", pairs))
    return tuple(text if is_rule(text) else text[depth:] for text in texts)


def read_until(lines: Sequence[str], index: int, column: int, closing: str) -> list[str] | None:
    """What stands from the column of a line up to the closing mark, line by line; nothing where it is never closed.

    A double or triple quote with a backslash before it closes nothing.
    """
    texts: list[str] = []
    for number in range(index, len(lines)):
        line = lines[number]
        end = _find_mark(line, closing, column)
        texts.append(line[column:end])
        if end is not None:
            return texts
        column = 0
    return None


def _find_mark(line: str, closing: str, column: int) -> int | None:
    found = line.find(closing, column)
    while found > column and closing in _ESCAPABLE and _backslashes(line, column, found) % 2:
        found = line.find(closing, found + 1)
    return found if found >= 0 else None


def _backslashes(line: str, column: int, end: int) -> int:
    start = end
    while start > column and line[start - 1] == "\\":
        start -= 1
    return end - start


def title_of(text: str) -> str:
    """The first line of a text if it reads like its title, that is stands alone or says `name - what it does`."""
    first, _, rest = text.partition("\n")
    alone = not rest or not rest.partition("\n")[0].strip()
    if len(first) > MAX_TITLE_LINE or first[:1] in "[-" or "://" in first or not (alone or _NAMED.match(first)):
        return ""
    return shorten(first).rstrip(".:")
