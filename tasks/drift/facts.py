"""Facts: the claims and truths of each file, kept by its content so that only changed files are read again."""

from __future__ import annotations

import contextlib
import hashlib
import json
import re
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import astuple, dataclass, replace
from pathlib import Path
from typing import Any

from schemas.claims import Claim, Truth
from schemas.files import Entry, Skipped, SourceReader
from schemas.versions import FACTS
from tasks.drift.claims import find_claims
from tasks.drift.tree import TextFile, text_file
from tasks.drift.truths import read_truths


@dataclass(frozen=True, slots=True)
class Facts:
    """What one file says and what it decides."""

    claims: tuple[Claim, ...] = ()
    truths: tuple[Truth, ...] = ()


NO_FACTS = Facts()

# A line of a key in base64 may look like a setting, but not like this.
_VARIABLE = re.compile(r"[A-Z][A-Z0-9_]{1,60}")


def facts_of(file: TextFile) -> Facts:
    """The claims and truths of a file; only documentation claims anything, and of a file of credentials nothing is kept
    but which options it sets."""
    if file.secret:
        named = (one for one in read_truths(file) if _VARIABLE.fullmatch(one.option))
        return Facts((), tuple(replace(one, value="", kind="computed", refers="") for one in named))
    return Facts(find_claims(file) if file.kind else (), read_truths(file))


def gather_facts(files: SourceReader, entries: Sequence[Entry], cache: Path, source: str) -> dict[str, Facts]:
    """Path -> facts of every entry that can be read and has any.

    Reads only files whose content is not in the cache, and forgets what the source no longer holds. A cache that
    can't be read is made anew: it only spares work.
    """
    with _open(cache) as kept:
        known = dict(_recall(kept, source))
        wanted = {_key(entry.path, entry.content_id): entry.path for entry in entries if entry.content_id}
        gathered = {path: known[key] for key, path in wanted.items() if key in known}
        fresh = dict(_read(files, [entry for entry in entries if _key(entry.path, entry.content_id) not in known]))
        _keep(kept, source, fresh, known.keys() - wanted.keys())
    gathered.update((path, facts) for path, _, facts in fresh.values())
    return {path: facts for path, facts in gathered.items() if facts != NO_FACTS}


_Fresh = tuple[str, str, Facts]
"""Path, content id, facts."""


def _read(files: SourceReader, entries: Iterable[Entry]) -> Iterator[tuple[str, _Fresh]]:
    for read in files.read_files(entries):
        if isinstance(read, Skipped):
            continue
        entry, raw = read
        made = text_file(entry.path, raw, entry.content_id)
        facts = facts_of(made) if isinstance(made, TextFile) else NO_FACTS
        yield _key(entry.path, entry.content_id), (entry.path, entry.content_id, facts)


def _key(path: str, content_id: str) -> str:
    return hashlib.sha256("\0".join((FACTS, path, content_id)).encode()).hexdigest()


def _recall(kept: sqlite3.Connection, source: str) -> Iterator[tuple[str, Facts]]:
    for key, text in kept.execute("SELECT key, facts FROM facts WHERE source = ?", (source,)):
        claims, truths = json.loads(text)
        yield key, Facts(tuple(map(_claim, claims)), tuple(Truth(*values) for values in truths))


def _claim(values: list[Any]) -> Claim:
    option, documented, path, line, shape, binding, column, width, above = values
    return Claim(option, documented, path, line, shape, binding, column, width, tuple(above))


def _keep(kept: sqlite3.Connection, source: str, fresh: dict[str, _Fresh], gone: Iterable[str]) -> None:
    kept.executemany("DELETE FROM facts WHERE source = ? AND key = ?", [(source, key) for key in gone])
    rows = [(source, key, _as_json(facts)) for key, (_, _, facts) in fresh.items()]
    kept.executemany("INSERT OR REPLACE INTO facts VALUES (?, ?, ?)", rows)


def _as_json(facts: Facts) -> str:
    return json.dumps([list(map(astuple, facts.claims)), list(map(astuple, facts.truths))], ensure_ascii=False)


@contextlib.contextmanager
def _open(cache: Path) -> Iterator[sqlite3.Connection]:
    cache.parent.mkdir(parents=True, exist_ok=True)
    try:
        kept = _connect(cache)
    except sqlite3.DatabaseError:
        cache.unlink()
        kept = _connect(cache)
    with contextlib.closing(kept), kept:
        yield kept


def _connect(cache: Path) -> sqlite3.Connection:
    kept = sqlite3.connect(cache)
    # A lost cache is made anew, so nothing waits for the disk.
    kept.execute("PRAGMA synchronous = OFF")
    kept.execute("CREATE TABLE IF NOT EXISTS facts (source TEXT, key TEXT, facts TEXT, PRIMARY KEY (source, key))")
    return kept
