"""`manifest.csv` at the root of an archive: one row a document or folder, with what is stated of it."""

from __future__ import annotations

import csv
import posixpath
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath

from muniment.errors import SourceUnreadable
from schemas.files import Entry, Skipped, Source
from schemas.stated import NOTHING_STATED, WITHHELD, Stated
from tasks.decode import Decoded, decode
from tasks.enumerate.beneath import Beneath
from tasks.enumerate.folder import Folder
from tasks.enumerate.names import alike
from tasks.frontmatter import Value, joined
from tasks.stated import stated_by

MANIFEST = "manifest.csv"
MAX_MANIFEST = 16_000_000
_PATHS = ("path", "file", "filename")
_MARKS = ",;\t"


@dataclass(frozen=True, slots=True)
class Manifest:
    """What the rows state, by `alike` of the path that each one names."""

    rows: Mapping[str, Stated] = field(default_factory=dict)
    spelled: Mapping[str, str] = field(default_factory=dict)
    """The same paths as they stand there."""

    def stated(self, path: str) -> Stated:
        """What is stated of a document; of the folders that it lies in the sensitivity counts for it as well."""
        own = self.rows.get(alike(path), NOTHING_STATED)
        for folder in _above(path):
            said = self.rows.get(folder, NOTHING_STATED)
            own = own.over(Stated(sensitivity=said.sensitivity, faults=said.faults))
        return own

    def doubts(self, there: Iterable[str]) -> tuple[str, ...]:
        """Rows that withhold what is not there: their path may have been meant for something that is."""
        withheld = [path for path, said in self.rows.items() if said.sensitivity in WITHHELD]
        known = {one for path in there for one in (alike(path), *_above(path))} if withheld else set()
        return tuple(
            f"{MANIFEST}: it withholds '{self.spelled[path]}', and nothing there is called so"
            for path in withheld
            if path not in known
        )


def read_manifest(source: Source, wanted: Collection[str] | None = None) -> Manifest:
    """What the manifest states of the documents, or of the wanted ones; nothing without one.

    Raises SourceUnreadable when it can't be understood: guessing would show what it meant to withhold.
    """
    with Beneath(source.path) as files:
        names = [name for name in files.names(b"") if alike(name.decode(errors="replace")) == MANIFEST]
    folder = Folder(replace(source, max_bytes=MAX_MANIFEST))
    try:
        texts = [_text(read) for read in folder.read_files(Entry(MANIFEST, "", name) for name in names)]
        return parse_manifest(texts, wanted)
    except (ValueError, csv.Error) as error:
        raise SourceUnreadable(
            f"can't read {MANIFEST} in source '{source.name}': {error}", "mend it or remove it; nothing is indexed"
        ) from error


def parse_manifest(texts: Iterable[str], wanted: Collection[str] | None = None) -> Manifest:
    """What the rows of CSV texts state, or those of the wanted documents. Raises ValueError or csv.Error."""
    named = None if wanted is None else {one for path in wanted for one in (alike(path), *_above(path))}
    stated: dict[str, Stated] = {}
    spelled: dict[str, str] = {}
    for text in filter(None, texts):
        for path, said in _rows(text, named):
            key = alike(path)
            stated[key] = said.over(stated.get(key, NOTHING_STATED))
            spelled.setdefault(key, path)
    return Manifest(stated, spelled)


def _text(read: tuple[Entry, bytes] | Skipped) -> str:
    decoded = decode(read[1]) if isinstance(read, tuple) else read.reason
    if isinstance(decoded, Decoded):
        return decoded.text
    if decoded in ("empty", "missing"):
        return ""
    raise ValueError(decoded)


def _rows(text: str, wanted: Collection[str] | None) -> Iterator[tuple[str, Stated]]:
    """The path of each row, and what it states."""
    head = text.partition("\n")[0]
    mark = max(_MARKS, key=head.count)
    rows = csv.reader(text.split("\n"), delimiter=mark, strict=True)
    names = [name.strip().lower() for name in next(rows, [])]
    column = next((names.index(name) for name in _PATHS if name in names), -1)
    if column < 0:
        raise ValueError(f"its first line names no column '{_PATHS[0]}'")
    for number, row in _numbered(rows):
        if len(row) != len(names):
            # A comma too many or too few moves every value behind it, the sensitivity as well.
            raise ValueError(f"row {number} has {len(row)} values for {len(names)} columns")
        path = _path(row[column])
        if wanted is not None and alike(path) not in wanted:
            continue
        said = stated_by(_values(names, row))
        yield path, replace(said, faults=tuple(f"{MANIFEST}, row {number}: {fault}" for fault in said.faults))


def _values(names: list[str], row: list[str]) -> dict[str, Value]:
    """The cells by their columns; two columns of one name hold both."""
    values: dict[str, Value] = {}
    for name, cell in zip(names, row, strict=True):
        values[name] = joined(values[name], cell) if name in values else cell
    return values


def _path(cell: str) -> str:
    said = cell.strip().replace("\\", "/")
    return posixpath.normpath(said).lstrip("/") if said else ""


def _above(path: str) -> list[str]:
    """The folders that a path lies in, the archive itself as `.`."""
    return [alike(str(one)) for one in PurePosixPath(path).parents]


def _numbered(rows: Iterable[list[str]]) -> Iterator[tuple[int, list[str]]]:
    return ((number, row) for number, row in enumerate(rows, start=2) if any(map(str.strip, row)))
