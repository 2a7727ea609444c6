"""Tables with a column of defaults."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from schemas.claims import Claim
from tasks.drift.claims.headings import above
from tasks.drift.claims.page import Page, page_of
from tasks.drift.claims.tables import Cell, Table, tables_of
from tasks.drift.claims.tables.cells import documented_in, option_of
from tasks.drift.tree import TextFile

_DEFAULT = re.compile(
    r"(?:the )?(?:chart |helm |built-?in )?defaults?(?: values?| settings?)?|def\.?|standard(?:wert)?", re.IGNORECASE
)
_VALUE = re.compile(r"values?", re.IGNORECASE)
_NAME = re.compile(
    r"(?:the |config(?:uration)? |helm |environment |env\.? |command[- ]line |cli )*"
    r"(?:parameters?|params?|options?|names?|keys?|settings?|variables?|vars?|flags?|property|properties|fields?|arguments?|args?"
    r"|attributes?|inputs?|switch|env|environment|directive)(?: names?| keys?)?(?: \(.{0,40}\))?",
    re.IGNORECASE,
)
_ABOUT = re.compile(r"(?:description|meaning|notes?|comments?|details?|explanation|purpose)", re.IGNORECASE)
_TAGS = re.compile(r"<(?:/?(?:a|b|i|p|div|span|strong|em|sup|sub|nobr|pre)\b[^<>]{0,200}|br\s?/?)>")


@dataclass(frozen=True, slots=True)
class _Columns:
    option: int
    default: int


def table_claims(file: TextFile) -> Iterator[Claim]:
    """One claim for each row of a table with a column headed `Default`."""
    page = page_of(file)
    if "efault" in file.text or "DEFAULT" in file.text:
        for table in tables_of(page):
            if columns := _columns(table, _DEFAULT):
                yield from _claims(page, table, columns, "table")


def value_table_claims(file: TextFile) -> Iterator[Claim]:
    """One claim for each row of a table of names, descriptions and values, as chart READMEs are generated."""
    page = page_of(file)
    if page.syntax == "markdown" and "Value" in file.text and file.kind == "readme":
        for table in tables_of(page):
            headed = [cell.strip("*` ").lower() for cell in table.header]
            if sorted(headed) in (
                ["description", "name", "value"],
                ["description", "key", "value"],
                ["description", "parameter", "value"],
            ):
                if columns := _columns(table, _VALUE):
                    yield from _claims(page, table, columns, "value-table")


def _columns(table: Table, heading: re.Pattern[str]) -> _Columns | None:
    titles = [_TAGS.sub("", cell).strip("*_`: ").lower() for cell in table.header]
    defaults = [index for index, title in enumerate(titles) if heading.fullmatch(title)]
    if len(defaults) != 1:
        return None
    named = [index for index, title in enumerate(titles) if index != defaults[0] and _NAME.fullmatch(title)]
    open_columns = [
        index
        for index, title in enumerate(titles)
        if index != defaults[0] and not _ABOUT.match(title) and title != "type"
    ]
    for index in [*named, *open_columns]:
        if _are_options([row[index] for row in table.rows]):
            return _Columns(index, defaults[0])
    return None


def _are_options(cells: Sequence[Cell]) -> bool:
    filled = [cell for cell in cells if cell.text]
    return bool(filled) and sum(bool(option_of(cell)) for cell in filled) * 2 > len(filled)


def _claims(page: Page, table: Table, columns: _Columns, shape: str) -> Iterator[Claim]:
    for row in table.rows:
        option, value = option_of(row[columns.option]), documented_in(row[columns.default])
        if option and value:
            path = above(page, value.line)
            yield Claim(
                option,
                value.text,
                page.file.path,
                value.line,
                shape,
                "row",
                value.column,
                len(value.text) if value.whole else 0,
                path,
            )
