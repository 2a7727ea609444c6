"""Readings: the value inside the words around it, and what is said beside it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import re2

from tasks.drift.values.durations import durations
from tasks.drift.values.markup import is_quoted, peeled, plain, squeezed, unescaped
from tasks.drift.values.numbers import NUMBER
from tasks.drift.values.sizes import sizes

_FILLER = re2.compile(
    r"(?i)^(?:(?:is|are|be|being|to|=|:|a|an|the|set|currently|simply|just|default|defaults|value|values|string|number|port|of|as)\s+){1,6}"
)
_TRAILER = re2.compile(r"(?i)\s+(?:by default|as default|per default|\(default\)|\[default\])$")
_BRACKETED = re2.compile(r"^(.+?)\s+[(\[]([^()\[\]]*)[)\]](.*)$")
_REMARK = re2.compile(r"^(\S+?),?\s+(?:#|//|--?|–|—|=>?|->|→)\s+(.*)$")
_CLAUSE = re2.compile(r"^(\S+?)[,;.]\s+([A-Za-z][a-z'-]*(?:\s+\S+)+)$")
_AMOUNT = re2.compile(rf"({NUMBER})(?:\s|/|\s-)[A-Za-z]+(?:\s[a-z]+)?")
_SPAN = re2.compile(r"`([^`]+)`")


@dataclass(frozen=True, slots=True)
class Reading:
    """A documented value, taken apart."""

    whole: str
    """Without markup."""
    core: str
    """Without the words around it: `3` in `the value 3 (days)`."""
    aside: str
    """What was said beside it: `days`."""
    quoted: bool
    """It is meant letter by letter."""

    @property
    def spellings(self) -> Iterator[str]:
        """What the value may be, apart from the whole as it stands."""
        if "\\" in self.whole:
            yield unescaped(self.whole)
        if not self.quoted:
            yield from (text for text in (self.core, *self._amounts()) if text != self.whole)

    def _amounts(self) -> Iterator[str]:
        unit = self.aside.partition(" ")[0]
        if unit.isalpha():
            yield f"{self.core} {unit}"
        # `100 items` is 100; `100 minutes` is what the option's unit makes of it.
        if not has_unit(self.core) and (found := _AMOUNT.fullmatch(self.core)):
            yield found[1]


def read(documented: str) -> Reading:
    """A documented value with the value proper told from the words around it."""
    whole = squeezed(plain(documented))
    core, aside = _split(str(_TRAILER.sub("", whole)))
    core = str(_FILLER.sub("", core)) or core
    spans = _SPAN.findall(core) if "`" in core else []
    if len(spans) == 1 and not core.startswith(f"`{spans[0]}`"):
        core, aside = spans[0], f"{core} {aside}"
    return Reading(whole, peeled(core.replace("`", "")), aside.strip(), is_quoted(documented))


def has_unit(text: str) -> bool:
    """Whether a text is an amount of time or room with its unit."""
    return any(equality(text, text, "") is not None for equality in (durations, sizes))


def _split(text: str) -> tuple[str, str]:
    if " " not in text:
        return text, ""
    for pattern in (_BRACKETED, _REMARK, _CLAUSE):
        if found := pattern.match(text):
            return found[1], " ".join(filter(None, found.groups()[1:]))
    return text, ""
