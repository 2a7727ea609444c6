"""What a repository may say about its own indexing: less of it, and nothing else."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, replace

from muniment.errors import SettingsError
from schemas.files import Listing, Source, SourceReader

FILE = "muniment.toml"
_LISTS = ("include", "exclude")


@dataclass(frozen=True, slots=True)
class Narrowing:
    """The narrowing keys of a repository's own muniment.toml."""

    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    max_bytes: int | None = None
    ignored: tuple[str, ...] = ()
    """Keys that stand there and are not obeyed: what comes from a repository is data, never settings."""


def read_narrowing(source: Source, listing: Listing, reader: SourceReader) -> Narrowing:
    """What the repository's own muniment.toml leaves out; without one, nothing.

    Raises SettingsError when the file is there and can't be understood: guessing would index what it meant to hide.
    """
    entry = next((entry for entry in listing.entries if entry.path == FILE), None)
    if entry is None:
        return Narrowing()
    for read in reader.read_files([entry]):
        if isinstance(read, tuple):
            return _parse(read[1], source)
    raise SettingsError(
        f"can't read {FILE} in source '{source.name}'", "mend it or remove it; until then nothing is indexed"
    )


def narrowed(source: Source, narrowing: Narrowing) -> Source:
    """The source with the smaller of both size caps; patterns are applied on top, not merged (`tasks/classify.py`)."""
    if narrowing.max_bytes is None:
        return source
    return replace(source, max_bytes=min(source.max_bytes, narrowing.max_bytes))


def _parse(raw: bytes, source: Source) -> Narrowing:
    try:
        values = tomllib.loads(raw.decode("utf-8-sig"))
        index = values.get("index", {})
        lists = {key: tuple(index.get(key, ())) for key in _LISTS}
        cap = index.get("max_bytes")
        if any(not isinstance(item, str) for items in lists.values() for item in items) or not isinstance(
            cap, int | None
        ):
            raise ValueError("include and exclude are lists of patterns, max_bytes is a number")
    except (ValueError, TypeError, AttributeError, RecursionError) as error:
        raise SettingsError(
            f"{FILE} in source '{source.name}' can't be understood: {error}",
            "mend it or remove it; until then nothing is indexed",
        ) from error
    obeyed = {*_LISTS, "max_bytes"}
    ignored = [key for key in values if key != "index"] + [f"index.{key}" for key in index if key not in obeyed]
    return Narrowing(**lists, max_bytes=cap, ignored=tuple(sorted(ignored)))
