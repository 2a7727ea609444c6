"""Perl's POD: documentation between `=head1 ...` and `=cut`, wherever it stands in the script."""

import re
from collections.abc import Iterator, Sequence

from tasks.chunk.block import Block
from tasks.chunk.layout import Heading, shorten

_COMMAND = re.compile(r"=[a-zA-Z]\w*")
_HEAD = re.compile(r"=head([1-4])\s+(\S.*)")


def pod_blocks(lines: Sequence[str]) -> Iterator[Block]:
    """Each stretch of POD, with its headings."""
    start = -1
    for index, line in enumerate([*lines, "=cut"]):
        command = _COMMAND.match(line)
        if start < 0 and command and command[0] != "=cut":
            start = index
        elif start >= 0 and command and command[0] == "=cut":
            yield _block(lines[start:index], start + 1)
            start = -1


def _block(lines: Sequence[str], line_start: int) -> Block:
    headings = [Heading(line_start, 1, "", line_start - 1)]
    for number, line in enumerate(lines, start=line_start):
        if found := _HEAD.match(line):
            headings.append(Heading(number, int(found[1]), shorten(found[2]), number))
    return Block(line_start, tuple(line.rstrip() for line in lines), headings=tuple(headings))
