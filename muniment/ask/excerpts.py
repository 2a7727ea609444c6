"""Bounded excerpts: of each chunk that was found, the piece that speaks to the question."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from muniment.ask.guard import disarmed
from muniment.ask.sentences import Span, line_of, split_sentences
from muniment.ranking.words import words_of
from schemas.answers import Hit

WINDOWS = 2
"""How many pieces of one long chunk are looked at closer."""


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

    @property
    def heading(self) -> str:
        """What the window stands under."""
        title = self.hit.title or self.hit.section
        return disarmed(title) if title not in self.text else ""


def cut_pieces(hit: Hit, rank: int, weights: Mapping[str, float], max_chars: int) -> list[Piece]:
    """The best windows of a chunk, of at most `max_chars` characters each, best first; none of a blank text."""
    text = disarmed(hit.text)
    sentences = [span for span in split_sentences(text) if any(letter.isalnum() for letter in span.of(text))]
    windows = sorted(_windows(sentences, max_chars), key=lambda window: -held(weights, _spoken(text, window)))
    return [_piece(hit, rank, text, window) for window in windows[:WINDOWS]]


def held(weights: Mapping[str, float], text: str) -> float:
    """The share of the question's words, by weight, that a text holds."""
    words = set(words_of(text))
    return sum(weight for word, weight in weights.items() if word in words)


def _windows(sentences: list[Span], max_chars: int) -> Iterator[tuple[Span, ...]]:
    """Runs of sentences that fit, each begun where the last one ended; a longer sentence is cut."""
    run: list[Span] = []
    for sentence in (part for whole in sentences for part in _cut(whole, max_chars)):
        if run and sentence.end - run[0].start > max_chars:
            yield tuple(run)
            # The last sentence again, so that what belongs together is together in one of the two.
            run = run[-1:] if sentence.end - run[-1].start <= max_chars else []
        run.append(sentence)
    if run:
        yield tuple(run)


def _cut(sentence: Span, max_chars: int) -> Iterator[Span]:
    for start in range(sentence.start, sentence.end, max_chars):
        yield Span(start, min(start + max_chars, sentence.end))


def _spoken(text: str, window: tuple[Span, ...]) -> str:
    return text[window[0].start : window[-1].end]


def _piece(hit: Hit, rank: int, text: str, window: tuple[Span, ...]) -> Piece:
    start, end = window[0].start, window[-1].end
    return Piece(
        hit=hit,
        rank=rank,
        text=text[start:end],
        line_start=hit.line_start + line_of(text, start),
        line_end=hit.line_start + line_of(text, end),
        sentences=tuple(span.of(text) for span in window),
    )
