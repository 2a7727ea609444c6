"""Which files one version of a table is read from, by the table's own manifest.

LanceDB tells versions and row counts, but no file names without a second copy of its engine (`pylance`, 217 MB). A
manifest is a protobuf message (Lance's `table.proto`), of which a handful of fields are read here.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from muniment.errors import ForeignIndex
from muniment.generation import MEND

VERSIONS = "_versions"
_FOOTER = struct.Struct("<QHH4s")
"""Place of the manifest message, two format numbers, a mark."""
_MARK = b"LANC"
_LAST = 2**64 - 1
"""Manifests are named so that the newest sorts first."""
# Manifest: fragments, index section, transaction file.  DataFragment: files, deletion file.  DataFile: path.
_FRAGMENTS, _INDEX_SECTION, _TRANSACTION = 2, 6, 12
_DATA_FILES, _DELETION_FILE, _PATH = 2, 3, 1
_DELETION_KIND, _DELETION_READ, _DELETION_ID = 1, 2, 3
_DELETION_SUFFIX = {0: "arrow", 1: "bin"}
# IndexSection: indices.  IndexMetadata: uuid.  UUID: its bytes.
_INDICES, _UUID, _BYTES = 1, 1, 1


class VersionFiles(NamedTuple):
    """What one version of a table is read from; paths are relative to the table's folder."""

    manifest: str
    files: tuple[str, ...]
    """Rows and marks of deleted rows."""
    folders: tuple[str, ...]
    """Search indexes, each in a folder whose files are all its own."""
    transaction: str
    """What a writer reads to see whether another came first; readers never do."""


def manifest_name(version: int) -> str:
    """The manifest of a version, relative to the table's folder."""
    return f"{VERSIONS}/{_LAST - version}.manifest"


def version_of(manifest: str) -> int:
    """The version that a manifest of this name describes."""
    return _LAST - int(Path(manifest).stem)


def version_files(table: Path, version: int) -> VersionFiles:
    """What a version of the table in this folder is read from. Raises ForeignIndex when it is lost or torn."""
    name = manifest_name(version)
    try:
        return _parse(name, (table / name).read_bytes())
    except FileNotFoundError as error:
        raise ForeignIndex(f"'{table.name}' has lost version {version}", MEND) from error
    except (ValueError, struct.error, IndexError, UnicodeDecodeError) as error:
        raise ForeignIndex(f"'{table.name}/{name}' is torn", MEND) from error


def _parse(name: str, raw: bytes) -> VersionFiles:
    place, _, _, mark = _FOOTER.unpack(raw[-_FOOTER.size :])
    if mark != _MARK:
        raise ValueError(mark)
    files: list[str] = []
    folders: list[str] = []
    transaction = ""
    for number, value in _message(_framed(raw, place)):
        if number == _FRAGMENTS:
            files += _fragment_files(_raw(value))
        elif number == _INDEX_SECTION:
            folders = [f"_indices/{uuid}" for uuid in _index_ids(_framed(raw, _whole(value)))]
        elif number == _TRANSACTION:
            transaction = f"_transactions/{_raw(value).decode()}"
    return VersionFiles(name, tuple(files), tuple(folders), transaction)


def _fragment_files(fragment: bytes) -> Iterator[str]:
    fields = list(_message(fragment))
    of = next((_whole(value) for number, value in fields if number == 1), 0)
    for number, value in fields:
        if number == _DATA_FILES:
            yield from (f"data/{_raw(path).decode()}" for key, path in _message(_raw(value)) if key == _PATH)
        elif number == _DELETION_FILE:
            found = dict(_message(_raw(value)))
            kind, read, own = (_whole(found.get(key, 0)) for key in (_DELETION_KIND, _DELETION_READ, _DELETION_ID))
            yield f"_deletions/{of}-{read}-{own}.{_DELETION_SUFFIX[kind]}"


def _index_ids(section: bytes) -> Iterator[str]:
    from uuid import UUID

    for number, index in _message(section):
        if number == _INDICES:
            uuid = next(value for key, value in _message(_raw(index)) if key == _UUID)
            yield str(UUID(bytes=_raw(dict(_message(_raw(uuid)))[_BYTES])))


def _framed(raw: bytes, place: int) -> bytes:
    (length,) = struct.unpack_from("<I", raw, place)
    if place + 4 + length > len(raw):
        raise ValueError(length)
    return raw[place + 4 : place + 4 + length]


def _message(raw: bytes) -> Iterator[tuple[int, int | bytes]]:
    """The fields of a protobuf message in order, numbers as they are and everything else as bytes."""
    at = 0
    while at < len(raw):
        key, at = _varint(raw, at)
        kind = key & 7
        if kind == 0:
            value, at = _varint(raw, at)
            yield key >> 3, value
            continue
        length, at = (8, at) if kind == 1 else (4, at) if kind == 5 else _varint(raw, at)
        if kind not in (1, 2, 5) or at + length > len(raw):
            raise ValueError(kind)
        yield key >> 3, raw[at : at + length]
        at += length


def _varint(raw: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = raw[at]
        value |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if not byte & 0x80:
            return value, at
        if shift > 63:
            raise ValueError(shift)


def _raw(value: int | bytes) -> bytes:
    if isinstance(value, int):
        raise ValueError(value)
    return value


def _whole(value: int | bytes) -> int:
    if isinstance(value, bytes):
        raise ValueError(value)
    return value
