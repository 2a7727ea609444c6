"""Which of a bill's amounts it asks for, and which of its dates is its own; several equally good ones are none."""

from dataclasses import dataclass

from muniment.records.page import Day, Page, Sum


@dataclass(frozen=True, slots=True)
class Doubt:
    """Why nothing was picked, and between what."""

    reason: str
    candidates: tuple[str, ...] = ()


def pick_amount(page: Page, kind: str) -> Sum | Doubt:
    """The amount that the document bills, confirms or gives back.

    By the strongest label there is: what is due (when it agrees with the total and what was paid before), the total,
    what was paid, an amount, and without any label the only amount.
    """
    picked = _by_label(page.sums, kind)
    if isinstance(picked, Doubt):
        return picked
    if picked.why:
        return Doubt(f"the amount can't be read for sure: {picked.why}", (picked.text,))
    if picked.bracketed and kind != "credit_note":
        return Doubt("the amount is in brackets, which may mean minus", (picked.text,))
    if (picked.minor or 0) < 0 and kind != "credit_note":
        return Doubt("the amount is negative, and this is no credit note", (picked.text,))
    return picked


def pick_date(page: Page) -> Day | Doubt:
    """The document's own date: the labelled one, else the day a mail was sent, else the only one that isn't a due date
    or another event's."""
    for role in ("document", "title", "sent", "", "paid"):
        days = [day for day in page.days if day.role == role]
        if any(day.day is None for day in days):
            return Doubt("day and month could change places", _texts(days))
        if len({day.day for day in days}) > 1:
            return Doubt("several dates", _texts(days))
        if days:
            return days[0]
    others = _texts(page.days)
    return Doubt("no date of its own, only of other events" if others else "no date", others)


def paid_day(page: Page) -> Day | None:
    """The day of payment, where exactly one is stated."""
    days = [day for day in page.days if day.role == "paid"]
    return days[0] if len({day.day for day in days}) == 1 and days[0].day else None


def _by_label(sums: list[Sum], kind: str) -> Sum | Doubt:
    roles = {role: _distinct([one for one in sums if one.role == role]) for role in {one.role for one in sums}}
    if any(one.minor != 0 for one in roles.get("previous", [])):
        return _after_previous(roles)
    due = roles.get("due", [])
    if due and not (len(due) == 1 and due[0].minor == 0):
        return _due(roles)
    if "total" in roles:
        return _total(roles, sums, settled=bool(due))
    loose = _distinct([one for one in sums if one.role == "" and one.marked])
    # On an invoice what was paid may be another bill's.
    told = ("instalment", "paid", "amount") if kind == "receipt" or not loose else ("instalment", "amount")
    for role in told:
        if role in roles:
            return _one(role, roles[role], sums)
    if len(loose) == 1 and ("paid" not in roles or _same(loose[0], roles["paid"][0])):
        return loose[0]
    why = "several amounts and no total" if loose else "no total among its amounts" if sums else "no amount of money"
    return Doubt(why, _texts(loose or sums))


def _total(roles: dict[str, list[Sum]], sums: list[Sum], settled: bool) -> Sum | Doubt:
    """The total, unless a part of it may be all that this document asks for; `settled`: nothing is due any more."""
    if roles.get("instalment"):
        return Doubt("a total and an instalment of it", _texts([*roles["total"], *roles["instalment"]]))
    total = _one("total", _gross(roles["total"], roles), sums)
    paid = [one for role in ("paid", "prepaid") for one in roles.get(role, [])]
    if isinstance(total, Sum) and paid and not settled and not any(_same(one, total) for one in paid):
        return Doubt("what was paid differs from the total", _texts([total, *paid]))
    return total


def _one(role: str, found: list[Sum], sums: list[Sum]) -> Sum | Doubt:
    if len(found) == 1:
        return found[0]
    row = (
        _row_total([one for one in sums if one.line == found[0].line])
        if len({one.line for one in found}) == 1
        else None
    )
    return row or Doubt("several totals" if role == "total" else f"several amounts ({role})", _texts(found))


def _due(roles: dict[str, list[Sum]]) -> Sum | Doubt:
    """What is due, when it is the total, an instalment of it, or what is left after the payments that are listed."""
    due, totals, parts = roles["due"], _gross(roles.get("total", []), roles), roles.get("instalment", [])
    if len(due) > 1:
        return Doubt("several amounts due", _texts(due))
    if due[0].why or (totals and _is_rest(due[0], totals, roles)) or any(_same(due[0], part) for part in parts):
        return due[0]
    if totals or parts:
        return Doubt(
            f"the amount due differs from the {'instalment' if parts else 'total'}", _texts([*due, *totals, *parts])
        )
    return due[0]


def _is_rest(due: Sum, totals: list[Sum], roles: dict[str, list[Sum]]) -> bool:
    before = [one for role in ("prepaid", "paid") for one in roles.get(role, [])]
    if len(totals) > 1 or totals[0].currency != due.currency:
        return False
    rest = (totals[0].minor or 0) - sum(abs(one.minor or 0) for one in before)
    return _same(due, totals[0]) or (bool(before) and rest == due.minor)


def _after_previous(roles: dict[str, list[Sum]]) -> Sum | Doubt:
    """The new charges of a bill that carries an older balance, when the figures add up."""
    previous, due = roles["previous"], roles.get("due", [])
    current = roles.get("current") or roles.get("total", [])
    paid = sum(abs(one.minor or 0) for role in ("paid", "prepaid") for one in roles.get(role, []))
    figures = [*previous, *current, *due]
    if len(previous) == len(current) == len(due) == 1 and not any(one.why for one in figures):
        before, new, asked = (one.minor or 0 for one in figures)
        if before - paid + new == asked:
            return current[0]
    return Doubt("it carries the balance of earlier bills", _texts(figures))


def _gross(totals: list[Sum], roles: dict[str, list[Sum]]) -> list[Sum]:
    """The one total that is net and tax together, where there is exactly one; else all of them."""
    if len(totals) < 2:
        return totals
    nets, taxes = [*totals, *roles.get("net", [])], roles.get("tax", [])
    tax = sum(one.minor or 0 for one in taxes)
    gross = [one for one in totals if taxes and any(net is not one and _plus(net, tax, one) for net in nets)]
    return gross if len(gross) == 1 else totals


def _plus(net: Sum, tax: int, gross: Sum) -> bool:
    return not net.why and net.currency == gross.currency and (net.minor or 0) + tax == gross.minor


def _row_total(row: list[Sum]) -> Sum | None:
    """The last of a total line's amounts when it is the sum of the others: net, tax, gross."""
    figures = [one.minor for one in row if one.minor is not None]
    if len(figures) == len(row) > 2 and sum(figures[:-1]) == figures[-1] and len({one.currency for one in row}) == 1:
        return row[-1]
    return None


def _distinct(sums: list[Sum]) -> list[Sum]:
    """One of each value: a total that stands twice is one total."""
    values: dict[tuple[object, ...], Sum] = {}
    for one in sums:
        values.setdefault((one.minor, one.currency, one.text if one.minor is None else ""), one)
    return list(values.values())


def _same(one: Sum, other: Sum) -> bool:
    return (one.minor, one.currency) == (other.minor, other.currency) and one.minor is not None


def _texts(found: list[Sum] | list[Day]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(one.text for one in found))
