"""All that an index holds, to hold a repaired one against the one that was never damaged."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from muniment.store import audit
from muniment.store.tables import connect, open_at
from schemas.generations import Generation
from tests.muniment.verify.damage import current

Rows = dict[str, list[dict[str, Any]]]
MOMENTS = {"documents": ("indexed_at",), "claims": ("first_seen", "last_seen"), "effectiveness": ("last_eval_at",)}
"""What no source tells again: in a table built anew it may be later."""
TOLD = ("fingerprint", "chunker", "embedder", "dimension", "pending", "pending_reason", "schema", "run", "sources")


def everything(home: Path) -> Rows:
    """Every cell of every table, vectors included."""
    found = current(home)
    return {name: sorted(_rows(home, found, name), key=repr) for name in found.tables}


def _rows(home: Path, found: Generation, name: str) -> Iterable[dict[str, Any]]:
    columns = open_at(connect(home / "index"), found.tables[name]).schema.names
    return audit.rows(home / "index", found.tables[name], columns)


def told(home: Path) -> dict[str, Any]:
    """What the generation says of itself, but for its number, its moment and its files."""
    return {name: getattr(current(home), name) for name in TOLD}


def assert_equal(found: Rows, wanted: Rows, built_anew: Iterable[str] = ()) -> None:
    """Row for row; in tables that were built anew, a moment may be a later one."""
    anew = set(built_anew)
    assert found.keys() == wanted.keys()
    for name, rows in wanted.items():
        moments = MOMENTS.get(name, ()) if name in anew else ()
        assert _without(found[name], moments) == _without(rows, moments), name
        for moment in moments:
            assert all(new[moment] >= old[moment] for new, old in zip(found[name], rows, strict=True)), (name, moment)


def _without(rows: list[dict[str, Any]], left_out: Iterable[str]) -> list[Mapping[str, Any]]:
    return [{key: value for key, value in row.items() if key not in left_out} for row in rows]
