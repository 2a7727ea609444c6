"""What the cells of a row hold: the option, and the documented value."""

from __future__ import annotations

import re
from dataclasses import replace

from tasks.drift.claims.reading.options import option_name
from tasks.drift.claims.tables import Cell

MAX_CELL = 400
"""In characters: a longer one describes a value."""
MAX_WORDS = 3
"""So many ordinary words describe a value and are none."""

_LINK = re.compile(r"!?\[([^\[\]]{0,200})\](?:\([^()\s]{0,300}\)|\[[^\[\]]{0,80}\])")
_TAGS = re.compile(r"<(?:/?(?:a|b|i|p|div|span|strong|em|sup|sub|nobr|pre)\b[^<>]{0,200}|br\s?/?)>", re.IGNORECASE)
_CODE_TAG = re.compile(r"</?(?:code|tt|kbd)>")
_MARKED = re.compile(
    r"(`{1,2})(?!`)([^`]{1,300})\1(?!`)|\+([^+\s][^+]{0,200})\+|\*\*([^*]{1,200})\*\*"
    r"|(?<![*\w])\*([^*\s][^*]{0,200})\*(?!\w)|(?<!\w)_([^_\s][^_]{0,200})_(?!\w)"
)
_GROUPS = (2, 3, 4, 5, 6)
_AFTER = re.compile(r"\s?\([^()]{0,200}\)\.?|\s?\.|\s?\^.{0,20}|\s?\[[^\]]{0,20}\]|\s?\*{1,2}")
_WORD = re.compile(r"(?<![^\s(])[A-Za-z]{3,}(?![^\s).,])")
_ESCAPED = re.compile(r"\\([_*])")


def title_of(header: str) -> str:
    """A column's title in small letters, without markup."""
    return _TAGS.sub("", header).strip("*_`: ").lower()


def option_of(cell: Cell) -> str:
    """The option that a cell names: its first code span, or all of it; of a flag the long form."""
    text = _ESCAPED.sub(r"\1", _CODE_TAG.sub("`", _TAGS.sub(" ", _LINK.sub(r"\1", cell.text)))).strip()
    if text.count("`") == 1:
        text = text.replace("`", "")
    if spans := [match[2] for match in _MARKED.finditer(text) if match[2]]:
        names = [name for span in spans if (name := option_name(span))]
        flags = [name for name in names if name.startswith("--")]
        return flags[0] if flags and names[0].startswith("-") else names[0] if names else ""
    bare = text.strip("*_ :")
    if bare.startswith("-") and " " in bare:
        words = bare.replace(",", " ").split()
        return option_name(next((word for word in words if word.startswith("--")), words[0]))
    return option_name(bare.partition(" (")[0])


def documented_in(cell: Cell) -> Cell | None:
    """The value in a cell, without its markup; None where there is none, several, or a description."""
    if not cell.text or len(cell.text) > MAX_CELL:
        return None
    cell = _without_tags(cell)
    text = cell.text
    match = _MARKED.match(text)
    if match and (match.end() == len(text) or _AFTER.fullmatch(text, match.end())):
        return _inside(cell, match)
    if "`" in text or len(_WORD.findall(text)) >= MAX_WORDS:
        return None
    plain = _ESCAPED.sub(r"\1", text)
    return replace(cell, text=plain, whole=cell.whole and plain == text) if plain else None


def _inside(cell: Cell, match: re.Match[str]) -> Cell | None:
    """What stands between marks, be it code within emphasis."""
    group = next(number for number in _GROUPS if match[number] is not None)
    inner, begin = match[group], match.start(group)
    nested = _MARKED.fullmatch(inner.strip())
    if nested and nested[2]:
        begin += inner.index(nested[2])
        inner = nested[2]
    text = inner.strip()
    return replace(cell, text=text, column=cell.column + begin + inner.index(text)) if text else None


def _without_tags(cell: Cell) -> Cell:
    plain = _CODE_TAG.sub("`", _TAGS.sub("", cell.text)).strip() if "<" in cell.text else cell.text
    if plain == cell.text:
        return cell
    bare = plain.strip("`")
    begin = cell.text.find(bare)
    if begin < 0 or not bare:
        return replace(cell, text=plain, whole=False)
    # The back quote stands for a tag: the text behind it is where it was.
    return replace(cell, text=plain, column=cell.column + begin - plain.index(bare))
