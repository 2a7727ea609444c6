"""Questions of amounts: taken from the records of all documents, never from the best few passages."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from time import monotonic
from typing import TYPE_CHECKING, Any

from muniment.assembly import Gathered
from muniment.errors import ProviderError
from muniment.filters import checked_filter
from schemas.stated import NOTHING_STATED, Stated

if TYPE_CHECKING:
    from muniment.ask.bills import BillRead
    from muniment.ask.gather import Limits
    from muniment.models import Model
    from muniment.store.reader import Filter, Reader
    from schemas.records import DocumentRef, Extraction, TotalAnswer

_READ = ("chunk_id", "kind", "type", "section", "source", "path", "line_start", "line_end", "text")


@dataclass(frozen=True, slots=True)
class Totalled:
    """The answer to a question of amounts, and the chunks that its documents were read from."""

    answer: TotalAnswer
    gathered: tuple[Gathered, ...]
    """Of the documents that were counted, in the order of the answer."""
    confidence: float = 1.0
    """1 where rules read every document; else what the model said of the one it was least sure of."""
    model: str = "none"
    """What chose where the rules were not sure, if anything that was counted was chosen so."""
    host: str = ""
    """The address that served."""


def ask_total(
    reader: Reader, question: str, limits: Limits, today: date, model: Model | None = None
) -> Totalled | None:
    """The sum or count asked for; None where the question is not of amounts, or no document is a bill.

    Every document that the filter admits is read, by rules; where they leave a bill open that the question asks about,
    the model chooses. Relative dates mean what they mean on `today`.
    """
    from muniment.records.question import is_total_question
    from muniment.records.totals import extract_all, total_extracted

    asked = is_total_question(question)
    if asked is None:
        return None
    documents = _documents(reader, checked_filter(reader, limits.within, limits.paths))
    stated = _stated(reader, documents)
    extracted = extract_all(((*place, _text(chunks)) for place, chunks in documents.items()), stated)
    answer = total_extracted(asked, extracted, today)
    if all(one.outcome == "other" for one in answer.documents):
        return None
    reads = _read_unread(answer, extracted, stated, limits, model) if model else {}
    if reads:
        chosen = [
            (reads[known.document].extraction if known.document in reads else known, text) for known, text in extracted
        ]
        answer = total_extracted(asked, chosen, today)
    used = [one.document for one in answer.those("used")]
    rows = [row for one in used for row in documents[one.source, one.path]]
    gathered = (
        Gathered(row["chunk_id"], row["kind"], row["type"], row["section"], rank) for rank, row in enumerate(rows, 1)
    )
    counted = [reads[one] for one in used if one in reads]
    if not model or not counted:
        return Totalled(answer, tuple(gathered))
    return Totalled(answer, tuple(gathered), min(one.confidence for one in counted), model.label, counted[-1].host)


def _read_unread(
    answer: TotalAnswer,
    extracted: Sequence[tuple[Extraction, str]],
    stated: Mapping[DocumentRef, Stated],
    limits: Limits,
    model: Model,
) -> dict[DocumentRef, BillRead]:
    """What the model makes of bills that match the question and were left open, as far as the time goes."""
    from muniment.ask.bills import read_bill

    end = monotonic() + limits.timeout_s
    unread = {one.document for one in answer.those("unread")}
    reads = {}
    for known, text in extracted:
        left = end - monotonic()
        if known.document not in unread or left <= 0:
            continue
        beside = stated.get(known.document, NOTHING_STATED)
        try:
            read = read_bill(known, text, beside, model, timeout_s=left, max_tokens=limits.prompt_tokens)
        except ProviderError:
            # The answer says of each bill why the rules could not read it; another request would only wait again.
            break
        if read:
            reads[known.document] = read
    return reads


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
