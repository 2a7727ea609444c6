"""Full text against rows: every chunk is in the search index, and some are asked for by their own words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from muniment.store.audit import coverage
from muniment.store.faults import readable
from muniment.store.reader import Filter, Reader
from muniment.store.tables import FolderTables
from muniment.verify.found import Finding, Verified
from muniment.verify.rows import Held
from schemas.generations import Generation

ASKED = 20
# A whole word, of more letters than any that full-text search leaves out.
_WORD = re.compile(r"(?<![^\W_])[A-Za-z]{6,39}(?![^\W_])")


def check_words(index: Path, generation: Generation, held: Held, found: Verified) -> None:
    """Holds what the search indexes say against the rows, then asks for some chunks. Raises ForeignIndex."""
    table = generation.tables["chunks"]
    reach = {one.column: one for one in coverage(index, table)}
    for column, one in reach.items():
        if one.unindexed or (column == "terms" and one.indexed != held.chunks):
            said = f"the search index of {column} holds {one.indexed} of {held.chunks} chunks"
            found.findings.append(Finding("words", table.name, said, remedy="search index"))
    if held.chunks and "terms" not in reach:
        found.findings.append(Finding("words", table.name, "has no full-text index", remedy="search index"))
        return
    asked, lost = 0, []
    with readable(f"table {table.name}"):
        reader = Reader(FolderTables(index, generation), generation, admit_sensitive=True)
        for chunk_id, doc_id, terms in _sample(reader, held):
            word = max(_WORD.findall(terms), key=len, default="")
            if word:
                asked += 1
                match = reader.match(word, Filter(doc_ids=(doc_id,)), len(held.cuts[doc_id]), ["chunk_id"])
                lost += [] if chunk_id in match["chunk_id"].to_pylist() else [chunk_id]
    found.looked["asked"] = asked
    if lost:
        said = "full-text search does not find a chunk by a word of it"
        found.findings.append(Finding("words", table.name, said, len(lost), tuple(lost), "search index"))


def _sample(reader: Reader, held: Held) -> Sequence[tuple[str, str, str]]:
    """Some chunks from all over the table: id, document's id, what full-text search reads of it."""
    ids = sorted(held.chunk_ids)
    rows = reader.chunks_by_id(ids[:: max(1, len(ids) // ASKED)][:ASKED], ["chunk_id", "doc_id", "terms"]).to_pylist()
    return [(row["chunk_id"], row["doc_id"], row["terms"]) for row in rows]
