"""Where a search looks: its limits as the index takes them, and what is wrong with one that admits nothing."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import accumulate, islice
from typing import TYPE_CHECKING

from muniment.errors import SettingsError, UsageError
from muniment.patterns import admits

if TYPE_CHECKING:
    from muniment.store.reader import Filter, Reader

NAMED = 6
"""How many of the known values a hint lists."""
COMPARED = 5_000
"""How many known values a wrong one is compared with letter by letter; of paths there may be a million."""
_DOCUMENTS, _CHUNKS = "documents", "chunks"


def checked_filter(reader: Reader, within: Filter, paths: Sequence[str]) -> Filter:
    """The filter, with namespaces and gitignore patterns of paths turned into the documents that they admit.

    Raises UsageError for a source, section, type, namespace or pattern that nothing in the index has, with the nearest
    right one.
    """
    _check(within.sources, "source", reader.generation.sources)
    for value in _absent(reader, _DOCUMENTS, "type", within.types):
        raise _unknown("type", value, _known(reader, _DOCUMENTS, "type"))
    for value in _absent(reader, _DOCUMENTS, "namespace", within.namespaces):
        raise _unknown("namespace", value, _known(reader, _DOCUMENTS, "namespace"))
    for value in _absent(reader, _CHUNKS, "section", within.sections):
        raise _unknown("section", value, _known(reader, _CHUNKS, "section"))
    if paths:
        within = _with_paths(reader, within, paths)
    return _with_namespaces(reader, within) if within.namespaces else within


def nearest(value: str, known: Collection[str]) -> str:
    """A hint at the known value that was probably meant, in any case; else at a few of all."""
    from difflib import get_close_matches

    by_fold = {one.casefold(): one for one in known if one}
    wanted = value.casefold()
    inside = [one for fold, one in by_fold.items() if wanted and (wanted in fold or fold in wanted)]
    compared = islice(by_fold, COMPARED)
    close = [by_fold[fold] for fold in get_close_matches(wanted, compared, n=1)] or sorted(inside, key=len)
    if close:
        return f"did you mean '{close[0]}'?"
    listed = sorted(by_fold.values())
    more = f", and {len(listed) - NAMED} more" if len(listed) > NAMED else ""
    return f"there is: {', '.join(listed[:NAMED])}{more}" if listed else "the index holds none at all"


def _check(values: Iterable[str], name: str, known: Collection[str]) -> None:
    for value in values:
        if value not in known:
            raise _unknown(name, value, known)


def _unknown(name: str, value: str, known: Collection[str]) -> UsageError:
    return UsageError(f"no {name} '{value}' in this index", nearest(value, known))


def _absent(reader: Reader, table: str, column: str, values: Iterable[str]) -> Iterator[str]:
    return (value for value in values if not reader.holds(table, column, value))


def _known(reader: Reader, table: str, column: str) -> list[str]:
    found = reader.chunks([column]) if table == _CHUNKS else reader.rows(table, [column])
    return [str(value) for value in found[column].unique().to_pylist() if value is not None]


def _with_paths(reader: Reader, within: Filter, patterns: Sequence[str]) -> Filter:
    rows = reader.rows("documents", ["doc_id", "path"]).to_pylist()
    for pattern in patterns:
        alone = _admits([pattern.removeprefix("!")])
        if not any(alone(row["path"]) for row in rows):
            known = {_as_pattern(place) for row in rows for place in _places(row["path"])}
            raise UsageError(f"no indexed document matches --path '{pattern}'", nearest(pattern, known))
    admitted = _admits(patterns)
    return replace(within, doc_ids=tuple(row["doc_id"] for row in rows if admitted(row["path"])))


def _admits(patterns: Sequence[str]) -> Callable[[str], bool]:
    """Whether a path is asked for; a pattern that says nothing is the question's fault, and no setting's."""
    try:
        return admits(patterns, (), "path")
    except SettingsError as error:
        raise UsageError(error.message, error.hint) from error


def _with_namespaces(reader: Reader, within: Filter) -> Filter:
    # A document has no section.
    ids = reader.rows("documents", ["doc_id"], replace(within, sections=()))["doc_id"].to_pylist()
    return replace(within, namespaces=(), doc_ids=tuple(str(one) for one in ids))


def _as_pattern(name: str) -> str:
    """A pattern that matches the name alone, where it can be written: what it stands for has to be found with it."""
    escaped = re.sub(r"[*?\[]|^[!#]| $", r"\\\g<0>", name)
    return re.sub(r"\\(?![*?\[!# ])|,", "?", escaped)


def _places(path: str) -> Iterator[str]:
    """The path, its name alone, and every folder above it: patterns that admit it."""
    yield path
    yield path.rpartition("/")[2]
    yield from accumulate(part + "/" for part in path.split("/")[:-1])
