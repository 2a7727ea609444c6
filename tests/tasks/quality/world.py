"""A small index in which every expectation holds, as the values that quality steps take, and ways to break it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from schemas.columns import EFFECTIVENESS, TABLES, arrow_schema
from schemas.expectations import Expectation, Limits, expectations
from schemas.generations import Generation
from tasks.quality.canaries import Canary, ask_canaries
from tasks.quality.measures import Facts, measure
from tasks.quality.published import SourceFacts, generation_rows, source_rows, token_cap
from tests.muniment.sample_index import indexed_sample

FILES = ("README.md", "conf/README.md", "conf/mover.conf.template", "docs/site-note.txt", "scripts/lib-lock.sh")


@dataclass(frozen=True, slots=True)
class World:
    """Everything that a look at an index sees."""

    tables: dict[str, pa.Table]
    generation: Generation
    run: Mapping[str, Any]
    source: SourceFacts
    now: datetime
    asked: tuple[tuple[Canary, bool], ...] = ()
    """Canaries, and whether search finds their document."""
    limits: Limits = field(default_factory=Limits)

    @property
    def wanted(self) -> tuple[Expectation, ...]:
        """All expectations, with this generation's token cap."""
        return expectations(replace(self.limits, max_tokens=token_cap(self.generation)))

    def measured(self) -> dict[str, pa.Table]:
        """All tables with their measures."""
        found = {canary.question for canary, lives in self.asked if lives}
        paths = {canary.question: canary.path for canary, _ in self.asked}
        return {
            **measure(self.tables, Facts(self.now, self.generation.dimension)),
            "generation": generation_rows(self.generation, self.tables["chunks"], self.run),
            "sources": source_rows(self.generation, [self.source], self.tables, self.now),
            "canaries": ask_canaries(
                [canary for canary, _ in self.asked],
                lambda question, _: [paths[question]] if question in found else [],
            ),
        }

    def row(self, table: str, column: str, row: int = 0) -> Any:
        """One value."""
        return self.tables[table][column][row].as_py()

    def put(self, table: str, row: int = 0, **values: Any) -> World:
        """The world with other values in one row."""
        changed = self.tables[table]
        for column, value in values.items():
            cells = changed[column].to_pylist()
            cells[row] = value
            place = changed.column_names.index(column)
            changed = changed.set_column(place, column, pa.array(cells, changed[column].type))
        return self.having(table, changed)

    def having(self, table: str, rows: pa.Table) -> World:
        """The world with another table."""
        return replace(self, tables={**self.tables, table: rows})

    def vector(self, row: int, change: Any) -> World:
        """The world with one vector changed."""
        old = np.asarray(self.row("chunks", "vector", row), np.float32)
        return self.put("chunks", row, vector=change(old))


def make_world(place: Path) -> World:
    """A world with a real index behind it: some files of the sample corpus, with their vectors."""
    with indexed_sample(place, FILES) as reader:
        tables = {
            name: reader.rows(name, [column.name for column in TABLES[name]]) for name in reader.generation.tables
        }
        generation = reader.generation
    claims = tables["claims"]
    tables["claims"] = claims.filter(pa.array([verdict != "disagrees" for verdict in claims["verdict"].to_pylist()]))
    tables["effectiveness"] = effects()
    tables["skipped"] = skips()
    (state,) = generation.sources.values()
    return World(
        tables=tables,
        generation=generation,
        run={"fingerprint": generation.fingerprint, "chunker": generation.chunker},
        source=SourceFacts(state, current=True, usual={"documents": state.documents, "chunks": state.chunks}),
        now=datetime.fromisoformat(generation.published_at) + timedelta(hours=1),
        asked=(
            (Canary("what is the spool", "README.md"), True),
            *((Canary(f"a title {n}", "README.md", configured=False), True) for n in range(5)),
        ),
    )


def effects() -> pa.Table:
    """Two rows of effectiveness: one with enough data, one without."""
    known = {
        "effect_id": "a" * 32, "by": "kind", "name": "readme", "window_hours": 168, "assemblies": 40, "assembled": 80,
        "used": 20, "ratio": 0.25, "low": 0.17, "high": 0.36, "before": None, "trend": "no clear change",
        "last_eval_at": datetime(2026, 1, 1, tzinfo=UTC),
    }  # fmt: skip
    few = known | {"effect_id": "b" * 32, "name": "note", "assemblies": 3, "assembled": 3, "used": 1}
    few |= {"ratio": None, "low": None, "high": None, "trend": "not enough data"}
    return pa.Table.from_pylist([known, few], arrow_schema(EFFECTIVENESS))


def skips() -> pa.Table:
    """Two skipped files."""
    rows = [
        {"doc_id": name * 32, "source": "ops", "path": name, "content_id": "1", "reason": "binary", "detail": ""}
        for name in "ab"
    ]
    return pa.Table.from_pylist(rows, arrow_schema(TABLES["skipped"]))
