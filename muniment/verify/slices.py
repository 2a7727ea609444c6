"""Chunks against their files, as these were when they were indexed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from muniment.errors import SourceUnreadable
from muniment.verify.found import Faults, Verified, place_of
from muniment.verify.rows import Cut, Held, filed_under
from schemas.chunks import Document, Piece
from schemas.files import Entry, Label, Listing, Skipped, Source
from schemas.generations import Generation, SourceState
from schemas.versions import CHUNKER
from tasks.changes import Changes, Known
from tasks.chunk import documentation_lines, slice_text, split
from tasks.chunk.reading import read_documents
from tasks.enumerate import reader
from tasks.enumerate.listing import Listed
from tasks.identify import text_hash
from tasks.narrow import Narrowing
from tasks.secrets.withhold import withheld_lines


def compare_slices(generation: Generation, held: Held, found: Verified) -> None:
    """Holds every chunk against the lines of its file; a file that is another by now can't be compared."""
    if generation.chunker.partition("/")[0] != CHUNKER:
        found.unchecked["slices"] = f"they were cut by {generation.chunker}, this muniment has {CHUNKER}"
        return
    faults = Faults("rows", generation.tables["chunks"].name, found.extent)
    compared = 0
    for name, state in generation.sources.items():
        rows = {row["path"]: row for row in held.documents.values() if row["source"] == name}
        same = 0
        try:
            for document in _documents(state, rows):
                row = rows[document.path]
                if document.content_id == row["content_id"]:
                    same += 1
                    _compare(document, row, held.cuts.get(row["doc_id"], []), faults)
        except SourceUnreadable as error:
            found.unchecked[name] = error.message
        else:
            if same < len(rows):
                found.unchecked[name] = f"{len(rows) - same} of {len(rows)} documents are not as they were indexed"
        compared += same
    found.findings += faults.findings()
    found.looked["compared"] = compared


def _documents(state: SourceState, rows: Mapping[str, Mapping[str, Any]]) -> Iterator[Document]:
    """The source's documents as they are now, or of a commit as they were. Raises SourceUnreadable."""
    if not rows:
        return
    largest = max(row["size"] for row in rows.values())
    source = Source(state.name, state.path, state.kind, state.worktree, max_bytes=largest)
    files = reader(source)
    if state.kind == "git" and not state.worktree:
        entries = tuple(Entry(path, row["content_id"]) for path, row in sorted(rows.items()))
    else:
        entries = tuple(entry for entry in files.list_files().entries if entry.path in rows)
    listed = Listed(source, files, Listing(entries), Narrowing(), 0)
    changed = tuple((entry, _label(rows[entry.path])) for entry in entries)
    everything = Changes(listed, changed, (), (), (), (), (), frozenset())
    for one in read_documents(everything, Known()):
        if not isinstance(one, (Skipped, str)):
            yield one


def _label(row: Mapping[str, Any]) -> Label:
    return Label(row["kind"], row["type"], row["namespace"] or "")


def _compare(document: Document, row: Mapping[str, Any], cuts: list[Cut], faults: Faults) -> None:
    def fault(said: str, line: int = 0) -> None:
        faults.add(said, place_of(row["source"], row["path"], row["sensitivity"], line), row)

    if document.sha256 != row["sha256"]:
        fault("its SHA-256 is not that of the file")
    pieces = split(document)
    taken: list[int] = []
    for cut in cuts:
        if text_hash(slice_text(document, cut.line_start, cut.line_end)) != cut.text_hash:
            fault("its text is not what stands on its lines", cut.line_start)
        if not any(_is_part(cut, piece) for piece in pieces):
            fault("it is filed under another heading than its lines", cut.line_start)
        taken += range(cut.line_start, cut.line_end + 1)
    if len(taken) != len(set(taken)):
        fault("a line of it is in two chunks")
    if missing := set(documentation_lines(document)) - set(taken) - withheld_lines(row["secrets"]):
        fault("a line of it is in no chunk", min(missing))


def _is_part(cut: Cut, piece: Piece) -> bool:
    inside = piece.line_start <= cut.line_start and cut.line_end <= piece.line_end
    return inside and cut.filed == filed_under(piece.section, piece.title, " > ".join(piece.heading_path))
