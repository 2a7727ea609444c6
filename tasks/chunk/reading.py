"""From the bytes of a changed file to the document that is chunked: its text, and what is stated of it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import replace

from schemas.chunks import Document
from schemas.extracted import Extracted, NoText
from schemas.files import Entry, Label, Skipped
from schemas.stated import Stated
from tasks.changes import NOTHING_HELD, Changes, Known
from tasks.decode import Decoded, decode
from tasks.extract import format_of
from tasks.extract.confined import Confined
from tasks.stated import stated_in, stated_in_note

NOTE = "note"
RECORD = "record"


def read_documents(changes: Changes, known: Known) -> Iterator[Document | Skipped | str]:
    """Each changed file as a document, or why it is skipped, or its path where its bytes are the ones indexed."""
    labels = {entry.path: label for entry, label in changes.changed}
    with Confined() as confined:
        for read in changes.listed.files.read_files(entry for entry, _ in changes.changed):
            if isinstance(read, Skipped):
                yield read
                continue
            entry, raw = read
            label = labels[entry.path]
            held = known.documents.get(entry.path, NOTHING_HELD)
            if held.holds(entry.content_id, label, changes.listed.source):
                yield entry.path
            elif isinstance(found := _text(entry, label, raw, confined), NoText):
                yield Skipped(entry.path, found.reason, found.detail, entry.content_id, entry.stated.sensitivity)
            else:
                yield _document(changes.listed.source.name, entry, label, raw, found)


def _text(entry: Entry, label: Label, raw: bytes, confined: Confined) -> Extracted | NoText:
    """The text, with all that front matter, what stands beside the file, and its format state, in this order."""
    if label.kind not in (NOTE, RECORD):
        return _plain(raw)
    if label.kind == NOTE:
        found = _plain(raw)
        return found if isinstance(found, NoText) else replace(found, stated=_placed(entry, stated_in_note(found.text)))
    found = confined.extract(form, raw) if (form := format_of(entry.path)) else _plain(raw)
    if isinstance(found, NoText):
        return found
    own = stated_in(found.text) if not form else found.stated
    own = _placed(entry, own)
    return replace(found, stated=entry.stated.over(own) if form else own.over(entry.stated))


def _placed(entry: Entry, own: Stated) -> Stated:
    return replace(own, faults=tuple(f"{entry.path}: {fault}" for fault in own.faults))


def _plain(raw: bytes) -> Extracted | NoText:
    decoded = decode(raw)
    return Extracted(decoded.text, decoded.encoding) if isinstance(decoded, Decoded) else NoText(decoded)


def _document(source: str, entry: Entry, label: Label, raw: bytes, found: Extracted) -> Document:
    return Document(
        source=source,
        path=entry.path,
        kind=label.kind,
        type=label.type,
        namespace=label.namespace,
        text=found.text,
        encoding=found.encoding,
        content_id=entry.content_id,
        sha256=hashlib.sha256(raw).hexdigest(),
        size=len(raw),
        mtime_ns=entry.mtime_ns,
        stated=found.stated,
    )
