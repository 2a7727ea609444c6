"""A total in words: the figures first, then what they stand on, then everything that could not be counted."""

from collections.abc import Iterable

from muniment.records.matching import counting_day
from muniment.records.money import format_minor
from schemas.records import DocumentOutcome, Money, Outcome, Period, TotalQuestion

_ASIDE: tuple[tuple[Outcome, str], ...] = (
    ("unread", "not read"),
    ("duplicate", "counted once"),
    ("same payment", "counted once"),
    ("not counted", "not counted"),
)


def word_total(
    question: TotalQuestion, period: Period, sums: tuple[Money, ...], count: int, outcomes: tuple[DocumentOutcome, ...]
) -> str:
    """The answer for people: plain lines, every figure with what it was made from."""
    used = [one for one in outcomes if one.outcome == "used"]
    matching = len(used) + sum(one.outcome == "unread" for one in outcomes)
    noun = "document" if matching == 1 else "documents"
    lines = [
        _figures(question, sums, count, len([one for one in used if not one.records])),
        f"from {len(used)} of {matching} matching {noun}, {_days(period)}",
    ]
    lines += [f"  {_used(one, question)}" for one in used]
    for outcome, said in _ASIDE:
        lines += [f"  {said}: {_aside(one)}" for one in outcomes if one.outcome == outcome]
    return "\n".join(lines)


def _figures(question: TotalQuestion, sums: Iterable[Money], count: int, unread: int) -> str:
    amounts = " and ".join(money.text for money in sums)
    if question.what == "sum":
        return amounts or "no amount found"
    without = f" without {unread} whose amount could not be read" if unread else ""
    return f"{count} found" + (f", together {amounts}{without}" if amounts else "")


def _days(period: Period) -> str:
    if period.start and period.end:
        if period.start > period.end:
            return f"no calendar has '{period.phrase}'"
        return f"{period.start} to {period.end}"
    if period.start:
        return f"since {period.start}"
    return f"until {period.end}" if period.end else "of any date"


def _used(one: DocumentOutcome, question: TotalQuestion) -> str:
    parts = [
        f"{format_minor(record.amount_minor, record.currency)} on {counting_day(record, question)}"
        for record in one.records
    ]
    models = ", ".join(dict.fromkeys(record.read_by for record in one.records if record.read_by))
    chosen = f" (chosen by {models} between values of the document)" if models else ""
    return f"{one.document.path}: {'; '.join(parts) or 'its amount could not be read'}{chosen}"


def _aside(one: DocumentOutcome) -> str:
    return f"{one.document.path}: {one.reason}" + (f" ({', '.join(one.candidates)})" if one.candidates else "")
