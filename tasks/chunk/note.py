"""Notes of a vault: Markdown, and what editors of notes add to it, each such thing one block."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from schemas.chunks import Document
from tasks.chunk.layout import Layout
from tasks.chunk.markdown import front_matter_end, outline

_PREFIX = re.compile(r"\s*(?:(?:[-*+]|\d{1,9}[.)])\s+)?")
_FENCE = re.compile(r"(`{3,})[^`]*|(~{3,}+).*")
_BLOCK_ID = re.compile(r"\s*\^[A-Za-z0-9-]+\s*")
_MARKS = ("$$", "%%")
"""Formulas and comments, which may run over lines, blank ones too."""
_MAX_LINES = 400
"""Of a formula or comment: two marks that are further apart hardly belong together."""
_COVER = "`" * 9


def read_note(document: Document) -> Layout:
    """The outline of its Markdown, in which callouts, formulas and comments are single blocks without headings.

    A line that is nothing but the id of the block above stays with it.
    """
    lines = document.text.split("\n")
    layout = outline(lines, _covered(lines, front_matter_end(lines)))
    starts = [line for line in layout.breaks if not _BLOCK_ID.fullmatch(lines[line - 1])]
    return replace(layout, breaks=starts)


def _covered(lines: Sequence[str], front: int) -> list[str]:
    """The lines, with code in the place of each block that the Markdown parser would look into."""
    covered = list(lines)
    for start, end in _blocks(lines, front):
        prefix = _prefix(lines[start])
        blank = " " * len(prefix)
        covered[start : end + 1] = [prefix + _COVER, *[f"{blank}x"] * (end - start - 1), blank + _COVER]
    return covered


def _blocks(lines: Sequence[str], start: int) -> Iterator[tuple[int, int]]:
    """First and last line, from 0, of each callout, formula and comment of more than one line."""
    at = start
    while at < len(lines):
        body = lines[at][len(_prefix(lines[at])) :]
        if fence := _FENCE.fullmatch(body):
            at = _fence_end(lines, at, fence[1] or fence[2]) + 1
            continue
        end = _quote_end(lines, at) if body.startswith(">") else _marked_end(lines, at, body)
        if end > at:
            yield at, end
        at = end + 1


def _prefix(line: str) -> str:
    found = _PREFIX.match(line)
    return found[0] if found else ""


def _fence_end(lines: Sequence[str], start: int, mark: str) -> int:
    """The line that closes a fence, else the last of all."""
    for number in range(start + 1, len(lines)):
        line = lines[number].strip()
        if line.startswith(mark) and not line.strip(mark[0]):
            return number
    return len(lines) - 1


def _quote_end(lines: Sequence[str], start: int) -> int:
    end = start
    while end + 1 < len(lines) and lines[end + 1].lstrip().startswith(">"):
        end += 1
    return end


def _marked_end(lines: Sequence[str], start: int, body: str) -> int:
    """The line with the second of two marks, of which the first begins this line; else this line."""
    mark = body[:2]
    if mark not in _MARKS or mark in body[2:]:
        return start
    ends = range(start + 1, min(len(lines), start + _MAX_LINES))
    return next((number for number in ends if mark in lines[number]), start)
