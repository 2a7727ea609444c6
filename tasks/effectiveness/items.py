"""What a record of another log says was assembled: in a list of objects, in lists side by side, or in one text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tasks.effectiveness.unusable import Unusable

if TYPE_CHECKING:
    from tasks.effectiveness.mapping import Fields, Mapping

KIND = "note"
"""Where their log knows no kinds: such assemblers serve vaults of typed notes."""
MAX_NAME = 100
"""Characters of a type, kind or section; more is no name, and may be a text."""
MAX_ITEMS = 1_000
# At least two letters: `[x]` is a ticked box.
_HEAD = re.compile(r"\[([A-Za-z][\w /-]{1,63})\](?:\s++(.*))?")
_ROLES = ("id", "type", "kind", "section", "used", "content")


@dataclass(frozen=True, slots=True)
class Item:
    """One thing that was assembled."""

    names: tuple[str, ...]
    """What it may be called where it is said to have been used; the first is its id."""
    type: str
    kind: str
    section: str
    used: bool


def read_items(record: dict[str, Any], names: Mapping) -> tuple[Item, ...]:
    """What was assembled, in its order; at least one. Raises Unusable."""
    return tuple(_item(place, row, names) for place, row in enumerate(_rows(record, names), 1))


def value_at(record: object, fields: Fields) -> Any:
    """The first of the fields that is there and not null; None where none is."""
    return next((value for field in fields if (value := _at(record, field)) is not None), None)


def _at(record: object, field: str) -> object:
    value = record
    for step in field.split("."):
        value = value.get(step) if isinstance(value, dict) else None
    return value


def _rows(record: dict[str, Any], names: Mapping) -> Sequence[dict[str, Any]]:
    """For each thing that was assembled, what is said of it."""
    if names.items:
        rows = [
            {"content": each} if isinstance(each, str) else _roles(each, names)
            for each in _need_list(value_at(record, names.items), "no list of items")
        ]
    elif names.content:
        rows = [{"content": head} for head in _heads(value_at(record, names.content), names)]
    else:
        rows = _transposed(_roles(record, names))
    if not 0 < len(rows) <= MAX_ITEMS:
        raise Unusable(f"more than {MAX_ITEMS} items" if rows else "no items")
    return rows


def _roles(item: object, names: Mapping) -> dict[str, Any]:
    return {role: value for role in _ROLES if (value := value_at(item, getattr(names, role))) is not None}


def _transposed(columns: dict[str, Any]) -> list[dict[str, Any]]:
    """Items out of lists side by side."""
    lists = [_need_list(column, "a field holds no list") for column in columns.values()]
    if len({len(each) for each in lists}) > 1:
        raise Unusable("lists of unequal length")
    return [dict(zip(columns, values, strict=True)) for values in zip(*lists, strict=True)]


def _need_list(value: object, reason: str) -> list[Any]:
    if not isinstance(value, list):
        raise Unusable(reason)
    return value


def _heads(text: object, names: Mapping) -> Iterator[str]:
    """The first lines of a text's blocks: those with a prefix, at its start, or after a blank line or a rule."""
    fresh = True
    for line in text.splitlines() if isinstance(text, str) else ():
        if fresh and _prefix(line, names):
            yield line
        fresh = not line.strip(" \t-")


def _prefix(text: object, names: Mapping) -> tuple[str, str] | None:
    """Type and title, where a text starts with them."""
    first = text.partition("\n")[0] if isinstance(text, str) else ""
    found = _HEAD.fullmatch(first.strip())
    if found is None or (names.types and found[1] not in names.types):
        return None
    return found[1], found[2] or ""


def _item(place: int, row: dict[str, Any], names: Mapping) -> Item:
    own: tuple[str, ...] = (str(row["id"]),) if "id" in row else ()
    if "content" in row:
        prefix = _prefix(row["content"], names)
        if prefix is None:
            raise Unusable("an item that does not start with [Type]")
        row = {"type": prefix[0], **row}
        own += (f"[{prefix[0]}] {prefix[1]}", *filter(None, prefix[1:]))
    return Item(
        names=own or (str(place),),
        type=_name(row, "type"),
        kind=_name({"kind": KIND, **row}, "kind"),
        section=_name({"section": "", **row}, "section"),
        used=row.get("used") in (True, "true"),
    )


def _name(row: dict[str, Any], role: str) -> str:
    value = row.get(role)
    if not isinstance(value, str):
        raise Unusable(f"an item without a {role}")
    name = " ".join(value.split())
    if len(name) > MAX_NAME:
        raise Unusable(f"a {role} of more than {MAX_NAME} characters")
    return name
