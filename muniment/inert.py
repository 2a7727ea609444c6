"""Text from a repository made inert: nothing in it can move a cursor, hide a word or turn a line around."""

import json
import re
from typing import Any

# C0 and C1 controls but tab and newline, DEL, bidirectional overrides and isolates, zero-width marks, joiners and
# fillers, line separators, annotations, lone surrogates, and the tags and selectors that spell what only a model reads.
_LIVE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0d\ufeff\uffa0\ufff0-\ufffb\ud800-\udfff\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)


def inert(text: str) -> str:
    """The text with everything a terminal might obey spelled out as `\\xNN`, `\\uNNNN` or `\\UNNNNNNNN`."""
    return _LIVE.sub(lambda found: found.group().encode("unicode_escape").decode(), text)


def one_line(text: str) -> str:
    """The text, inert and on one line: for names and paths."""
    return inert(text.replace("\n", "\\n").replace("\t", "\\t"))


def inert_json(document: str) -> str:
    """A JSON document that says the same, with everything that `inert` spells out as JSON itself spells it."""
    return _LIVE.sub(_in_json, document)


def write_json(value: Any, *, indent: int | None = None, **how: Any) -> str:
    """The value as a JSON document that can be read on a terminal; `how` is what `json.dumps` takes besides.

    That leaves nothing alive but DEL, which is ASCII.
    """
    return inert_json(json.dumps(value, indent=indent, **how))


def _in_json(found: re.Match[str]) -> str:
    raw = found.group().encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{raw[place]:02x}{raw[place + 1]:02x}" for place in range(0, len(raw), 2))
