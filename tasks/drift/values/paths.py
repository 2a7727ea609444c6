"""Paths: `~` is `$HOME`, `./x` is `x`, and a slash at the end changes nothing."""

from __future__ import annotations

import re2

from schemas.claims import Verdict

_HOME = re2.compile(r"^(?:\$HOME|\$\{HOME\}|%h)(/|$)")
_SLASHES = re2.compile(r"([^:/])//+")
_LOCALHOST = re2.compile(r"(^|//|@)(?:localhost|127\.0\.0\.1|\[::1\])(:|/|$)")


def paths(left: str, right: str, _option: str) -> Verdict | None:
    """Whether two paths or addresses are the same; unknown where they differ by case or by the name of this machine."""
    if not any(mark in text for text in (left, right) for mark in "/~") and "localhost" not in left + right:
        return None
    one, other = _path(left), _path(right)
    if one == other:
        return "agrees"
    return "unknown" if _loose(one) == _loose(other) else None


def _path(text: str) -> str:
    text = str(_HOME.sub(r"~\1", text)) if text[:1] in "$%" else text
    text = str(_SLASHES.sub(r"\1/", text)) if "//" in text else text
    while text.startswith("./") and len(text) > 2:
        text = text[2:]
    return text.rstrip("/") or text[:1]


def _loose(text: str) -> str:
    return str(_LOCALHOST.sub(r"\1localhost\2", text)).casefold()
