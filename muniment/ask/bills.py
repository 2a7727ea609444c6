"""Bills that the rules leave open: a model chooses between what stands in them, and what it chose is checked."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.resources import files
from typing import TYPE_CHECKING, Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from muniment.ask.guard import disarmed
from muniment.ask.schema import unfenced
from muniment.embedders.text import encodable, estimate_tokens
from muniment.models import Message
from muniment.records.extract import document_day, make_record
from muniment.records.page import MAX_CHARS, Day, Page, Sum, read_page
from muniment.records.picking import Doubt, pick_amount
from muniment.records.verify import find_faults, stated_on
from schemas.records import Extraction
from schemas.stated import Stated

if TYPE_CHECKING:
    from muniment.models import Model

V = TypeVar("V", Day, Sum)

PROMPT = "record-1"
"""Name of the file; a change of wording is a new file with a new number."""
NONE = "none"
"""What a model chooses where the document does not say."""
MAX_PAYEE = 80
"""Longest payee that is taken from a model; characters."""


class _Chosen(BaseModel):
    """A reply that keeps to the form; which fields have a value depends on what was open."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    amount: str = NONE
    date: str = NONE
    category: str = NONE
    payee: str = NONE
    confidence_pct: int = Field(ge=0, le=100)


@dataclass(frozen=True, slots=True)
class BillRead:
    """What a model made of one bill."""

    extraction: Extraction
    confidence: float
    """As the model says."""
    host: str
    """The address that served."""


@dataclass(frozen=True, slots=True)
class _Bill:
    """One document: what the rules know of it, what stands in it, and what is stated beside it."""

    known: Extraction
    page: Page
    stated: Stated


@dataclass(frozen=True, slots=True)
class _Open:
    """What stands in one bill, by the words in which a model is offered it."""

    amounts: Mapping[str, Sum]
    days: Mapping[str, Day]
    categories: tuple[str, ...]
    payee: bool
    """Whether it has to be found in the text."""

    def choices(self) -> dict[str, list[str]]:
        """The fields to choose, with the values; none where the choice of a payee is free."""
        fields = {"amount": [*self.amounts], "date": [*self.days], "category": [*self.categories]}
        # What the rules are sure of is no question.
        asked = {name: [*values, NONE] for name, values in fields.items() if len(values) > 1}
        return {**asked, "payee": []} if self.payee else asked


def read_bill(
    known: Extraction, text: str, stated: Stated, model: Model, *, timeout_s: float, max_tokens: int
) -> BillRead | None:
    """The bill with what the model chose; None where it chose nothing that stands in the text, or there is no choice.

    Raises what the model raises when no host serves. At most `max_tokens` are sent, by an upper estimate.
    """
    if not known.kind or len(text) > MAX_CHARS:
        return None
    # What addresses the model is no choice either; lines stay where they are.
    text = disarmed(text)
    bill = _Bill(known, read_page(text), stated)
    offered = _offered(bill)
    choices = offered.choices()
    messages = _messages(known.kind, choices, text)
    if not choices or not offered.amounts or not offered.days:
        return None
    if sum(estimate_tokens(message.content) for message in messages) > max_tokens:
        return None
    reply = model.reply(messages, _schema(choices), timeout_s)
    chosen = None if reply.cut else _read(reply.text)
    made = _made(bill, offered, chosen, model.label) if chosen else None
    return BillRead(made, chosen.confidence_pct / 100, reply.host) if made and chosen else None


def _offered(bill: _Bill) -> _Open:
    picked, day = pick_amount(bill.page, bill.known.kind), document_day(bill.page, bill.stated)
    sums = bill.page.sums if isinstance(picked, Doubt) else [picked]
    days = bill.page.days if isinstance(day, Doubt) else [day]
    return _Open(
        # What can't be read for sure is no choice.
        _first((_spelled(one), one) for one in sums if one.minor),
        _first((one.day.isoformat(), one) for one in days if one.day),
        bill.known.categories,
        payee=not bill.known.payee,
    )


def _spelled(one: Sum) -> str:
    return one.text if one.currency in one.text else f"{one.currency} {one.text}"


def _first(named: Iterable[tuple[str, V]]) -> dict[str, V]:
    """The first place at which each value stands, in their order."""
    found: dict[str, V] = {}
    for name, value in named:
        found.setdefault(name, value)
    return found


def _messages(kind: str, choices: Mapping[str, Sequence[str]], text: str) -> list[Message]:
    rules = files("muniment.ask").joinpath("prompts", f"{PROMPT}.txt").read_text(encoding="utf-8")
    given = {"kind": kind.replace("_", " "), "choices": choices, "document": encodable(text)}
    return [Message("system", rules), Message("user", json.dumps(given, ensure_ascii=False))]


def _schema(choices: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    """The schema of a reply that can choose nothing that was not offered."""
    offered = {name: {"type": "string", "enum": [*values]} for name, values in choices.items() if values}
    free = {name: {"type": "string", "maxLength": MAX_PAYEE} for name, values in choices.items() if not values}
    sure = {"confidence_pct": {"type": "integer", "minimum": 0, "maximum": 100}}
    properties = {**offered, **free, **sure}
    return {"type": "object", "properties": properties, "required": [*properties], "additionalProperties": False}


def _read(text: str) -> _Chosen | None:
    try:
        return _Chosen.model_validate_json(unfenced(text))
    except ValidationError:
        return None


def _made(bill: _Bill, offered: _Open, chosen: _Chosen, label: str) -> Extraction | None:
    """The bill with one record, if all that was chosen stands in the document."""
    amount, day = _taken(offered.amounts, chosen.amount), _taken(offered.days, chosen.date)
    if amount is None or day is None:
        return None
    known = bill.known
    payee = known.payee or ("" if chosen.payee.lower() == NONE else chosen.payee[:MAX_PAYEE].strip())
    category = (chosen.category,) if chosen.category in known.categories else known.categories
    named = replace(known, payee=payee, categories=category, reason="", candidates=())
    record = replace(make_record(bill.page, named, amount, day), read_by=label)
    return None if find_faults(record, stated_on(bill.page, bill.stated)) else replace(named, records=(record,))


def _taken(values: Mapping[str, V], chosen: str) -> V | None:
    return next(iter(values.values())) if len(values) == 1 else values.get(chosen)
