"""What in a text can be the name of an option."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

MAX_NAME = 100
MAX_SPAN = 200
"""In characters, of a code span with what stands for the value."""

# In a code span or table cell: the name, then perhaps what stands for its value.
_NAMED = re.compile(
    r"(-{0,2}[$@%]?\{?[A-Za-z_][\w.\-\[\]/*]{0,90}?)\}?"
    r"(?:(?:\s?=|[ :])\s?[\[<{(\"'A-Za-z\d$*|.].{0,120}|[=:]\s?|\[=?.{0,80}\])?$",
    re.DOTALL,
)
# In running text: flags, and names with an underscore or a hump.
_BARE = re.compile(
    r"(?<![\w/.$@-])(?:--[a-z][\w-]{1,60}|\$?\{?[A-Z][A-Z0-9]{0,40}(?:_[A-Z0-9]{1,40}){1,8}\}?"
    r"|[a-z][a-z0-9]{0,40}(?:_[a-z0-9]{1,40}){1,8}|[a-z]{2,40}(?:[A-Z][a-z0-9]{1,40}){1,8})(?![\w(/]|\.\w)"
)
# `-o server.port`: the flag only says that an option follows.
_DEFINES = re.compile(r"-[A-Za-z] ([a-z][^\W_]{0,40}(?:[._]{1,3}[^\W_]{1,40}){1,6})(?:=.{0,80})?")
_CODE = re.compile(r"(?<![`\\])(`{1,2})(?!`)([^`\n]{1,160})\1(?!`)")
# `KEY=1` in running text is a case, not an option; `KEY=<number>` is one.
_GIVEN = re.compile(r"[\w\]][=:]\s?[\w\"'/.-]")
_ROLE = re.compile(
    r":(?:class|func|meth|mod|command|doc|exc|obj|ref|pep|rfc|issue|program|term|file|samp|(?:py|c|cpp|js):\w{2,9}):$"
)
_ROFF_FONT = re.compile(r"\\f[BI]([^\\]{1,80})\\f[RP]")
_FILE = re.compile(
    r"\.(?:md|rst|txt|conf|cfg|ini|ya?ml|json|toml|sh|py|php|pl|rb|js|ts|go|rs|html?|css|xml|example|com|org)$"
)
_WORDS = """
    true false yes no on off none null nil empty enabled disabled default defaults unset undefined string int integer
    bool boolean float number list dict object array map any str optional required auto all never always info debug
    warning error and or not the a an if n/a self this example note todo e.g i.e etc
"""
_NO_NAMES = frozenset(_WORDS.split())


@dataclass(frozen=True, slots=True)
class Named:
    """An option that a text names, and where."""

    option: str
    start: int
    end: int
    """Behind the markup around it."""


def option_name(text: str) -> str:
    """The option that a code span, a term or a cell consists of, perhaps with what stands for its value; else empty."""
    text = text.strip()
    if not text or len(text) > MAX_SPAN:
        return ""
    if text.startswith("-") and "," in text:
        return max((option_name(part) for part in text.split(",")), key=len)
    if found := _DEFINES.fullmatch(text):
        return found[1]
    found = _NAMED.fullmatch(text)
    name = found[1].strip("${}@%").rstrip(".:-/=") if found else ""
    if name.count("[") != name.count("]"):
        name = name.partition("[")[0]
    return name if found and _is_name(name) and _may_follow(text[found.end(1) :], name) else ""


def is_plain_word(name: str) -> bool:
    """Whether nothing but its place says that a name is one: an ordinary word, in small letters or capitals."""
    return name.isalpha() and (name.islower() or name.istitle() or name.isupper())


def names_in(text: str) -> Iterator[Named]:
    """The options named in a text, in order: code spans that are a name, and words that are spelled like one."""
    found = list(_spans(text))
    taken = [(one.start, one.end) for one in found]
    for match in _BARE.finditer(text):
        inside = any(start <= match.start() < end for start, end in taken)
        if not inside and text.count("`", 0, match.start()) % 2 == 0:
            found.append(Named(match[0].strip("${}"), match.start(), match.end()))
    return iter(sorted(found, key=lambda named: named.start))


def _spans(text: str) -> Iterator[Named]:
    for match in _CODE.finditer(text):
        if _GIVEN.search(match[2]) or _ROLE.search(text, max(0, match.start() - 20), match.start()):
            continue
        if name := option_name(match[2]):
            yield Named(name, match.start(), match.end())
    for match in _ROFF_FONT.finditer(text):
        # Manual pages set placeholders and programs in these fonts, too.
        if (name := option_name(match[1].replace("\\-", "-"))) and not is_plain_word(name):
            yield Named(name, match.start(), match.end())


def _is_name(name: str) -> bool:
    bare = name.lstrip("-")
    if not bare or len(name) > MAX_NAME or bare[0] in "./*[" or "//" in bare:
        return False
    if name.startswith("-"):
        return True
    return bare.lower() not in _NO_NAMES and bare.count("/") <= 1 and not _FILE.search(bare.lower())


def _may_follow(rest: str, name: str) -> bool:
    """Whether what follows a name in its code span is a value or a placeholder, and not more words."""
    rest = rest.strip("} ")
    return not rest or rest[0] in "=:<[{(" or (name.startswith("-") and len(rest.split()) <= 2)
