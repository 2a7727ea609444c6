"""Shell words: what a right-hand side or the default in `${V:-...}` comes to, if it is spelled out."""

from __future__ import annotations

import re

from tasks.drift.truths.arithmetic import evaluate_text
from tasks.drift.truths.value import Value, computed, untyped

# The alternatives begin with different characters and each takes one run: linear.
_PART = re.compile(
    r"\$?'(?P<raw>[^']*)'|\"(?P<quoted>(?:[^\"\\]|\\.)*)\"?|\\(?P<escaped>.)|(?P<bare>[^'\"\\]+)", re.DOTALL
)
_ESCAPE = re.compile(r"\\([\"\\$`])")
_SUBSTITUTES = re.compile(r"\$[\w{(@*#?!$-]|`|[<>]\(")
_VARIABLE = re.compile(r"\$\{?([A-Za-z_]\w{0,99})\}?")
_ARITHMETIC = re.compile(r"\$\(\(([^()]{1,200}(?:\([^()]{1,100}\)[^()]{0,100}){0,5})\)\)")


def word_value(raw: str) -> Value:
    """The value of a shell word as written, quotes included; computed where something is substituted in it."""
    parts = list(_PART.finditer(raw))
    if sum(len(part[0]) for part in parts) < len(raw):
        return computed(raw)
    if any(_SUBSTITUTES.search(part["quoted"] or part["bare"] or "") for part in parts):
        return _substituted(parts[0]["quoted"] or raw if len(parts) == 1 else raw)
    return untyped("".join(map(_literal, parts)))


def _literal(part: re.Match[str]) -> str:
    if part["quoted"] is not None:
        return _ESCAPE.sub(r"\1", part["quoted"])
    return part["raw"] or part["escaped"] or part["bare"] or ""


def _substituted(text: str) -> Value:
    if found := _VARIABLE.fullmatch(text):
        return computed(text, found[1])
    found = _ARITHMETIC.fullmatch(text)
    number = evaluate_text(found[1].replace("/", "//")) if found else None
    return computed(text) if number is None else Value(str(number), "number")
