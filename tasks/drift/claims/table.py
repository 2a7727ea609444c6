"""Tables with a column of defaults."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from schemas.claims import Claim
from tasks.drift.claims.reading.headings import above
from tasks.drift.claims.reading.page import Page, page_of
from tasks.drift.claims.tables import Cell, Table, tables_of
from tasks.drift.claims.tables.cells import documented_in, option_of, title_of
from tasks.drift.tree import TextFile

_DEFAULT = re.compile(r"(?:the )?(?:chart |helm |built-?in )?defaults?(?: values?| settings?)?|def\.?")
_VALUE = re.compile(r"values?")
_NAME = re.compile(
    r"(?:(?:the|config(?:uration)?|helm|environment|env\.?|command[- ]line|cli) ){0,3}"
    r"(?:parameters?|params?|options?|names?|keys?|settings?|variables?|vars?|flags?|property|properties|fields?"
    r"|arguments?|args?|attributes?|inputs?|switch|env|environment|directive)(?: names?| keys?)?(?: \(.{0,40}\))?"
)
_ABOUT = re.compile(r"(?:description|meaning|notes?|comments?|details?|explanation|purpose|type)")
_GENERATED = (
    ["description", "key", "value"],
    ["description", "name", "value"],
    ["description", "parameter", "value"],
)
"""The headers, sorted, of generated tables in which the value is the default."""


@dataclass(frozen=True, slots=True)
class _Columns:
    option: int
    default: int


def table_claims(file: TextFile) -> Iterator[Claim]:
    """One claim for each row of a table with a column headed `Default`."""
    page = page_of(file)
    for table in tables_of(page) if "efault" in file.text or "DEFAULT" in file.text else ():
        if columns := _columns(table, _DEFAULT):
            yield from _claims(page, table, columns, "table")


def value_table_claims(file: TextFile) -> Iterator[Claim]:
    """One claim for each row of a table of names, descriptions and values, as chart READMEs are generated."""
    page = page_of(file)
    for table in tables_of(page) if "Value" in file.text and file.kind == "readme" else ():
        generated = sorted(title_of(cell) for cell in table.header) in _GENERATED
        if generated and (columns := _columns(table, _VALUE)):
            yield from _claims(page, table, columns, "value-table")


def _columns(table: Table, heading: re.Pattern[str]) -> _Columns | None:
    """Which column is the default's, and which the option's: one that is headed so, else the first that looks it."""
    titles = [title_of(cell) for cell in table.header]
    defaults = [index for index, title in enumerate(titles) if heading.fullmatch(title)]
    if len(defaults) != 1:
        return None
    others = [index for index in range(len(titles)) if index != defaults[0]]
    named = [index for index in others if _NAME.fullmatch(titles[index])]
    for index in [*named, *(index for index in others if not _ABOUT.match(titles[index]))]:
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
            width = len(value.text) if value.whole else 0
            around = above(page, value.line)
            yield Claim(option, value.text, page.file.path, value.line, shape, "row", value.column, width, around)
