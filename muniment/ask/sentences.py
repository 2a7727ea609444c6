"""Where sentences begin and end in documentation: prose that wraps, lists, tables, settings, commands."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

# A stop that ends a sentence: followed by space and what can begin one, and not after an abbreviation or an initial.
_STOP = re.compile(
    r"""(?<![.\s][A-Za-z])(?<!\be\.g)(?<!\bi\.e)(?<!\betc)(?<!\bvs)[.!?]["'`)\]]*"""
    r"""(?=\s++[#;/]*\s*["'`(\[*]*[A-Z0-9])"""
)
_ITEM = re.compile(r"\s*([-*+•] |(?:\d+|#)[.)] )")
_OWN_LINE = re.compile(
    r"\s*([-*+•] |(?:\d+|#)[.)] |\.\. |\||#{2,6} |--?\w|[A-Za-z_][\w.-]*\s?[=:]|(?:#|;|//)[ \t]*[-*•] )"
    r"|[\s#;/]*\S.{0,60}? => "  # what a value means
)
_RULE = re.compile(r"[\s#;/]*[|:+=~*─━-]{3,}\s*$")


@dataclass(frozen=True, slots=True)
class Span:
    """A piece of a text, by offsets."""

    start: int
    end: int

    def of(self, text: str) -> str:
        """The piece itself."""
        return text[self.start : self.end]


def split_sentences(text: str) -> list[Span]:
    """The sentences of a text in order, without blank margins; together they hold every letter of it."""
    return [
        span for block in _blocks(text) for span in (_trimmed(text, piece) for piece in _pieces(text, block)) if span
    ]


def line_of(text: str, offset: int) -> int:
    """How many lines stand before an offset."""
    return text.count("\n", 0, offset)


def _blocks(text: str) -> Iterator[Span]:
    """Runs of lines that wrap into each other: a new one begins at a blank line, a rule, an item, a row, a setting."""
    start = offset = 0
    above = ""
    for line in text.splitlines(keepends=True):
        if not line.strip() or _OWN_LINE.match(line) or _RULE.match(line) or _RULE.match(above) or _heads(above, line):
            yield Span(start, offset)
            start = offset
        above = line
        offset += len(line)
    yield Span(start, offset)


def _heads(above: str, line: str) -> bool:
    """Whether the line above is a title, which stands further left than what it heads."""
    indents = [len(one) - len(one.lstrip()) for one in (above, line)]
    return bool(above.strip()) and indents[1] > indents[0] and not _ITEM.match(above)


def _pieces(text: str, block: Span) -> Iterator[Span]:
    start = block.start
    for stop in _STOP.finditer(text, block.start, block.end):
        before = text[start : stop.start()].strip()
        if before == "#" or before.isdigit():  # the number of an item
            continue
        yield Span(start, stop.end())
        start = stop.end()
    yield Span(start, block.end)


def _trimmed(text: str, span: Span) -> Span | None:
    piece = span.of(text)
    start = span.start + len(piece) - len(piece.lstrip())
    end = span.start + len(piece.rstrip())
    return Span(start, end) if start < end else None
