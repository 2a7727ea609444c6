"""What the cells of a row hold: the option, and the documented value."""

from __future__ import annotations

import re

from tasks.drift.claims.options import option_name
from tasks.drift.claims.tables import Cell

_LINK = re.compile(r"!?\[([^\[\]]{0,200})\]\([^()\s]{0,300}\)|\[([^\[\]]{1,200})\]\[[^\[\]]{0,80}\]")
_TAGS = re.compile(r"<(?:/?(?:a|b|i|p|div|span|strong|em|sup|sub|nobr|pre)\b[^<>]{0,200}|br\s?/?)>")
_HTML_CODE = re.compile(r"</?(?:code|tt|kbd)>")
_SPAN = re.compile(
    r"(`{1,2})(?!`)([^`]{1,300})\1(?!`)|(\+)([^+\s][^+]{0,200})\3|\*\*([^*]{1,200})\*\*|(?<![*\w])\*([^*\s][^*]{0,200})\*(?!\w)|(?<!\w)_([^_\s][^_]{0,200})_(?!\w)"
)
_AFTER = re.compile(r"\s*\([^()]{0,200}\)\.?|\s*\.|\s*\^.{0,20}|\s*\[[^\]]{0,20}\]|\s*\*{1,2}")


_WORDS = re.compile(r"(?<![^\s(])[A-Za-z]{3,}(?![^\s).,])")
MAX_WORDS = 3
"""So many ordinary words describe a value and are none."""


def option_of(cell: Cell) -> str:
    """The option that a cell names: its first code span, or all of it."""
    text = _HTML_CODE.sub("`", _TAGS.sub(" ", _LINK.sub(r"\1\2", cell.text))).replace("\\_", "_").strip()
    text = text.replace("`", "") if text.count("`") == 1 else text
    spans = [match[2] for match in _SPAN.finditer(text) if match[2]]
    if spans:
        names = [name for span in spans if (name := option_name(span))]
        flags = [name for name in names if name.startswith("--")]
        return flags[0] if flags and names[0].startswith("-") else names[0] if names else ""
    bare = text.strip("*_ :")
    if bare.startswith("-") and " " in bare:
        flags = [part for part in bare.replace(",", " ").split() if part.startswith("--")]
        return option_name(flags[0]) if flags else option_name(bare.split()[0])
    return option_name(bare.split(" (")[0])


def documented_in(cell: Cell) -> Cell | None:
    """The value in a cell, without its markup; None where there is none or several."""
    text = cell.text
    if not text or len(text) > 400:
        return None
    if "<" in text and (plain := _HTML_CODE.sub("`", _TAGS.sub("", text)).strip()) != text:
        begin = text.find(plain.strip("`"))
        kept = cell.whole and begin >= 0
        cell = Cell(
            plain, cell.line, cell.column + begin - (1 if plain.startswith("`") else 0) if kept else cell.column, kept
        )
        text = plain
    if (span := _SPAN.match(text)) and (span.end() == len(text) or _AFTER.fullmatch(text, span.end())):
        group = next(number for number in (2, 4, 5, 6, 7) if span[number] is not None)
        inner = span[group]
        nested = _SPAN.fullmatch(inner.strip())
        begin = span.start(group) + len(inner) - len(inner.lstrip())
        if nested and nested[2]:
            begin, inner = span.start(group) + inner.index(nested[2]), nested[2]
        return Cell(inner.strip(), cell.line, cell.column + begin, cell.whole) if inner.strip() else None
    if "`" in text or len(_WORDS.findall(text)) >= MAX_WORDS:
        return None
    return Cell(
        text.replace("\\_", "_").replace("\\*", "*"),
        cell.line,
        cell.column,
        cell.whole and "\\_" not in text and "\\*" not in text,
    )
