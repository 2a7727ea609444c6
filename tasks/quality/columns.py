"""Whether tables have the columns that the column tables name, and what to do with those that have not."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from schemas.columns import TABLES, arrow_schema

if TYPE_CHECKING:
    import pyarrow as pa


def column_rows(tables: Mapping[str, pa.Table], dimension: int) -> pa.Table:
    """One row for each column of each table, declared or found: key, place, as_declared, and the type found.

    A dictionary of a declared type counts as that type.
    """
    import pyarrow as pa

    rows = [row for name, table in tables.items() for row in _compared(name, table, dimension)]
    fields: dict[str, pa.DataType] = {"key": pa.string(), "place": pa.string(), "as_declared": pa.bool_()}
    return pa.Table.from_pylist(rows, pa.schema(fields))


def _compared(name: str, table: pa.Table, dimension: int) -> list[dict[str, Any]]:
    declared = {field.name: field.type for field in arrow_schema(TABLES[name], dimension)}
    found = {field.name: _plain(field.type) for field in table.schema}
    return [
        {
            "key": f"{name}.{column}",
            "place": f"{name}.{column}: {found.get(column, 'missing')}, declared {declared.get(column, 'nowhere')}",
            "as_declared": bool(column in found and column in declared and found[column] == declared[column]),
        }
        for column in dict.fromkeys((*declared, *found))
    ]


def settled(table: pa.Table, schema: pa.Schema) -> pa.Table:
    """The table with exactly these columns: cast where need be, all null where that can't be done."""
    import pyarrow as pa

    columns = [_settled(table, field) for field in schema]
    return pa.table(columns, schema=pa.schema(field.with_nullable(True) for field in schema))


def _settled(table: pa.Table, field: pa.Field[Any]) -> Any:
    import pyarrow as pa

    if field.name in table.column_names and table.column_names.count(field.name) == 1:
        column = table[field.name]
        if column.type == field.type:
            return column
        try:
            return column.cast(field.type)
        except pa.ArrowException:
            pass  # the row of this column in `columns` says so
    return pa.chunked_array([pa.nulls(len(table), field.type)])


def _plain(kind: Any) -> Any:
    import pyarrow as pa

    return kind.value_type if pa.types.is_dictionary(kind) else kind
