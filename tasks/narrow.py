"""What a repository may say about its own indexing: less of it, and nothing else."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from muniment.errors import SettingsError
from schemas.files import Listing, Source, SourceReader

FILE = "muniment.toml"

_MEANT = {"include": "include", "exclude": "exclude", "max_bytes": "max_bytes", "secrets": "secrets"}
_MEANT |= {"ignore": "exclude", "skip": "exclude"}
"""What somebody writes -> the key of [index] that is meant by it."""


@dataclass(frozen=True, slots=True)
class Narrowing:
    """The narrowing keys of a repository's own muniment.toml."""

    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    max_bytes: int | None = None
    withhold_secrets: bool = False
    """Whether it wants parts that look like holding a key left out; the operator's settings can't be relaxed."""
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
        if read.reason == "empty":
            return Narrowing()
    raise SettingsError(
        f"can't read {FILE} in source '{source.name}'", "mend it or remove it; until then nothing is indexed"
    )


def narrowed(source: Source, narrowing: Narrowing) -> Source:
    """The source with the smaller of both size caps, and without keys where either wants that; patterns are applied on
    top, not merged (`tasks/classify.py`)."""
    largest = source.max_bytes if narrowing.max_bytes is None else min(source.max_bytes, narrowing.max_bytes)
    withhold = source.withhold_secrets or narrowing.withhold_secrets
    return replace(source, max_bytes=largest, withhold_secrets=withhold)


class _Index(BaseModel):
    """The keys that are obeyed."""

    model_config = ConfigDict(strict=True, extra="allow")
    include: list[str] = []
    exclude: list[str] = []
    max_bytes: int | None = None
    secrets: Literal["withhold", "ignore"] | None = None


def _parse(raw: bytes, source: Source) -> Narrowing:
    try:
        values = tomllib.loads(raw.decode("utf-8-sig"))
        index = _Index.model_validate(values.pop("index", {}))
    except (ValueError, RecursionError) as error:
        raise SettingsError(
            f"{FILE} in source '{source.name}' can't be understood: {_said(error)}",
            "mend it or remove it; until then nothing is indexed",
        ) from error
    others = [*values, *(f"index.{key}" for key in index.model_extra or {})]
    _check_slips(values, index.model_extra or {}, source)
    if index.secrets == "ignore":
        others.append("index.secrets")
    withhold = index.secrets == "withhold"
    return Narrowing(tuple(index.include), tuple(index.exclude), index.max_bytes, withhold, tuple(sorted(others)))


def _check_slips(top: Mapping[str, Any], index: Mapping[str, Any], source: Source) -> None:
    """Raises SettingsError for a key that is hardly one of the operator's: it meant to narrow, and would not."""
    slips = {f"index.{key}": f"index.{meant}" for key in index if (meant := _meant(key))}
    for key, value in top.items():
        if isinstance(value, Mapping):
            slips |= {key: "index"} if get_close_matches(key.lower(), ["index"]) else {}
        elif meant := _meant(key):
            slips[key] = f"index.{meant}"
    for key, meant in slips.items():
        raise SettingsError(
            f"{FILE} in source '{source.name}' has no key '{key}'",
            f"did you mean '{meant}'? until that is mended nothing is indexed",
        )


def _meant(key: str) -> str:
    close = get_close_matches(key.lower(), _MEANT, n=1)
    return _MEANT[close[0]] if close else ""


def _said(error: Exception) -> str:
    if not isinstance(error, ValidationError):
        return str(error)
    first = error.errors()[0]
    return f"{'.'.join(map(str, ('index', *first['loc'])))}: {first['msg'].lower()}"
