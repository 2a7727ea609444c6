"""`manifest.csv` at the root of an archive: one row a document, with what is stated of it."""

from __future__ import annotations

import csv
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import PurePosixPath

from muniment.errors import SourceUnreadable
from schemas.files import Entry, Source
from schemas.stated import NOTHING_STATED, Stated
from tasks.decode import Decoded, decode
from tasks.enumerate.folder import Folder
from tasks.stated import stated_by

MANIFEST = "manifest.csv"
MAX_MANIFEST = 16_000_000
_PATHS = ("path", "file", "filename")
_MARKS = ",;\t"


def read_manifest(source: Source, wanted: Collection[str] | None = None) -> Mapping[str, Stated]:
    """Path -> what the manifest states of the document, or of the wanted ones; nothing without one.

    Raises SourceUnreadable when it can't be understood: guessing would show what it meant to withhold.
    """
    (read,) = Folder(replace(source, max_bytes=MAX_MANIFEST)).read_files([Entry(MANIFEST, "", MANIFEST.encode())])
    decoded = decode(read[1]) if isinstance(read, tuple) else read.reason
    if decoded in ("empty", "missing"):
        return {}
    try:
        if not isinstance(decoded, Decoded):
            raise ValueError(decoded)
        return parse_manifest(decoded.text, wanted)
    except (ValueError, csv.Error) as error:
        raise SourceUnreadable(
            f"can't read {MANIFEST} in source '{source.name}': {error}", "mend it or remove it; nothing is indexed"
        ) from error


def parse_manifest(text: str, wanted: Collection[str] | None = None) -> Mapping[str, Stated]:
    """Path -> what the rows of a CSV text state of it, or of the wanted ones. Raises ValueError or csv.Error."""
    head = text.partition("\n")[0]
    mark = max(_MARKS, key=head.count)
    rows = csv.reader(text.split("\n"), delimiter=mark, strict=True)
    names = [name.strip().lower() for name in next(rows, [])]
    column = next((names.index(name) for name in _PATHS if name in names), -1)
    if column < 0:
        raise ValueError(f"its first line names no column '{_PATHS[0]}'")
    stated: dict[str, Stated] = {}
    for number, row in _numbered(rows):
        if len(row) != len(names):
            # A comma too many or too few moves every value behind it, the sensitivity as well.
            raise ValueError(f"row {number} has {len(row)} values for {len(names)} columns")
        path = str(PurePosixPath(row[column].strip().replace("\\", "/")))
        if wanted is not None and path not in wanted:
            continue
        said = stated_by(dict(zip(names, row, strict=True)))
        said = replace(said, faults=tuple(f"{MANIFEST}, row {number}: {fault}" for fault in said.faults))
        stated[path] = said.over(stated.get(path, NOTHING_STATED))
    return stated


def _numbered(rows: Iterable[list[str]]) -> Iterator[tuple[int, list[str]]]:
    return ((number, row) for number, row in enumerate(rows, start=2) if any(map(str.strip, row)))
