"""From keys and values that somebody wrote down (front matter, sidecar, manifest) to what they state of a document."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import date

from schemas.stated import Stated
from tasks.frontmatter import FrontMatter, Value, read_front_matter, read_mapping, strings
from tasks.sensitivity import is_half_stated, sensitivity_of

MAX_CHARS = 300
"""Of a title or a correspondent."""
MAX_TAGS = 50
_ISO = re.compile(r"(\d{4})-(\d\d)-(\d\d)(?:[T ].{0,30})?")
_DOTTED = re.compile(r"(\d{1,2})\.(\d{1,2})\.(\d{4})")


def stated_by(values: Mapping[str, Value]) -> Stated:
    """What these keys state, in any case and order; other keys state nothing.

    A date is read as 2026-01-31 or 31.1.2026. A word that is no sensitivity stands for the strictest.
    """
    known = {key.strip().lower(): value for key, value in values.items() if isinstance(key, str)}
    day, date_fault = _date(_first(known, "date", "doc_date"))
    sensitivity, faults = sensitivity_of(values)
    return Stated(
        title=_line(_first(known, "title")),
        doc_date=day,
        correspondent=_line(_first(known, "correspondent")),
        tags=_tags(known.get("tags")),
        sensitivity=sensitivity,
        faults=(*filter(None, (date_fault,)), *faults),
    )


def stated_in(text: str) -> Stated:
    """What the front matter of a text states."""
    front = read_front_matter(text)
    if not front.lines and is_half_stated(text):
        return Stated(sensitivity="restricted", faults=("it can't be read: front matter that is none",))
    return _broken(front.broken, _lines(text, front)) if front.broken else stated_by(front.values)


def stated_in_note(text: str) -> Stated:
    """The same of a note: a title is its type's business, and only of the sensitivity are faults told.

    Editors write dates in many ways, and a note without one is no worse found.
    """
    said = stated_in(text)
    sensitive = (fault for fault in said.faults if said.sensitivity and fault.startswith(("sensitivity", "it can't")))
    return replace(said, title="", faults=tuple(sensitive))


def stated_in_sidecar(text: str) -> Stated:
    """What a YAML or JSON text states."""
    values = read_mapping(text)
    return _broken(values, text) if isinstance(values, str) else stated_by(values)


def _broken(why: str, text: str) -> Stated:
    # What can't be read may have said that nobody is to see the document.
    strict = "restricted" if "sensitiv" in text.lower() else ""
    return Stated(sensitivity=strict, faults=(f"it can't be read: {why}",))


def _lines(text: str, front: FrontMatter) -> str:
    return "\n".join(text.split("\n", front.lines)[: front.lines])


def _first(known: Mapping[str, Value], *names: str) -> str:
    return next((found[0] for name in names if (found := strings(known.get(name)))), "")


def _line(text: str) -> str:
    return " ".join(text.split())[:MAX_CHARS]


def _tags(value: Value | None) -> tuple[str, ...]:
    parts = (part for one in strings(value) for part in re.split(r"[,;]", one))
    return tuple(dict.fromkeys(line.lstrip("#") for part in parts if (line := _line(part))))[:MAX_TAGS]


def _date(said: str) -> tuple[date | None, str]:
    if not said:
        return None, ""
    try:
        if found := _ISO.fullmatch(said):
            return date(*map(int, found.groups())), ""
        if found := _DOTTED.fullmatch(said):
            day, month, year = map(int, found.groups())
            return date(year, month, day), ""
    except ValueError:
        pass
    return None, f"date '{said[:40]}' can't be read, write it as 2026-01-31"
