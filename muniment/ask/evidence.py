"""How likely a passage answers a question, as far as words and vectors can tell without a model."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeGuard

from muniment.ask.excerpts import Piece, held
from muniment.ask.expected import Expected, expected_of, holds
from muniment.embedders.bundled import BundledEmbedder
from muniment.ranking.words import words_of
from muniment.store.reader import Filter, Reader

if TYPE_CHECKING:
    from muniment.embedders import Embedder

# The words by which a setting is asked for stand in no answer: only what comes between and after them must.
_ASKING = re.compile(
    r"\b(?:which|what) (?:\w+ )?(?:variable|setting|key|parameter|option)s?\b"
    r"(?: (?:controls?|sets?|governs?|decides?|holds?|determines?|changes?))?"
    r"|\b(?:and )?what(?: is|'s) (?:its|the|their) defaults?(?: values?)?\b(?: of| for)?",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W_]+")
_CONTRACTED = re.compile(r"['’](?:s|re|ve|ll|d|t|m)\b", re.IGNORECASE)
COUNTED = 200
"""A word in more chunks than this is as common as one can be."""
JOINT = 0.3
"""What holding all the question's words is worth, in cosine."""
SPOKEN = 0.6
"""How much of what speaks for a line of code must speak for a sentence beside it that is to be quoted instead."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question taken apart."""

    question: str
    weights: Mapping[str, float]
    """Stem of each of its words -> its share of the whole: the rarer in the index, the more."""
    unknown: float
    """The share of the words that no chunk holds."""
    expected: Expected | None


@dataclass(frozen=True, slots=True)
class Weighed:
    """A piece and what speaks for it."""

    piece: Piece
    evidence: float
    """0..1."""
    sentence: int
    """Which of its sentences answers best; a line of code where no other comes near."""
    values: tuple[float, ...]
    """What `evidence` is made of: how well it meets the question, the joint score of its best sentence, the share of
    words unknown to the index, and how long the question is."""


def take_apart(question: str, reader: Reader) -> Asked:
    """The question's words with their rarity in the index."""
    chunks = sum(state.chunks for state in reader.generation.sources.values())
    # Counted as the question has it: the index has stems of its own.
    asked_about = _CONTRACTED.sub("", _ASKING.sub(" ", question))
    spelled = {stem: word for word in _WORD.findall(asked_about) for stem in words_of(word)}
    counts = {stem: _count(reader, word) for stem, word in spelled.items()}
    rarity = {stem: math.log((chunks + 1) / (min(count, chunks) + 0.5)) for stem, count in counts.items()}
    whole = sum(rarity.values()) or 1.0
    weights = {stem: max(value, 0.0) / whole for stem, value in rarity.items()}
    unknown = sum(weights[stem] for stem, count in counts.items() if not count)
    return Asked(question, weights, unknown, expected_of(question))


def weigh(asked: Asked, pieces: Sequence[Piece], embedder: Embedder | None) -> list[Weighed]:
    """The best piece of each chunk, in the order of the search, which knows more of what is asked for than we do."""
    meeting = _meeting(embedder, asked.question, [f"{piece.heading}. {_flat(piece.text)}" for piece in pieces])
    best: dict[str, tuple[float, float, Piece]] = {}
    for met, piece in zip(meeting, pieces, strict=True):
        score = met + JOINT * held(asked.weights, piece.text)
        known = best.get(piece.hit.chunk_id)
        if known is None or known[0] < score:
            best[piece.hit.chunk_id] = (score, met, piece)
    kept = [(met, piece) for _, met, piece in best.values()]
    sentences = [f"{piece.heading}. {_flat(sentence)}" for _, piece in kept for sentence in piece.sentences]
    cosines = iter(_near(embedder, asked.question, sentences))
    scale = scale_of(embedder)
    return [_weighed(asked, piece, met, [next(cosines) for _ in piece.sentences], scale) for met, piece in kept]


def strongest(weighed: Sequence[Weighed]) -> list[float]:
    """The highest of each value, wherever it stands: what there is for the question as a whole."""
    return [max(column) for column in zip(*(one.values for one in weighed), strict=True)]


# Logistic regression on half of the questions of `benchmarks/foreign.py --fit`; the other half is reported there.
# The bias puts even odds at 0.4, which leaves room for the possibly related under 0.5.
WEIGHTS = (23.7, 0.0, -2.3, 2.22, -17.63)
WEIGHTS_LEXICAL = (0.0, 18.58, -2.49, 2.1, -7.29)


def scale_of(embedder: Embedder | None) -> tuple[float, ...]:
    """The weights of `likelihood` for what this embedder can tell."""
    return WEIGHTS if _is_measured(embedder) else WEIGHTS_LEXICAL


def likelihood(values: Sequence[float], scale: Sequence[float]) -> float:
    """0..1, from values, their weights, and a bias at the end of those."""
    *slopes, bias = scale
    return 1 / (1 + math.exp(-bias - sum(slope * value for slope, value in zip(slopes, values, strict=True))))


def _weighed(asked: Asked, piece: Piece, met: float, sentences: Sequence[float], scale: Sequence[float]) -> Weighed:
    above = f"{piece.hit.heading_path} {piece.hit.path}"
    joint = [
        near + JOINT * held(asked.weights, f"{above} {sentence}") if holds(asked.expected, sentence) else 0.0
        for near, sentence in zip(sentences, piece.sentences, strict=True)
    ]
    fitting = met if holds(asked.expected, piece.text) else 0.0
    length = math.log(len(asked.question.split()))
    values = (fitting, max(joint), asked.unknown, length)
    return Weighed(piece, likelihood(values, scale), _quoted(piece, joint), values)


def _quoted(piece: Piece, joint: Sequence[float]) -> int:
    """The sentence to quote: of code that answers best, people would rather read what is said of it."""
    best = max(range(len(joint)), key=joint.__getitem__)
    if best not in piece.code:
        return best
    told = (number for number, said in enumerate(piece.sentences) if number not in piece.code and len(said.split()) > 4)
    near = [number for number in told if joint[number] >= SPOKEN * joint[best]]
    return max(near, key=joint.__getitem__, default=best)


def _count(reader: Reader, word: str) -> int:
    return len(reader.match(word, Filter(), COUNTED, ["chunk_id"]))


def _is_measured(embedder: Embedder | None) -> TypeGuard[BundledEmbedder]:
    """Whether it is the model that the weights were fitted with: the cosines of others are no measure."""
    return isinstance(embedder, BundledEmbedder)


def _meeting(embedder: Embedder | None, question: str, texts: Sequence[str]) -> list[float]:
    """How well each text meets the question: the cosine of each of its tokens with the text's nearest, on average.

    That sees a question of which one part is nowhere in the text, which the vector of a whole text does not.
    """
    if not _is_measured(embedder) or not texts:
        return [0.0] * len(texts)
    asked, *told = embedder.embed_tokens([question, *texts])
    return [float((asked @ tokens.T).max(axis=1).mean()) if len(asked) else 0.0 for tokens in told]


def _near(embedder: Embedder | None, question: str, texts: Sequence[str]) -> list[float]:
    """Cosines of the question with each text; zeros where there is no measure."""
    if not _is_measured(embedder) or not texts:
        return [0.0] * len(texts)
    vector = embedder.embed([question], "query")[0]
    cosines: list[float] = (embedder.embed(list(texts)) @ vector).tolist()
    return cosines


def _flat(text: str) -> str:
    return " ".join(text.split())
