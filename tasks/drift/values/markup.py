"""Markup: what documents put around and into a value, and what is left when it is taken away."""

from __future__ import annotations

from html import unescape

import re2

MAX_LENGTH = 600
"""Characters of a value that are looked at; whatever is longer is prose, or a whole file."""

_TAG = re2.compile(r"(?i)</?(?:code|kbd|tt|samp|pre|strong|em|b|i|p|span|sup|small)(?:\s[^<>]{0,200})?>")
_BREAK = re2.compile(r"(?i)\s*<br\s*/?>\s*")
_LINK = re2.compile(r"\[([^\[\]]*)\]\([^()\s]*\)")
_ROLE = re2.compile(r":[a-z][a-z:+-]{0,30}:`~?([^`<>]*)(?:<[^`<>]*>)?`")
_ESCAPE = re2.compile(r"\\([\\`*_{}\[\]()#+.!|<>~$&\"'-])")
_EMPHASIS = re2.compile(r"_([^\W_][^_]*)_|\*([^*\s][^*]*)\*")
_WRAPS = ("```", "``", "`", "**", "__", '"""', '"', "'", "“”", "‘’", "«»")
_DEPTH = 6


def plain(text: str) -> str:
    """A value without tags, links, roles, entities, and the quotes and emphasis around it."""
    text = sound(text[:MAX_LENGTH])
    # Most values have no markup, and looking for a character costs less than asking the engine.
    if "<" in text or "&" in text:
        text = _TAG.sub("", unescape(_BREAK.sub(" ", text)))
    if "](" in text or ":`" in text:
        text = _LINK.sub(r"\1", _ROLE.sub(r"`\1`", text))
    return peeled(text)


def sound(text: str) -> str:
    """A text without halves of characters, which escapes in a program's strings can make, and no engine takes."""
    return text if text.isascii() else text.encode(errors="replace").decode()


def peeled(text: str) -> str:
    """A text without the blanks, quotes, backticks and emphasis that enclose all of it, nested or not."""
    for _ in range(_DEPTH):
        inner = _without_wrap(_without_stop(text.strip()))
        if inner == text:
            break
        text = inner
    return text


def is_quoted(text: str) -> bool:
    """Whether quotes or backticks enclose the whole of a value, so that it is meant letter by letter."""
    text = _without_stop(text.strip())
    return bool(text) and text[0] in "\"'`“‘" and _without_wrap(text) != text


def unescaped(text: str) -> str:
    r"""A text in which a backslash before punctuation stands for that character: `\*` is `*`, `\\.` is `\.`."""
    return str(_ESCAPE.sub(r"\1", text)) if "\\" in text else text


def squeezed(text: str) -> str:
    """A text with one blank wherever it had some."""
    return " ".join(text.split())


def _without_stop(text: str) -> str:
    # `5.` ends a sentence; `./.` and `..` are paths.
    while len(text) > 1 and text[-1] in ".,;:" and (text[-2].isalnum() or text[-2] in "\"'`)"):
        text = text[:-1]
    return text


def _without_wrap(text: str) -> str:
    if text[:1].isalnum():
        return text
    for wrap in _WRAPS:
        start, end = (wrap[0], wrap[1]) if len(wrap) == 2 and wrap[0] != wrap[1] else (wrap, wrap)
        inner = text[len(start) : len(text) - len(end)]
        if len(text) >= len(start) + len(end) and text.startswith(start) and text.endswith(end):
            return text if start in inner or end in inner else inner
    found = _EMPHASIS.fullmatch(text)
    return found[1] or found[2] if found else text
