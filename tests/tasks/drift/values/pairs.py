"""Pairs of documented and actual values, and what comparing them must come to."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple


class Pair(NamedTuple):
    """A line of `pairs.txt`."""

    verdict: str
    topic: str
    documented: str
    actual: str
    option: str


def read_pairs() -> Iterator[Pair]:
    verdict, topic = "", ""
    blocks = (Path(__file__).parent / "pairs.txt").read_text(encoding="utf-8").split("\n\n")[1:]
    for title, *lines in (block.split("\n") for block in blocks):
        verdict, _, topic = title.partition(": ")
        for line in filter(None, lines):
            documented, _, rest = line.replace("\\n", "\n").partition(" =")
            actual, _, option = rest.partition(" @")
            yield Pair(verdict, topic, documented, actual.strip(" "), option or "BELL")


PAIRS = tuple(read_pairs())
