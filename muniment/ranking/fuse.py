"""One order out of two lists: a convex score of vector and words, and what is added for the form of the question."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import compress
from typing import Literal

from muniment.ranking.candidates import Candidate
from muniment.ranking.definition import defined_term, defines
from muniment.ranking.intent import Form, favours, forms_of
from muniment.ranking.prior import Prior
from muniment.ranking.words import identifiers_of, name_words, words_of

Mode = Literal["hybrid", "lexical", "vector"]

# Chosen on the development questions; docs/decisions/005 says how, and what each is worth.
DENSE_WEIGHT = 0.65
DENSE_WEIGHT_EXACT = 0.35
"""Where a name of the question stands in the index letter by letter: then the words know better than the vectors."""
ENOUGH = 0.8
"""Share of the question's words that a candidate has to hold for BM25 to count in full."""
EXACT = 0.5
TITLE = 0.15
"""The question holds the whole title of a chunk, which is then what it is about: `grace window`."""
COVERAGE = 0.15
DEFINITION = 0.9
DEFINITION_ELSEWHERE = 0.2
"""Where a script's header or a template defines the term, and not prose."""
CONTENTS = -0.5
"""A table of contents holds every question and answers none."""
_LINK_ONLY = re.compile(r"^[ \t]*+(?:[-*+]|\d+\.)?[ \t]*\[[^\]\n]*\]\([^)\n]*\)[ \t.,;]*$", re.MULTILINE)
_PROSE = frozenset({"readme", "doc", "manual", "note"})


def rank(question: str, candidates: Sequence[Candidate], mode: Mode, prior: Prior | None = None) -> list[Candidate]:
    """The candidates, best first, with score, boosts and coverage filled in. None is left out.

    The prior counts in hybrid mode, which is what it is measured in.
    """
    texts = [f"{each.row['context']}\n{each.row['text']}".lower() for each in candidates]
    weights, held = _coverage(question, texts)
    exact = _exact_shares(question, candidates)
    weight = {"lexical": 0.0, "vector": 1.0}.get(mode, DENSE_WEIGHT_EXACT if any(exact) else DENSE_WEIGHT)
    forms, term = forms_of(question), defined_term(question)
    asked = f" {' '.join(words_of(question))} "
    titles = Counter(each.row["title"] for each in candidates)
    trust = _trust(held) if mode == "hybrid" else 1.0
    for each, covered, share, base in zip(candidates, held, exact, _fused(candidates, weight, trust), strict=True):
        each.coverage = covered
        boosts = {
            "exact": EXACT * share,
            "title": TITLE * _title_share(asked, titles, each),
            "coverage": COVERAGE * each.coverage,
            **_form_boost(forms, weights, each),
            "definition": _definition_boost(term, each),
            "contents": CONTENTS * _link_share(each.row["text"]),
            "used": prior.boost(each.row) if prior and mode == "hybrid" else 0.0,
        }
        each.boosts = {name: round(value, 4) for name, value in boosts.items() if value}
        each.score = base + sum(boosts.values())
    # Ties are broken by place, so that the same index always answers in the same order.
    return sorted(
        candidates, key=lambda each: (-each.score, each.row["path"], each.row["line_start"], each.row["source"])
    )


def _fused(candidates: Sequence[Candidate], weight: float, trust: float) -> list[float]:
    """Convex score: cosine by min-max over the candidates, BM25 over its own maximum and times `trust`."""
    cosines = [each.cosine for each in candidates if each.cosine is not None]
    low, high = (min(cosines), max(cosines)) if cosines else (0.0, 1.0)
    best = max((each.lexical for each in candidates), default=0.0) or 1.0
    spread = high - low

    def dense(cosine: float | None) -> float:
        return 0.0 if cosine is None else (cosine - low) / spread if spread else 1.0

    return [weight * dense(each.cosine) + (1 - weight) * trust * each.lexical / best for each in candidates]


def _trust(held: Sequence[float]) -> float:
    """How far BM25 can be trusted: its best may be a poor match, of which the fullest candidate tells."""
    return min(1.0, max(held, default=0.0) / ENOUGH) or 1.0


def _coverage(question: str, texts: Sequence[str]) -> tuple[dict[str, float], list[float]]:
    """Each of the question's words with its share of the whole, the rarer the more; and what each text holds of it."""
    holders = {word: [word in text for text in texts] for word in dict.fromkeys(words_of(question))}
    rarity = {word: math.log(1 + len(texts) / (sum(found) + 0.5)) for word, found in holders.items()}
    whole = sum(rarity.values())
    weights = {word: value / whole for word, value in rarity.items()} if whole else {}
    shares = list(weights.values())
    held = [sum(compress(shares, found)) for found in zip(*holders.values(), strict=True)] if weights else []
    return weights, held or [0.0] * len(texts)


def _exact_shares(question: str, candidates: Sequence[Candidate]) -> list[float]:
    """For each candidate the share of the question's identifiers that it spells the same; a common one counts less."""
    shares = [0.0] * len(candidates)
    names = identifiers_of(question)
    for name in names:
        holders = [n for n, each in enumerate(candidates) if name in each.row["text"] or name in each.row["path"]]
        for holder in holders:
            shares[holder] += 1 / len(names) / (1 + math.log(len(holders)))
    return shares


def _title_share(asked: str, titles: Mapping[str, int], candidate: Candidate) -> float:
    """1 where the question holds the title of at least two words; less the more candidates have the same one."""
    title = candidate.row["title"]
    words = words_of(title)
    if len(words) < 2 or f" {' '.join(words)} " not in asked:
        return 0.0
    return 1 / (1 + math.log(titles[title]))


def _link_share(text: str) -> float:
    """Share of lines that are a link and nothing else; 0 for less than three."""
    links = len(_LINK_ONLY.findall(text)) if text.count("](") > 2 else 0
    return links / (text.count("\n") + 1) if links > 2 else 0.0


def _form_boost(forms: Sequence[Form], weights: dict[str, float], each: Candidate) -> dict[str, float]:
    """The strongest form that favours the candidate; in full where the document is the one that is asked about."""
    row = each.row
    favouring = [form for form in forms if favours(form, row["section"], row["title"], row["kind"])]
    if not favouring:
        return {}
    form = max(favouring, key=lambda form: form.strength)
    name = name_words(row["path"])
    about = sum(word in weights for word in name) / len(name) if name else 0.0
    return {form.name: form.strength * (0.5 + 0.5 * about)}


def _definition_boost(term: str, each: Candidate) -> float:
    if not term or not defines(term, each.row["text"]):
        return 0.0
    return DEFINITION if each.row["kind"] in _PROSE else DEFINITION_ELSEWHERE
