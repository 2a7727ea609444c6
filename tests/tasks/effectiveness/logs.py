"""Logs for tests, written the way the product writes them."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from muniment.assembly import Gathered, make_assembly, record_assembly

NOW = datetime(2026, 3, 14, 12, tzinfo=UTC)
WEEK = 168


def ago(hours: float) -> datetime:
    return NOW - timedelta(hours=hours)


def record(home: Path, at: datetime, gathered: Sequence[tuple[str, str]], used: Sequence[int] = ()) -> str:
    """Records that chunks of these (type, section) were gathered, and that those at these places were cited."""
    chunks = [
        Gathered(f"{type_}-{section}-{place}", "note" if type_.isupper() else type_, type_, section, place + 1)
        for place, (type_, section) in enumerate(gathered)
    ]
    cited = [chunks[place].chunk_id for place in used]
    assembly = make_assembly(at, "ask", "cli", generation=1, elapsed_ms=2, gathered=chunks, used=cited)
    assert not record_assembly(home, assembly)
    return assembly.assembly
