"""Facts: the claims and truths of each file, kept by its content so that only changed files are read again."""

from __future__ import annotations

import contextlib
import hashlib
import json
import re
import sqlite3
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import astuple, dataclass, replace
from pathlib import Path
from typing import Any

from schemas.claims import Claim, Truth
from schemas.files import Entry, Skipped, SourceReader
from schemas.versions import FACTS
from tasks.drift.claims import find_claims
from tasks.drift.tree import TextFile, text_file
from tasks.drift.truths import read_truths
from tasks.secrets.keys import find_keys, may_hold


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
    but which options it sets. Nor is a value that looks like a key ever kept."""
    if file.secret:
        named = (one for one in read_truths(file) if _VARIABLE.fullmatch(one.option))
        return Facts((), tuple(map(_without_value, named)))
    claims = find_claims(file) if file.kind else ()
    return Facts(
        tuple(one for one in claims if not _is_secret(one.option, one.documented)),
        tuple(_without_value(one) if _is_secret(one.option, one.value) else one for one in read_truths(file)),
    )


def _without_value(truth: Truth) -> Truth:
    return replace(truth, value="", kind="computed", refers="")


def _is_secret(option: str, value: str) -> bool:
    # Most values are too short or too plain, so that the scanner is hardly ever loaded.
    return may_hold(f"{option} {value}") and bool(find_keys(f"{option}={value}") or find_keys(value))


def gather_facts(files: SourceReader, entries: Sequence[Entry], cache: Path, source: str) -> dict[str, Facts]:
    """Path -> facts of every entry that can be read and has any.

    Reads only files whose content is not in the cache, and forgets what the source no longer holds. A cache that
    can't be read is made anew: it only spares work.
    """
    try:
        return _gather(files, entries, cache, source)
    except sqlite3.OperationalError:  # no room, no permission: another cache would fare no better
        raise
    except sqlite3.DatabaseError:
        cache.unlink()
        return _gather(files, entries, cache, source)


def _gather(files: SourceReader, entries: Sequence[Entry], cache: Path, source: str) -> dict[str, Facts]:
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
    for key, text, made in kept.execute("SELECT key, facts, sum FROM facts WHERE source = ?", (source,)):
        if _sum(key, text) != made:
            continue  # read again
        claims, truths = json.loads(text)
        yield key, Facts(tuple(map(_claim, claims)), tuple(Truth(*values) for values in truths))


def _claim(values: list[Any]) -> Claim:
    option, documented, path, line, shape, binding, column, width, above = values
    return Claim(option, documented, path, line, shape, binding, column, width, tuple(above))


def _keep(kept: sqlite3.Connection, source: str, fresh: dict[str, _Fresh], gone: Iterable[str]) -> None:
    kept.executemany("DELETE FROM facts WHERE source = ? AND key = ?", [(source, key) for key in gone])
    texts = [(key, _as_json(facts)) for key, (_, _, facts) in fresh.items()]
    rows = [(source, key, text, _sum(key, text)) for key, text in texts]
    kept.executemany("INSERT OR REPLACE INTO facts VALUES (?, ?, ?, ?)", rows)


def forget_sources(cache: Path, but: Collection[str]) -> int:
    """Drops the facts of all sources but these, and returns how many bytes that gave back.

    A cache that can't be read is left to the next run, which makes it anew.
    """
    before = cache.stat().st_size
    with contextlib.suppress(sqlite3.DatabaseError), contextlib.closing(sqlite3.connect(cache)) as kept:
        held = {source for (source,) in kept.execute("SELECT DISTINCT source FROM facts")}
        with kept:
            kept.executemany("DELETE FROM facts WHERE source = ?", [(source,) for source in held - set(but)])
        if held - set(but):
            kept.execute("VACUUM")
    return before - cache.stat().st_size


def count_unsound(kept: sqlite3.Connection) -> int:
    """How many of the kept facts are not what was written. Raises sqlite3.DatabaseError."""
    if not _keeps_sums(kept):
        return 0
    return sum(_sum(key, text) != made for key, text, made in kept.execute("SELECT key, facts, sum FROM facts"))


def _keeps_sums(kept: sqlite3.Connection) -> bool:
    """Whether there are facts with checksums; an older muniment kept none."""
    return any(column == "sum" for _, column, *_ in kept.execute("PRAGMA table_info(facts)"))


def _sum(key: str, text: str) -> str:
    return hashlib.sha256(f"{key}{text}".encode()).hexdigest()[:16]


def _as_json(facts: Facts) -> str:
    return json.dumps([list(map(astuple, facts.claims)), list(map(astuple, facts.truths))], ensure_ascii=False)


@contextlib.contextmanager
def _open(cache: Path) -> Iterator[sqlite3.Connection]:
    cache.parent.mkdir(parents=True, exist_ok=True)
    with contextlib.closing(sqlite3.connect(cache)) as kept, kept:
        _prepare(kept)
        yield kept


def _prepare(kept: sqlite3.Connection) -> None:
    # A lost cache is made anew, so nothing waits for the disk.
    kept.execute("PRAGMA synchronous = OFF")
    if not _keeps_sums(kept):
        kept.execute("DROP TABLE IF EXISTS facts")
    kept.execute(
        "CREATE TABLE IF NOT EXISTS facts (source TEXT, key TEXT, facts TEXT, sum TEXT, PRIMARY KEY (source, key))"
    )
