"""A calendar part of a mail: what it invites to, when and where, in lines that a person reads."""

from __future__ import annotations

import re
from collections.abc import Iterator

_FOLD = re.compile(r"\r?\n[ \t]")
_LINE = re.compile(
    r"(?P<name>[A-Z-]{1,40})(?P<about>(?:;[^:;\"]{1,80}=(?:\"[^\"]{0,200}\"|[^:;\"]{0,200}))*):(?P<value>.*)"
)
_TIME = re.compile(r"(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)\d\d(Z?))?")
_ESCAPED = re.compile(r"\\([\\;,nN])")
_SHOWN = {
    "SUMMARY": "Event",
    "DTSTART": "Start",
    "DTEND": "End",
    "DUE": "Due",
    "LOCATION": "Place",
    "DESCRIPTION": "About",
}
_ZONE = re.compile(r"TZID=\"?([^:;\"]{1,80})")
MAX_LINES = 2_000


def as_lines(text: str) -> str:
    """The events and tasks of a text in the format of RFC 5545, each with its times and its place; else nothing."""
    found = []
    for line in _FOLD.sub("", text).splitlines()[:MAX_LINES]:
        if line in ("BEGIN:VEVENT", "BEGIN:VTODO"):
            found.append("")
        elif found and (shown := _shown(line)):
            found.append(shown)
    return "\n".join(found).strip("\n")


def _shown(line: str) -> str:
    read = _LINE.fullmatch(line)
    if not read or read["name"] not in _SHOWN:
        return ""
    value = " ".join(_read(read["name"], read["value"], read["about"]))
    return f"{_SHOWN[read['name']]}: {value}" if value else ""


def _read(name: str, value: str, about: str) -> Iterator[str]:
    when = _TIME.fullmatch(value) if name in ("DTSTART", "DTEND", "DUE") else None
    if not when:
        yield from _ESCAPED.sub(lambda one: "\n" if one[1] in "nN" else one[1], value).split()
        return
    year, month, day, hour, minute, utc = when.groups()
    zone = _ZONE.search(about)
    yield f"{year}-{month}-{day}"
    if hour:
        yield f"{hour}:{minute}"
        yield "UTC" if utc else zone[1] if zone else ""
