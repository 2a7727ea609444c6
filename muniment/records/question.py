"""Questions of amount and count: how they are told from all other questions, and taken apart.

Every word must have a part to play. One that has none, as in "how much memory does the invoice parser use", makes it
a question for the search.
"""

import re
from dataclasses import dataclass, field
from typing import Literal

from muniment.records.categories import category_of
from muniment.records.fold import fold, words
from muniment.records.phrases import find_phrase
from schemas.records import PAYMENTS, TotalQuestion

_WORD = re.compile(r"[^\W_]+")
_MAX_CHARS = 300
_BILLED = frozenset({"invoice", "instalment"})
# Folded nouns -> the kinds of document they ask about.
_NOUNS: dict[str, frozenset[str]] = {
    **dict.fromkeys(words("invoice invoices bill bills rechnung rechnungen facture factures"), _BILLED),
    **dict.fromkeys(words("receipt receipts quittung quittungen kassenbons recus"), frozenset({"receipt"})),
    **dict.fromkeys(words("gutschrift gutschriften avoirs refund refunds"), frozenset({"credit_note"})),
    **dict.fromkeys(words("reminder reminders mahnung mahnungen rappels"), frozenset({"reminder"})),
    **dict.fromkeys(
        words("""
            payment payments expense expenses spending expenditure costs cost charges money
            zahlungen ausgaben kosten geld paiements depenses
        """),
        PAYMENTS,
    ),
}
_PAID = frozenset(
    words("""
        pay paid spend spent bezahlt gezahlt ausgegeben bezahlen zahlen
        paye payes payee payees paya depense depenses payer
    """)
)
_VERBS = _PAID | frozenset(words("billed charged invoiced cost costs berechnet kosten gekostet coute"))
_COMPOUND = ("rechnung", "rechnungen", "kosten")
_CREDIT_NOTES = re.compile(r"credit (?:note|memo)s?", re.IGNORECASE)
_COUNTING = re.compile(r"\b(?:how many|number of|count(?: of)?|wie ?viele|combien de (?:factures|recus|paiements))\b")
_LISTING = re.compile(r"(?:please )?(?:list|show|which|welche|zeige|liste|quelles) ")
_SUMMING = re.compile(
    r"\b(?:how much|totals?|sum|amount|overall|add up|what (?:did|have) (?:i|we)|what (?:was|were)"
    r"|wie ?viel|wie hoch|gesamt|insgesamt|summe|was (?:habe ich|haben wir)|combien|qu'ai)\b"
)
_TOTAL = re.compile(r"\b(?:totals?|sum|gesamt|insgesamt|summe|somme)\b")
_FILLERS = frozenset(
    words("""
        how much many what which did do does was were is are has have had been i we you me us my our the a an all any of
        in total totals sum amount amounts overall altogether number count list show please there get got receive
        received so far ever made make come came up add together it them this that and
        wie viel hoch viele wieviel wieviele was habe haben hat ich wir mir uns mein meine meinen unsere der die das
        den dem alle insgesamt gesamt summe waren war sind gab es zeige liste welche erhalten bekommen und
        combien ai j je nous l d qu avons des les la le ma mes nos est sont quelles tous toutes et
    """)
)
_TO_PAYEE = frozenset(words("from by at to von bei chez de"))
_FOR_SUBJECT = frozenset(words("for on about fur pour en auf"))
_LEGAL = frozenset(words("gmbh ag ltd inc llc sa srl bv ab kg"))


@dataclass(slots=True)
class _Parts:
    kinds: set[str] = field(default_factory=set)
    paid: bool = False
    anchored: bool = False
    """It names a payment, or a document of one."""
    categories: list[str] = field(default_factory=list)
    payee: list[str] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    odd: list[str] = field(default_factory=list)
    """Words without a part."""


def is_total_question(question: str) -> TotalQuestion | None:
    """The question taken apart, or None where it doesn't ask for an amount, a count or a list of payments."""
    what = _what(fold(question)) if len(question) <= _MAX_CHARS else None
    if not what:
        return None
    phrase = find_phrase(question)
    start, end = (phrase.start, phrase.end) if phrase else (len(question), len(question))
    parts = _Parts()
    for side in (question[:start], question[end:]):
        _read(parts, _CREDIT_NOTES.sub("gutschriften", side))
    # "Total utilities in November" asks for money without a word for it.
    parts.anchored |= bool(_TOTAL.search(fold(question)) and parts.categories and phrase)
    narrowed = phrase or parts.categories or parts.payee or parts.words
    if not parts.anchored or parts.odd:
        return None
    # "How many invoices are there" may be asked of a program's manual as well; "how much have I paid" may not.
    if not narrowed and not (what == "sum" and parts.paid):
        return None
    categories = tuple(dict.fromkeys(parts.categories))
    kinds = frozenset(parts.kinds) or PAYMENTS
    return TotalQuestion(
        what, kinds, parts.paid, categories, tuple(parts.payee), tuple(parts.words), question[start:end]
    )


def _what(folded: str) -> Literal["sum", "count", "list"] | None:
    if _COUNTING.search(folded):
        return "count"
    if _LISTING.match(folded.strip()):
        return "list"
    return "sum" if _SUMMING.search(folded) else None


def _read(parts: _Parts, side: str) -> None:
    """Puts every word into its part; the words after a preposition, up to the next known one, belong together."""
    role, run = "", list[str]()
    for word in [*_WORD.findall(side), ""]:
        folded = fold(word)
        known = folded in _NOUNS or folded in _VERBS or (bool(run) and folded in _FILLERS)
        if known or not word or folded in _TO_PAYEE | _FOR_SUBJECT:
            _settle(parts, role, run)
            role = "payee" if folded in _TO_PAYEE else "subject" if folded in _FOR_SUBJECT else ""
            run = []
            _anchor(parts, folded)
        elif folded not in _FILLERS:
            run.append(word)


def _anchor(parts: _Parts, folded: str) -> None:
    parts.kinds |= _NOUNS.get(folded, frozenset())
    parts.paid |= folded in _PAID
    parts.anchored |= folded in _NOUNS or folded in _VERBS


def _settle(parts: _Parts, role: str, run: list[str]) -> None:
    named = [(word, category_of(word)) for word in run]
    if whole := category_of(" ".join(run)):
        named = [(" ".join(run), whole)]
    if role == "payee" and not all(category for _, category in named):
        parts.payee += [fold(word) for word in run if fold(word) not in _LEGAL]
        return
    for word, category in named:
        if category:
            parts.categories.append(category)
            _anchor(parts, next((noun for noun in _COMPOUND if fold(word).endswith(noun)), ""))
        elif role == "subject" and not (word.isdecimal() and len(word) < 3):  # of a date that can't be read
            parts.words.append(fold(word))
        elif word[0].isupper():
            parts.payee.append(fold(word))
        else:
            parts.odd.append(word)
