"""A total as an answer with citations: the lines that each amount was read from."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from muniment.ask.bills import PROMPT as RECORD_PROMPT
from muniment.ask.guard import disarmed
from muniment.store.reader import Filter, Reader
from schemas.cited import Answer, Excerpt
from tasks.identify import doc_id

if TYPE_CHECKING:
    from muniment.ask.amounts import Totalled
    from schemas.records import DocumentOutcome, Evidence

CITED = 20
"""Documents whose lines are cited; the total itself names every one."""
_READ = ("chunk_id", "doc_id", "kind", "type", "section", "title", "line_start", "line_end")


def answer_from(reader: Reader, question: str, total: Totalled) -> Answer:
    """The total in the shape of every other answer; where rules read every document there is nothing to doubt."""
    citations = tuple(_excerpts(reader, total.answer.those("used")[:CITED]))
    return Answer(
        question=question,
        answer=total.answer.text,
        confidence=total.confidence,
        reason="",
        detail="",
        citations=citations,
        excerpts=citations,
        model=total.model,
        host=total.host,
        prompt=RECORD_PROMPT if total.host else "",
        generation=reader.generation.number,
        pending=reader.generation.pending,
    )


def _excerpts(reader: Reader, used: tuple[DocumentOutcome, ...]) -> Iterator[Excerpt]:
    ids = {doc_id(one.document.source, one.document.path): one for one in used}
    chunks: dict[str, list[dict[str, Any]]] = {}
    for row in reader.chunks(_READ, Filter(doc_ids=tuple(ids))).to_pylist():
        chunks.setdefault(row["doc_id"], []).append(row)
    rank = 0
    for document, outcome in ids.items():
        for evidence in _amounts(outcome):
            for row in chunks.get(document, ()):
                if row["line_start"] <= evidence.line <= row["line_end"]:
                    rank += 1
                    yield _excerpt(rank, outcome, evidence, row)
                    break


def _amounts(outcome: DocumentOutcome) -> tuple[Evidence, ...]:
    """The lines of its amounts, each once."""
    lines = {one.line: one for record in outcome.records for one in record.evidence if one.field == "amount"}
    return tuple(lines.values())


def _excerpt(rank: int, outcome: DocumentOutcome, evidence: Evidence, row: dict[str, Any]) -> Excerpt:
    return Excerpt(
        id=rank,
        chunk_id=row["chunk_id"],
        source=outcome.document.source,
        path=outcome.document.path,
        line_start=evidence.line,
        line_end=evidence.line,
        kind=row["kind"],
        type=row["type"],
        section=row["section"],
        title=row["title"],
        text=disarmed(evidence.text),
        rank=rank,
        relevance=1.0,
        evidence=1.0,
    )
