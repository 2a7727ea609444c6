"""How likely a passage answers a question, as far as words and vectors can tell without a model."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from muniment.ask.excerpts import Piece, held
from muniment.ask.expected import Expected, expected_of, holds
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
CALIBRATED = "all-MiniLM-L6-v2"
"""The model whose cosines the weights below were fitted with; those of others are no measure."""


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
    """Which of its sentences answers best."""
    values: tuple[float, ...]
    """What `evidence` is made of: cosine, joint score, share of words held, share of words unknown to the index."""


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
    near = _near(embedder, asked.question, [f"{piece.heading}. {_flat(piece.text)}" for piece in pieces])
    best: dict[str, tuple[float, float, Piece]] = {}
    for cosine, piece in zip(near, pieces, strict=True):
        score = cosine + JOINT * held(asked.weights, piece.text)
        known = best.get(piece.hit.chunk_id)
        if known is None or known[0] < score:
            best[piece.hit.chunk_id] = (score, cosine, piece)
    kept = [(cosine, piece) for _, cosine, piece in best.values()]
    sentences = [f"{piece.heading}. {_flat(sentence)}" for _, piece in kept for sentence in piece.sentences]
    cosines = iter(_near(embedder, asked.question, sentences))
    scale = scale_of(embedder)
    return [_weighed(asked, piece, cosine, [next(cosines) for _ in piece.sentences], scale) for cosine, piece in kept]


def strongest(weighed: Sequence[Weighed]) -> list[float]:
    """The highest of each value, wherever it stands: what there is for the question as a whole."""
    return [max(column) for column in zip(*(one.values for one in weighed), strict=True)]


# Logistic regression on one half of the questions of `benchmarks/abstention.py --fit`; both halves are reported there.
# The bias puts the best split of the fitted half at 0.4, which leaves room for the possibly related under 0.5.
WEIGHTS = (9.56, 4.01, 0.0, -2.03, -7.16)
WEIGHTS_LEXICAL = (0.0, 10.67, -0.39, -2.82, -0.88)


def scale_of(embedder: Embedder | None) -> tuple[float, ...]:
    """The weights of `likelihood` for what this embedder can tell."""
    return WEIGHTS if _is_measured(embedder) else WEIGHTS_LEXICAL


def likelihood(values: Sequence[float], scale: Sequence[float]) -> float:
    """0..1, from values, their weights, and a bias at the end of those."""
    *slopes, bias = scale
    return 1 / (1 + math.exp(-bias - sum(slope * value for slope, value in zip(slopes, values, strict=True))))


def _weighed(asked: Asked, piece: Piece, cosine: float, sentences: Sequence[float], scale: Sequence[float]) -> Weighed:
    above = f"{piece.hit.heading_path} {piece.hit.path}"
    joint = [
        near + JOINT * held(asked.weights, f"{above} {sentence}") if holds(asked.expected, sentence) else 0.0
        for near, sentence in zip(sentences, piece.sentences, strict=True)
    ]
    best = max(range(len(joint)), key=joint.__getitem__)
    fitting = cosine if holds(asked.expected, piece.text) else 0.0
    values = (fitting, joint[best], held(asked.weights, f"{above} {piece.text}"), asked.unknown)
    return Weighed(piece, likelihood(values, scale), best, values)


def _count(reader: Reader, word: str) -> int:
    return len(reader.match(word, Filter(), COUNTED, ["chunk_id"]))


def _is_measured(embedder: Embedder | None) -> bool:
    return embedder is not None and CALIBRATED in embedder.fingerprint


def _near(embedder: Embedder | None, question: str, texts: Sequence[str]) -> list[float]:
    """Cosines of the question with each text; zeros where there is no measure."""
    if embedder is None or not _is_measured(embedder) or not texts:
        return [0.0] * len(texts)
    vector = embedder.embed([question], "query")[0]
    cosines: list[float] = (embedder.embed(list(texts)) @ vector).tolist()
    return cosines


def _flat(text: str) -> str:
    return " ".join(text.split())
