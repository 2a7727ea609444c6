"""Bounded excerpts: of each chunk that was found, the piece that speaks to the question."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from muniment.ask.code import code_lines
from muniment.ask.guard import disarmed
from muniment.ask.sentences import Span, line_of, split_sentences
from muniment.ranking.words import words_of
from schemas.answers import Hit

WINDOWS = 2
"""How many pieces of one long chunk are looked at closer."""
_BLANKS = re.compile(r"\s+")
_FRONT = re.compile(r"[\w\"'.-]{1,80}\s?[:=](?:[^\n]*\n)+?(?:---|\+\+\+|\.\.\.)[ \t]*(?:\n|\Z)")
"""What a chunk begins with that holds the front matter of its document; the mark above it is no part of any chunk."""
_FRONT_LINE = 3
"""The last line on which that may begin."""
_FRONTED = ("doc", "readme", "manual")
"""Kinds whose front matter speaks to a program; in a note or a paper it is what somebody may ask for."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A window on a chunk."""

    hit: Hit
    rank: int
    """Place of the hit in the search, from 1."""
    text: str
    """Of the window, with nothing live in it."""
    line_start: int
    line_end: int
    sentences: tuple[str, ...]
    code: frozenset[int] = frozenset()
    """Which of them stand in a block of code."""
    headless: bool = False
    """Whether the first of them is the rest of a longer one."""
    endless: bool = False
    """Whether the last of them goes on behind the window."""

    @property
    def heading(self) -> str:
        """What the window stands under."""
        title = self.hit.title or self.hit.section
        return disarmed(title) if title not in self.text else ""


def cut_pieces(hit: Hit, rank: int, weights: Mapping[str, float], max_chars: int) -> list[Piece]:
    """The best windows of a chunk, of at most `max_chars` characters each, best first; none of a blank text."""
    text = disarmed(hit.text)
    spoken = [span for span in split_sentences(text) if any(letter.isalnum() for letter in span.of(text))]
    body = _body(hit, text)
    sentences = [span for span in spoken if span.start >= body] or spoken
    windows = sorted(_windows(text, sentences, max_chars), key=lambda window: -held(weights, _spoken(text, window)))
    return [_piece(hit, rank, text, window, sentences) for window in windows[:WINDOWS]]


def held(weights: Mapping[str, float], text: str) -> float:
    """The share of the question's words, by weight, that a text holds."""
    words = set(words_of(text))
    return sum(weight for word, weight in weights.items() if word in words)


def _windows(text: str, sentences: list[Span], max_chars: int) -> Iterator[tuple[Span, ...]]:
    """Runs of sentences that fit, each begun where the last one ended; a longer sentence is cut."""
    run: list[Span] = []
    for sentence in (part for whole in sentences for part in _cut(text, whole, max_chars)):
        if run and sentence.end - run[0].start > max_chars:
            yield tuple(run)
            # The last sentence again, so that what belongs together is together in one of the two.
            run = run[-1:] if sentence.end - run[-1].start <= max_chars else []
        run.append(sentence)
    if run:
        yield tuple(run)


def _body(hit: Hit, text: str) -> int:
    """Where a chunk's text begins behind the front matter."""
    found = _FRONT.match(text) if hit.kind in _FRONTED and hit.line_start <= _FRONT_LINE else None
    return found.end() if found else 0


def _cut(text: str, sentence: Span, max_chars: int) -> Iterator[Span]:
    """The sentence in parts that fit: at the ends of lines, else between words, and without either anywhere."""
    start = sentence.start
    while sentence.end - start > max_chars:
        fits = start + max_chars
        end = max(text.rfind("\n", start + max_chars // 2, fits), 0) or max(text.rfind(" ", start + 1, fits), 0) or fits
        yield Span(start, end)
        start = _next_word(text, end)
    if start < sentence.end:
        yield Span(start, sentence.end)


def _next_word(text: str, offset: int) -> int:
    found = _BLANKS.match(text, offset)
    return found.end() if found else offset


def _spoken(text: str, window: tuple[Span, ...]) -> str:
    return text[window[0].start : window[-1].end]


def _piece(hit: Hit, rank: int, text: str, window: tuple[Span, ...], sentences: Sequence[Span]) -> Piece:
    start, end = window[0].start, window[-1].end
    coded = code_lines(text)
    return Piece(
        hit=hit,
        rank=rank,
        text=text[start:end],
        line_start=hit.line_start + line_of(text, start),
        line_end=hit.line_start + line_of(text, end),
        sentences=tuple(span.of(text) for span in window),
        code=frozenset(number for number, span in enumerate(window) if line_of(text, span.start) in coded),
        headless=all(span.start != start for span in sentences),
        endless=all(span.end != end for span in sentences),
    )
