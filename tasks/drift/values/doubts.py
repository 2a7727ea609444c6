"""Doubts: why two values that are not equal may still not disagree."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import re2

from schemas.claims import Truth
from tasks.drift.values.absent import is_absent
from tasks.drift.values.numbers import number_of
from tasks.drift.values.readings import Reading, has_unit
from tasks.drift.values.scalars import SCALARS
from tasks.drift.values.switches import SWITCHES, WORDED, switch_of
from tasks.drift.values.unclaimed import is_placeholder

_VARIABLE = re2.compile(r"\$\{?[A-Za-z_]|\$\(|\$\{|\{\{|\{%|<%|%\(|%\{|@[A-Z_]+@|^`.+`$|%[A-Z_]{2,}%")
_HOME = re2.compile(r"^(?:\$HOME|\$\{HOME\})(/|$)")
_CONSTANT = re2.compile(r"[A-Z][A-Z0-9]*_[A-Z0-9_]+")
_DOTTED = re2.compile(r"[a-zA-Z_]\w*(?:\[\d*\])?(?:\.[a-zA-Z_]\w*(?:\[\d*\])?)+(?:\(\))?")
_EITHER = re2.compile(
    r"(?i)\b(?:fall-?back|or|if|unless|when|on|for|otherwise|except|in|else|was|with|since|until|before|old|new)\b"
)
_NEGATED = re2.compile(r"(?i)disab|(?:^|[^a-z])(?:no|not|non|skip|without|exclude|ignore|deny|block|hide)(?:[^a-z]|$)")
_UNLIMITED = frozenset(
    {
        "unlimited", "infinite", "infinity", "inf", "forever", "never", "always", "auto", "automatic", "automatically",
        "indefinite", "indefinitely", "all", "any",
    }
)  # fmt: skip
_MAX_WORDS = 60


def _computed(_reading: Reading, truth: Truth) -> bool:
    return truth.kind == "computed" or is_unresolved(truth.value)


def _refers(reading: Reading, truth: Truth) -> bool:
    """The document names a variable, a constant or another option."""
    if is_unresolved(reading.whole):
        return True
    core = reading.core
    if _CONSTANT.fullmatch(core):
        return not _CONSTANT.fullmatch(truth.value)
    named = not reading.quoted and "/" not in truth.value and "." not in truth.value
    return named and _DOTTED.fullmatch(core) is not None


def _empty_truth(reading: Reading, truth: Truth) -> bool:
    """The truth has no value, and the program or the template that reads it decides."""
    if truth.kind == "null":
        return not is_absent(reading.core)
    return truth.kind == "string" and not truth.value.strip() and not is_absent(reading.core)


def _to_fill_in(_reading: Reading, truth: Truth) -> bool:
    return truth.kind == "string" and is_placeholder(truth.value)


def _structured(_reading: Reading, truth: Truth) -> bool:
    """The truth is a map, a list of maps or lists, or has several lines: documents abridge those."""
    value = truth.value.strip()
    inside = value[1:-1] if value[:1] in ("[", "(") else ""
    # A list with nothing in one of its places can't be told from one that is shorter.
    nested = any(mark in inside for mark in "{[(") or (inside != "" and not all(map(str.strip, inside.split(","))))
    return truth.kind == "map" or (value.startswith("{") and value != "{}") or "\n" in value or nested


def _half_absent(reading: Reading, truth: Truth) -> bool:
    """One says that there is no value, the other that it is off, zero or without limit."""
    nothing, something = reading.core.lower(), truth.value.lower()
    if is_absent(nothing):
        worded = nothing not in ("none", "null", "nil", "undefined") or (nothing == reading.core and nothing == "none")
        return truth.kind in ("map", "list") or (worded and (switch_of(something) is False or something == "-1"))
    off = switch_of(nothing) is False and nothing != "0"
    return off and (is_absent(something) or something in ("-1", "never"))


def _described(reading: Reading, truth: Truth) -> bool:
    """The document describes a state (`enabled`, `unlimited`) of what is no switch, or speaks in words."""
    core = reading.core.lower()
    # What `enabled` says of an option that disables something depends on who wrote it.
    if core in WORDED and (switch_of(truth.value) is None or _NEGATED.search(truth.option)):
        return True
    if core in _UNLIMITED or core.startswith(("no limit", "without ")):
        return truth.value.lower() in SWITCHES or number_of(truth.value) is not None or is_absent(truth.value)
    return not reading.quoted and not is_absent(core) and _is_wording(reading.core, truth.value)


def _is_wording(core: str, actual: str) -> bool:
    """Whether several words are no value: neither an amount nor a list nor like the truth in its words."""
    found = core.split()
    if len(found) < 2 or _is_amount(core):
        return False
    if core[0] in "[({" or "," in core:
        return any(" " in part.strip() for part in core.strip("[](){}").split(","))
    return len(actual.split()) < 2 or all(map(str.isalpha, found))


def _is_amount(text: str) -> bool:
    first, _, rest = text.partition(" ")
    return (number_of(first) is not None and " " not in rest) or has_unit(text)


def _beside(reading: Reading, truth: Truth) -> bool:
    """What is said beside the value makes it depend on something, or holds the truth's value."""
    if not reading.aside:
        return False
    words = reading.aside.replace(",", " ").replace("`", " ").split()[:_MAX_WORDS]
    tried = [*words, reading.aside]
    return _EITHER.search(reading.aside) is not None or any(
        equality(word, truth.value, truth.option) == "agrees" for word in tried for equality in SCALARS.values()
    )


DOUBTS: Mapping[str, Callable[[Reading, Truth], bool]] = {
    "computed": _computed,
    "names another option": _refers,
    "the truth is empty": _empty_truth,
    "the truth is to be filled in": _to_fill_in,
    "the truth is a structure": _structured,
    "one is absent, the other off": _half_absent,
    "described in words": _described,
    "more is said beside it": _beside,
}
"""Reason -> whether it holds. Asked only of values that are not equal."""


def is_unresolved(text: str) -> bool:
    """Whether a text holds a variable, a command or a template's expression; the home folder is none."""
    return any(mark in text for mark in "$`{%@<") and _VARIABLE.search(_HOME.sub(r"~\1", text)) is not None
