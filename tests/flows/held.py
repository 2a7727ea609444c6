"""What an index holds, and the documents that tests of the index flow are about."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from muniment.store.reader import open_reader


def paths(home: Path) -> list[str]:
    """The path of every document."""
    with open_reader(home / "index") as reader:
        return sorted(str(row["path"]) for row in reader.rows("documents", ["path"]).to_pylist())


def rows(home: Path) -> list[dict[str, Any]]:
    """Every chunk, without what depends on the moment."""
    with open_reader(home / "index") as reader:
        columns = ["chunk_id", "source", "path", "kind", "section", "title", "line_start", "line_end", "text", "terms"]
        return sorted(reader.chunks(columns).to_pylist(), key=lambda row: row["chunk_id"])


def section(name: str) -> str:
    """A document of one section."""
    return f"# {name}\n\nAll about {name}.\n"
