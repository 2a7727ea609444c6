"""What is no claim: the words that stand where a value could, and name no definite one."""

from __future__ import annotations

from collections.abc import Mapping

import re2

from tasks.drift.values.absent import is_absent
from tasks.drift.values.markup import is_quoted, plain
from tasks.drift.values.numbers import NUMBER

_ON_OFF = r"(?:true|false|yes|no|on|off|enabled?|disabled?|y|n|0|1)"
_COMPUTED = (
    r"computed?|calculated?|generated?|auto-?generated|random(?:ly)?|auto-?detect(?:ed|s)?|detected|determined|derived"
    r"|guessed|inferred|chosen|built-?in|system-?default|platform-?specific|os-?specific|unknown|tbd|todo"
)
_TYPES = (
    r"strings?|str|int|ints|integers?|uint|bool|booleans?|floats?|double|object|objects|dict|dictionary|array|arrays"
    r"|callable|function|any|regexp?|timestamp|datetime"
)


def _standing(words: str) -> str:
    # Between blanks: `generated` in `~/.local/generated/x` is part of a path.
    return rf"(?:^|[\s(])(?:{words})(?:$|[\s,.;:)])"


_PATTERNS: Mapping[str, str] = {
    "blank": r"^[-–—\s]*$",
    "placeholder": r"<[a-z][^<>]*>|^\{[a-z][a-z _-]*\}$|\{[A-Z_]{3,}\}|\byour[-_. ]|(?:^|\W)x{3,}(?:$|\W)|\*{3,}"
    r"|(?-i:(?:^|[/:@])[A-Z]+_[A-Z_]+[/:@]|[/:@][A-Z]+_[A-Z_]+$)"
    r"|change[-_ ]?me\b|\b(?:replace|insert)[-_ ](?:me|with|your)\b",
    "elision": r"\.\.\.|…|\betc\.(?:$|[\s,)])|(?:^|[\s,])etc$",
    "reference": _standing(
        r"see|view|refer|listed|described|documented|defined|defaults? (?:set|values?|in|from)|same as|same"
        r"|inherit(?:s|ed)?|taken from|equal to|falls? back|below|above|as (?:in|for|above|below)|matching|corresponds?"
    )
    + r"|\b(?:value|contents?|output|result|name) of [`a-z$({]",
    "dependence": _standing(
        r"depend(?:s|ing|ent)?|varies|vary|varying|based on|according to|relative to each|per[- ]platform|differs"
    ),
    "computed": _standing(_COMPUTED),
    "range": rf"^\[?\(?{NUMBER}\s?(?:\.\.\.?|–|—|to|through)\s?(?:{NUMBER}|n)\]?\)?(?:\s\w+)?$",
    "choice": rf"^{_ON_OFF}\s?/\s?{_ON_OFF}$|^[\[(]{_ON_OFF},\s?{_ON_OFF}[\])]$|\s/\s|\sor\s"
    + r"|^[\w.\"'-]+(?:\s?\|\s?[\w.\"'-]+)+$|"
    + _standing("one of|any of|either|both|all of"),
    "bound": _standing(
        r"up to|at least|at most|minimum|maximum|no (?:more|less|fewer) than|(?:less|more|greater|fewer) than"
        r"|between|about|approx(?:imately|\.)?|around|roughly|several|many|few"
    )
    + r"|^[<>≤≥≈]=?\s?\d",
    "machine": _standing(r"cpu cores?|cores|cpus|processors|nproc")
    + r"|^(?:the )?(?:number|amount|size|time|total) of\s",
    "condition": _standing(r"if|unless|otherwise|else|when|whenever|only|except|while|where|until"),
    "example": _standing(r"e\.g\.|eg|i\.e\.|for example|for instance|example|such as|typically|usually") + r"|^e\.g\.",
    "type": rf"^(?:an? )?(?:{_TYPES})$",
    "demand": r"^\(?(?:required|mandatory|optional|must be set|recommended|deprecated|default|user-?defined)\)?$",
}
"""Name -> pattern, over the value without markup and in any case."""

_QUOTED_TOO = ("placeholder", "elision")
_COMPILED = {name: re2.compile(f"(?i){pattern}") for name, pattern in _PATTERNS.items()}
_ANY = re2.compile("(?i)" + "|".join(f"(?:{pattern})" for pattern in _PATTERNS.values()))
_SPAN = re2.compile(r"^\[?\(?([0-9]{1,9})\s?-\s?([0-9]{1,9})\]?\)?(?:\s\w+)?$")
_CODE = re2.compile(r"[0-9_/\\`\"'=<>{}\[\]$@:*+]|\w\.\w|[a-z][A-Z]|^[A-Z]{2,}$|^--?\w")
_PROSE_WORDS = 4

NO_CLAIMS: tuple[str, ...] = (*_PATTERNS, "prose")
"""The names of what is no claim."""


def no_claim(documented: str) -> str:
    """Which of `NO_CLAIMS` a documented value is; empty for a definite value."""
    text = plain(documented)
    if is_quoted(documented):
        return next((name for name in _QUOTED_TOO if _COMPILED[name].search(text)), "")
    if is_absent(text) and not _COMPILED["blank"].search(text):
        return ""
    if _is_span(text):
        return "range"
    if _ANY.search(text):
        return next(name for name, pattern in _COMPILED.items() if pattern.search(text))
    return "prose" if _is_prose(text) else ""


def is_placeholder(text: str) -> bool:
    """Whether a text stands for what somebody has to fill in."""
    return _COMPILED["placeholder"].search(text) is not None


def _is_span(text: str) -> bool:
    # `1-10` is one; `2024-01` is a month, and `01-02` is no range of numbers.
    found = _SPAN.fullmatch(text)
    return bool(found) and not found[2].startswith("0") and int(found[1]) < int(found[2])


def _is_prose(text: str) -> bool:
    found = text.split()
    return len(found) > _PROSE_WORDS and not any(_CODE.search(word) for word in found)
