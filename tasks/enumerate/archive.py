"""An archive: a folder of personal documents, and what sidecars and a manifest state of each."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import PurePosixPath

from schemas.files import Entry, Listing, Skipped, Source
from schemas.stated import NOTHING_STATED, Stated
from tasks.decode import Decoded, decode
from tasks.enumerate.beneath import Beneath
from tasks.enumerate.folder import Folder
from tasks.enumerate.manifest import read_manifest
from tasks.enumerate.names import alike, spellings
from tasks.enumerate.stats import NOTHING_SEEN, Seen, Stat
from tasks.stated import stated_in_sidecar

SIDECARS = (".yaml", ".yml", ".json")
"""`bill.pdf.yaml` states what `bill.pdf` is, and so does `bill.yaml`; the first that is there counts.

But of the sensitivity, of which the strictest of all of them does.
"""
MAX_SIDECAR = 65_536


class Archive:
    """Reads the files of an archive as they lie there, each with what its sidecar and the manifest state of it.

    That is part of the content id, so that a document counts as changed when only its sidecar did.
    """

    def __init__(self, source: Source, seen: Seen = NOTHING_SEEN) -> None:
        self._source = source
        self._folder = Folder(source, seen)

    @property
    def stats(self) -> dict[str, Stat]:
        """What to hand to the next run."""
        return self._folder.stats

    def list_files(self) -> Listing:
        """The files, by path. Raises SourceUnreadable, also for a manifest that can't be read."""
        listing = self._folder.list_files()
        there = [*(entry.path for entry in listing.entries), *(one.path for one in listing.skipped)]
        beside = _Beside(self._source, there)
        return replace(
            listing,
            entries=tuple(_with(entry, beside.stated(entry.path)) for entry in listing.entries),
            skipped=tuple(replace(one, sensitivity=beside.sensitivity(one.path)) for one in listing.skipped),
            doubts=beside.manifest.doubts(there),
        )

    def read_files(self, entries: Iterable[Entry]) -> Iterator[tuple[Entry, bytes] | Skipped]:
        """Each entry with its bytes, or why not."""
        wanted = list(entries)
        for entry, read in zip(wanted, self._folder.read_files(wanted), strict=True):
            if isinstance(read, Skipped):
                yield read
            else:
                found, raw = read
                yield replace(found, content_id=_signed(found.content_id, entry.stated)), raw

    def present_ids(self, paths: Collection[str]) -> Mapping[str, str]:
        """The content id that each of these files, with what is stated of it, has now."""
        beside = _Beside(self._source, _neighbours(self._source, paths), wanted=paths)
        present = self._folder.present_ids(paths)
        return {path: found and _signed(found, beside.stated(path)) for path, found in present.items()}


class _Beside:
    """What stands beside documents about them, or about the wanted ones; `there` are the names in their folders."""

    def __init__(self, source: Source, there: Iterable[str], wanted: Collection[str] | None = None) -> None:
        self._folder = Folder(replace(source, max_bytes=MAX_SIDECAR))
        self.manifest = read_manifest(source, wanted)
        self._sidecars: defaultdict[str, list[str]] = defaultdict(list)
        for path in sorted(there, reverse=True):  # of twins, the one in small letters before the one in capitals
            if (name := alike(path)).endswith(SIDECARS):
                self._sidecars[name].append(path)

    def stated(self, path: str) -> Stated:
        """What the document's sidecar, and else the manifest, states."""
        first, *others = [*map(self._read, self._of(path)), NOTHING_STATED]
        for other in others:
            first = first.over(Stated(sensitivity=other.sensitivity, faults=other.faults))
        return first.over(self.manifest.stated(path))

    def sensitivity(self, path: str) -> str:
        """How sensitive a file is that is not read; the name of a sidecar is that of its document."""
        return "restricted" if alike(path).endswith(SIDECARS) else self.stated(path).sensitivity

    def _of(self, path: str) -> list[str]:
        """The sidecars of a document, the first before the others; a sidecar has none."""
        whole = alike(path)
        if whole.endswith(SIDECARS):
            return []
        bases = dict.fromkeys((whole, alike(str(PurePosixPath(path).with_suffix("")))))
        return [one for base in bases for suffix in SIDECARS for one in self._sidecars.get(base + suffix, ())]

    def _read(self, path: str) -> Stated:
        """What a sidecar states."""
        tries = list(self._folder.read_files(Entry(path, "", raw) for raw in spellings(path)))
        there = (one for one in tries if isinstance(one, tuple) or one.reason != "missing")
        # A name that nothing is opened by has no spelling.
        read = next(there, Skipped(path, "missing" if tries else "unsafe path"))
        decoded = decode(read[1]) if isinstance(read, tuple) else read.reason
        if isinstance(decoded, Decoded):
            said = stated_in_sidecar(decoded.text)
        elif decoded in ("empty", "missing"):
            said = NOTHING_STATED
        else:
            # It may have said that nobody is to see the document.
            said = Stated(sensitivity="restricted", faults=(f"it can't be read: {decoded}",))
        return replace(said, faults=tuple(f"{path}: {fault}" for fault in said.faults))


def _neighbours(source: Source, paths: Collection[str]) -> Iterator[str]:
    """What lies in the folders of these documents, themselves included."""
    folders = sorted({path.rpartition("/")[0] for path in paths})
    with Beneath(source.path) as files:
        for folder in folders:
            for raw in spellings(folder) if folder else (b"",):
                for name in files.names(raw):
                    yield f"{folder}/{name.decode(errors='backslashreplace')}".lstrip("/")


def _with(entry: Entry, stated: Stated) -> Entry:
    # An entry that is known by its stat has the id of its bytes alone.
    return replace(entry, stated=stated, content_id=entry.content_id and _signed(entry.content_id, stated))


def _signed(blob: str, stated: Stated) -> str:
    """The content id: that of the bytes, and of what is stated beside them where anything is."""
    if stated == NOTHING_STATED:
        return blob
    return f"{blob}+{hashlib.sha256(repr(stated).encode('utf-8', 'replace')).hexdigest()[:16]}"
