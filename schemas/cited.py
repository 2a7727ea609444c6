"""What `ask` returns: an answer, and where each part of it stands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from schemas.claims import Dispute

NO_ANSWER: dict[str, str] = {
    "no_matching_content": "nothing that was found answers the question",
    "uncited": "the model's answer stands in no passage that it was given",
    "value_not_in_source": "the model's answer holds a value that its sources do not",
    "provider_unavailable": "no model host answered",
    "invalid_reply": "the model's reply was not what was asked for",
}
"""Why there is no answer but only the passages that were found."""


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A bounded piece of a chunk, as close around the match as it can be cut."""

    id: int
    """From 1, within one answer."""
    chunk_id: str
    source: str
    path: str
    line_start: int
    line_end: int
    kind: str
    type: str
    section: str
    title: str
    text: str
    """As it stands there; what addresses the reader's software, and invisible characters, are blank."""
    rank: int
    """Place of its chunk in the search, from 1."""
    relevance: float
    evidence: float
    """0..1; how likely it answers the question, as far as can be told without a model."""
    changed_since_index: bool | None = None
    """Whether the file is no longer the one that was indexed; None where nobody looked, or nobody could."""
    gone: bool = False
    """Whether the file is not there any more; a gone file has changed."""
    disputes: tuple[Dispute, ...] = ()
    """Claims that disagree with their truth, where either of the two lines is in this excerpt."""
    namespace: str | None = None
    """Of its document, as the next three: what a note belongs to, a mission for example."""
    doc_date: str | None = None
    """The document's own date, as 2026-01-31."""
    correspondent: str | None = None
    """Who wrote it, or whom it was written to."""
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer with its sources; or the reason why there is none, with the passages that were found."""

    question: str
    answer: str
    """Plain text; empty where there is a reason."""
    confidence: float
    """0..1; under 0.5 the answer is possibly related, and no more."""
    reason: str
    """A key of NO_ANSWER; empty where there is an answer."""
    detail: str
    """What exactly was wrong, for people."""
    citations: tuple[Excerpt, ...]
    """The excerpts that the answer is taken from, most important first."""
    excerpts: tuple[Excerpt, ...]
    """Everything the answer could have been taken from, best first."""
    model: str
    """Member and model, or `none` for an extractive answer."""
    host: str
    """Address that served; empty without a model."""
    prompt: str
    """Name of the prompt file; empty without a model."""
    generation: int
    pending: int
    """Chunks that could be found by their words only."""
    disputes: tuple[Dispute, ...] = ()
    """Those of the citations, each once: the answer stands on lines that disagree."""
    unchecked: Mapping[str, str] = field(default_factory=dict)
    """Source -> why its files could not be compared with what is indexed of them."""
    words_only: str = ""
    """Why the question was searched by its words alone although vectors were wanted; empty where it was not."""
