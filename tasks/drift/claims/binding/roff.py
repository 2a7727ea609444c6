"""Terms of manual pages."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tasks.drift.claims.reading.options import option_name

REACH = 60
"""In lines: no entry of a manual page is longer."""

_TERM = re.compile(r"\.(?:IP|It)\s+(.{1,200})")
_MACRO = re.compile(r"\.[A-Z]{1,3}\s+")
_ESCAPE = re.compile(r"\\f(?:\[\w*\]|\(\w\w|\w)|\\&|\\s[-+]?\d")
_ENDS = (".SH", ".SS", ".Sh", ".PP", ".LP", ".P ", ".RE")


def roff_term(lines: Sequence[str], number: int) -> str:
    """The option whose entry a line belongs to; empty outside of entries."""
    for over in range(number - 1, max(0, number - REACH), -1):
        text = lines[over - 1]
        if text.startswith(".TP") and over < number - 1:
            return _name(lines[over])
        if found := _TERM.match(text):
            return _name(found[1])
        if text.startswith(".RS") and over > 1:
            return _name(lines[over - 2])
        if text.startswith(_ENDS):
            return ""
    return ""


def _name(text: str) -> str:
    """The option of a term: its long flag, or its first word."""
    if text.startswith("Fl "):
        text = "-" + text[3:].lstrip()
    text = _ESCAPE.sub("", _MACRO.sub("", text)).replace("\\-", "-").replace('"', "")
    words = [word.partition("=")[0] for word in text.replace(",", " ").split()]
    flags = [word for word in words if word.startswith("--")]
    return option_name((flags or words or [""])[0])
