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
_BULLET = re.compile(r"\A[\s#;/]*[-*+•] ")
_GOES_ON = re.compile(r"[\s#;/]*(?:[-*+•] |[^A-Z\s]|[A-Z][A-Z0-9_]*\s?[=:]|\S.{0,60}? => )")
_NEVER_TITLE = re.compile(r"[.:;=|]|\s\S+\s\S+\s\S+\s\S+\s")


def quote(weighed: Sequence[Weighed], threshold: float) -> list[tuple[Weighed, str]]:
    """Of passages in the order of the search those worth quoting, with what to quote: the first, and maybe the next."""
    first, *others = _spoken_first(weighed, threshold)
    quoted = [(first, sentences_around(first))]
    for second in others[:1]:
        words = sentences_around(second)
        related = second.piece.hit.relevance >= SECOND * first.piece.hit.relevance
        if related and second.evidence >= threshold and words not in quoted[0][1]:
            quoted.append((second, words))
    return quoted


def _spoken_first(weighed: Sequence[Weighed], threshold: float) -> list[Weighed]:
    """The passages; where the first is to be quoted by its code, from the next on that says something in words."""
    if not _is_code(weighed[0]):
        return list(weighed)
    told = (at for at, one in enumerate(weighed) if one.evidence >= threshold and not _is_code(one))
    return list(weighed[next(told, 0) :])


def _is_code(weighed: Weighed) -> bool:
    return weighed.sentence in weighed.piece.code


def sentences_around(weighed: Weighed) -> str:
    """The best sentence of a passage, with those that it needs to be understood, on one line."""
    hit, sentences, code = weighed.piece.hit, weighed.piece.sentences, weighed.piece.code
    if hit.kind == "template":  # a setting and its comment are one
        return joined(sentences, hit)
    start, end = weighed.sentence, weighed.sentence + 1
    while start and _LEANS.match(sentences[start]) and not _heads(sentences[start - 1], hit):
        start -= 1
    while end < len(sentences) and _goes_on(sentences[start:end], hit, to_code=end in code and end - 1 not in code):
        end += 1
    while start and _is_short(sentences[start:end], hit) and not _heads(sentences[start - 1], hit):
        start -= 1
    said = joined(sentences[start:end], hit)
    before = "… " if weighed.piece.headless and not start else ""
    behind = " …" if weighed.piece.endless and end == len(sentences) else ""
    said = f"{before}{said}{behind}"
    # Without its name, what is said of an option or a setting is of no use.
    return f"{hit.title}: {said}" if _NAME.fullmatch(hit.title) and hit.title not in said else said


def _goes_on(sentences: Sequence[str], hit: Hit, *, to_code: bool) -> bool:
    """Whether the sentence behind these is wanted as well: code only where they announce it."""
    said = joined(sentences, hit)
    if said.endswith(":") or _heads(sentences[-1], hit):
        return True
    return len(said) < ENOUGH_CHARS and not to_code


def _is_short(sentences: Sequence[str], hit: Hit) -> bool:
    return len(joined(sentences, hit)) < ENOUGH_CHARS


def _heads(sentence: str, hit: Hit) -> bool:
    """Whether a sentence only heads what follows."""
    bare = sentence.strip(" #=*`")
    return bare == hit.title or not _NEVER_TITLE.search(sentence)


def joined(sentences: Sequence[str], hit: Hit) -> str:
    """The sentences without their marks, on one line: a title with a colon behind it, an item with a semicolon."""
    said, above = "", ""
    for sentence in sentences:
        words = plain_text(_BULLET.sub("", unmarked(sentence, hit.kind, hit.path)))
        if words:
            said += _between(said, above, sentence, hit) + words if said else words
            above = sentence
    return plain_text(said)


def _between(said: str, above: str, sentence: str, hit: Hit) -> str:
    if said.rstrip("\"'`)]*_").endswith((".", "!", "?", ":", ";", ",")):
        return " "
    if (_heads(above, hit) or above.lstrip().startswith(".. ")) and not _BULLET.match(above):
        return ": "
    return "; " if _GOES_ON.match(sentence) else ". "
