"""Keys that go over the end of a line: continued, wrapped, or put together from strings."""

from __future__ import annotations

import re
import string
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from itertools import accumulate

from tasks.secrets.looked import Found, Looked

_LETTERS = string.ascii_letters + string.digits + "_.~+/=%&?:@-"
_RUN = r"[A-Za-z0-9_.~+/=%&?:@-]"
# Hardly any line of prose has a digit in its first word, or a capital inside it.
_NEXT = re.compile(
    rf"\n[ \t>|#*]{{0,40}}[+.&]?[ \t]{{0,9}}[\"']?(?P<part>(?={_RUN}{{0,200}}(?:[0-9]|[a-z][A-Z])){_RUN}{{6,2000}}+)"
)
_ENDS = re.compile(r"[\"']?[ \t]{0,9}[+.&]?[ \t]{0,9}\\?\r?")
_STRING_ENDS = re.compile(r"[\"'][ \t]{0,9}[+.&]?[ \t]{0,9}$")
_PLAIN = re.compile(r"[A-Z]?[a-z]+[.:/?&=-]?|[0-9.:-]+")
_LINE = 300
"""Letters of a line, from its end, in which the first part and what names it are looked for."""
MOST_LINES = 12
"""A key goes over no more lines than this; what does is a certificate or a file that was encoded."""

Span = tuple[int, int]


def unwrapped(looked: Looked, look: Callable[[Looked], Iterable[Found]]) -> Iterator[Found]:
    """What `look` finds, but for chosen passwords, only when words that go over the end of a line are put together."""
    text = looked.text
    parts = [part for chain in _chains(text) if len(chain) <= MOST_LINES + 1 for part in (*chain, None)]
    if not parts:
        return
    pieces = [text[slice(*part)] if part else "\n" for part in parts]
    starts = [0, *accumulate(map(len, pieces))]
    for found in look(Looked("".join(pieces), template=True)):
        first, last = bisect_right(starts, found.first) - 1, bisect_right(starts, found.past - 1) - 1
        begin, end = parts[first], parts[last]
        if last > first and begin and end:
            yield Found(begin[0] + found.first - starts[first], end[0] + found.past - starts[last], found.kind)


def _chains(text: str) -> Iterator[list[Span]]:
    """The parts of each word that seems to go over the end of a line, the first with what stands before it there."""
    chain: list[Span] = []
    for found in _NEXT.finditer(text):
        if chain and _ENDS.fullmatch(text, chain[-1][1], found.start()):
            chain.append(found.span("part"))
            continue
        if chain:
            yield chain
            chain = []
        if before := _before(text, found.start()):
            chain = [before, found.span("part")]
    if chain:
        yield chain


def _before(text: str, newline: int) -> Span | None:
    """From where the last word of a line is named to where it ends; None where it looks like no part of a key."""
    begin = max(text.rfind("\n", 0, newline) + 1, newline - _LINE)
    line = text[begin:newline].rstrip("\r").removesuffix("\\")
    line = _STRING_ENDS.sub("", line)
    part = line[len(line.rstrip(_LETTERS)) :]
    return (begin, begin + len(line)) if len(part) >= 6 and not _PLAIN.fullmatch(part) else None
