"""Questions of amounts: taken from the records of all documents, never from the best few passages."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Any

from muniment.assembly import Gathered
from muniment.filters import checked_filter
from schemas.stated import Stated

if TYPE_CHECKING:
    from muniment.store.reader import Filter, Reader
    from schemas.records import DocumentRef, TotalAnswer

_READ = ("chunk_id", "kind", "type", "section", "source", "path", "line_start", "line_end", "text")


@dataclass(frozen=True, slots=True)
class Totalled:
    """The answer to a question of amounts, and the chunks that its documents were read from."""

    answer: TotalAnswer
    gathered: tuple[Gathered, ...]
    """Of the documents that were counted, in the order of the answer."""


def ask_total(reader: Reader, question: str, within: Filter, paths: Sequence[str], today: date) -> Totalled | None:
    """The sum or count asked for; None where the question is not of amounts, or no document is a bill.

    Every document that the filter admits is read. Relative dates mean what they mean on `today`.
    """
    from muniment.records.question import is_total_question
    from muniment.records.totals import answer_total

    asked = is_total_question(question)
    if asked is None:
        return None
    documents = _documents(reader, checked_filter(reader, within, paths))
    texts = [(*place, _text(chunks)) for place, chunks in documents.items()]
    answer = answer_total(asked, texts, today, _stated(reader, documents))
    if all(one.outcome == "other" for one in answer.documents):
        return None
    used = [(one.document.source, one.document.path) for one in answer.those("used")]
    rows = [row for place in used for row in documents[place]]
    gathered = (
        Gathered(row["chunk_id"], row["kind"], row["type"], row["section"], rank) for rank, row in enumerate(rows, 1)
    )
    return Totalled(answer, tuple(gathered))


def _documents(reader: Reader, within: Filter) -> dict[tuple[str, str], list[dict[str, Any]]]:
    documents: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for row in reader.chunks(_READ, within).sort_by([("path", "ascending"), ("line_start", "ascending")]).to_pylist():
        documents.setdefault((row["source"], row["path"]), []).append(row)
    return documents


def _stated(reader: Reader, documents: Collection[tuple[str, str]]) -> dict[DocumentRef, Stated]:
    """What is stated beside the texts of these documents, where anything is."""
    from schemas.records import DocumentRef

    rows = reader.rows("documents", ["source", "path", "doc_date", "correspondent", "tags"]).to_pylist()
    return {
        DocumentRef(row["source"], row["path"]): Stated(
            doc_date=row["doc_date"].date() if row["doc_date"] else None,
            correspondent=row["correspondent"] or "",
            tags=tuple((row["tags"] or "").split(", ")),
        )
        for row in rows
        if (row["doc_date"] or row["correspondent"] or row["tags"]) and (row["source"], row["path"]) in documents
    }


def _text(chunks: Sequence[dict[str, Any]]) -> str:
    """The document as far as it is indexed, each chunk's lines where they stood."""
    lines: list[str] = []
    for chunk in chunks:
        lines += [""] * (chunk["line_start"] - 1 - len(lines))
        lines += chunk["text"].split("\n")
    return "\n".join(lines)
