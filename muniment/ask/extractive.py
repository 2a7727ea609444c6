"""An answer without a model: the best sentences, as the documents have them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from muniment.ask.evidence import Weighed
from muniment.ask.guard import plain_text
from muniment.ask.marks import unmarked
from schemas.answers import Hit

ENOUGH_CHARS = 120
"""A shorter quotation takes the next sentences of its passage with it, or those before where there are none."""
SECOND = 0.8
"""How relevant the second passage must be, by the first, to be quoted as well."""
_LEANS = re.compile(
    r"(?:It|They|This|These|That|Those|Such|Then|There|Otherwise|Both|Its|He|She|But|And|So)\b"
    r"|\w+ (?:this|these|such)\b"
)
_NAME = re.compile(r"--?\w\S*(?: [A-Z]+)?|[A-Z][A-Z0-9]*_[A-Z0-9_]+|[a-z]+_[a-z_]+")
_NEVER_TITLE = re.compile(r"[.:;=|]|\s\S+\s\S+\s\S+\s\S+\s")


def quote(weighed: Sequence[Weighed], threshold: float) -> list[tuple[Weighed, str]]:
    """Of passages in the order of the search those worth quoting, with what to quote: the first, and maybe the next."""
    first, *others = weighed
    quoted = [(first, sentences_around(first))]
    for second in others[:1]:
        words = sentences_around(second)
        related = second.piece.hit.relevance >= SECOND * first.piece.hit.relevance
        if related and second.evidence >= threshold and words not in quoted[0][1]:
            quoted.append((second, words))
    return quoted


def sentences_around(weighed: Weighed) -> str:
    """The best sentence of a passage, with those that it needs to be understood, on one line."""
    hit, sentences = weighed.piece.hit, weighed.piece.sentences
    if hit.kind == "template":  # a setting and its comment are one
        return _flat(sentences, hit)
    start, end = weighed.sentence, weighed.sentence + 1
    while start and _LEANS.match(sentences[start]) and not _heads(sentences[start - 1], hit):
        start -= 1
    while end < len(sentences) and (
        len(_flat(sentences[start:end], hit)) < ENOUGH_CHARS or _heads(sentences[end - 1], hit)
    ):
        end += 1
    while start and len(_flat(sentences[start:end], hit)) < ENOUGH_CHARS and not _heads(sentences[start - 1], hit):
        start -= 1
    said = _flat(sentences[start:end], hit)
    # Without its name, what is said of an option or a setting is of no use.
    return f"{hit.title}: {said}" if _NAME.fullmatch(hit.title) and hit.title not in said else said


def _heads(sentence: str, hit: Hit) -> bool:
    """Whether a sentence only heads what follows."""
    bare = sentence.strip(" #=*`")
    return bare == hit.title or not _NEVER_TITLE.search(sentence)


def _flat(sentences: Sequence[str], hit: Hit) -> str:
    return plain_text(" ".join(plain_text(unmarked(sentence, hit.kind)) for sentence in sentences))
