"""What runs keep to spare themselves work: the facts of each file, and what was seen of working copies."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from muniment.verify.found import Finding
from schemas.files import Source
from schemas.generations import Generation
from tasks.drift.check import FACTS_FILE
from tasks.drift.facts import count_unsound
from tasks.enumerate.seen import is_torn


def check_seen(index: Path, seen: Path, generation: Generation) -> Iterator[Finding]:
    """Files that can't be read, or are not what was written; the next run makes them anew."""
    facts = seen / FACTS_FILE
    if facts.exists() and (said := _facts(facts)):
        yield Finding("seen", facts.relative_to(index).as_posix(), said, remedy="seen")
    for state in generation.sources.values():
        if is_torn(seen, Source(state.name, state.path, state.kind, state.worktree)):
            yield Finding("seen", seen.name, f"what was seen of source {state.name} is torn", remedy="seen")


def _facts(path: Path) -> str:
    # Not `immutable`: a run may be writing it.
    try:
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=30)) as kept:
            (said,) = kept.execute("PRAGMA integrity_check(1)").fetchone()
            unsound = count_unsound(kept) if said == "ok" else 0
    except sqlite3.OperationalError:
        return ""  # a run is writing it, or was killed while it did, and the next one will undo that
    except sqlite3.DatabaseError as error:
        return f"is damaged: {error}"
    if said != "ok":
        return f"is damaged: {str(said).splitlines()[-1][:100]}"
    return f"{unsound} facts are not what was written" if unsound else ""
