"""What clients send: query parameters and bodies, with their bounds."""

from __future__ import annotations

from collections import Counter
from typing import Literal

from fastapi import Request
from pydantic import BaseModel, ConfigDict, Field

from muniment import bounds
from muniment.http.problem import ProblemError, invalid
from muniment.store.reader import Filter
from tasks.effectiveness.evaluate import MAX_WINDOW_HOURS, WINDOW_HOURS


class _Sent(BaseModel):
    # A parameter with a slip in its name would filter nothing, and nobody would notice.
    model_config = ConfigDict(frozen=True, extra="forbid")


class Places(_Sent):
    """Where to look: an unknown value is an error that names the nearest right one."""

    kind: bounds.Kinds = []
    type: bounds.Types = []
    namespace: bounds.Namespaces = []
    source: bounds.Sources = []
    path: bounds.Paths = []

    def within(self, sections: tuple[str, ...] = ()) -> Filter:
        """The filter, without the patterns of paths."""
        return Filter(
            tuple(self.kind), tuple(self.type), sections, tuple(self.source), namespaces=tuple(self.namespace)
        )


class SearchQuery(Places):
    """Parameters of a search."""

    q: bounds.Words = Field(description="words, a name, or a whole question", examples=["how is a backup restored"])
    limit: int = Field(5, ge=1, le=100, description="most hits")
    mode: bounds.Mode = Field("hybrid", description="what to search by")
    section: bounds.Sections = []
    min_relevance: bounds.Relevance = 0.0
    as_of: bounds.Generation | None = None
    cursor: str = Field(
        "", max_length=4_000, description="`next_cursor` of the page before, with the same question and filters"
    )
    marks: bool = Field(False, description="also each text as HTML, with the question's words in <mark>")


class AskBody(_Sent):
    """A question."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"question": "how long does the UPS carry the server?", "max_docs": 8}]}
    )

    question: bounds.Words = Field(description="a whole question")
    max_docs: bounds.MaxDocs | None = None
    model: bounds.ModelName = ""
    namespace: bounds.Namespaces = []
    source: bounds.Sources = []
    path: bounds.Paths = []
    today: bounds.Today | None = None
    as_of: bounds.Generation | None = None


class ScanBody(_Sent):
    """How to scan. What is scanned stands in the settings, or in the index: never in a request."""

    model_config = ConfigDict(json_schema_extra={"examples": [{}, {"force": True}]})

    force: bool = Field(False, description="build all tables anew")
    allow_shrink: bool = Field(False, description="go on when more than half of a source's documents are gone")


class FeedbackBody(_Sent):
    """Which of the chunks that were found were used."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"assembly": "20260131-5f0c9a1b2c3d", "used": ["0123456789abcdef0123456789abcdef"]}]
        }
    )

    assembly: bounds.AssemblyId
    used: bounds.Used


class DocumentsQuery(Places):
    """Parameters of a list of documents."""

    limit: int = Field(100, ge=1, le=1_000, description="most documents of a page")
    cursor: str = Field("", max_length=4_000, description="`next_cursor` of the page before; it keeps the filters")


class WindowQuery(_Sent):
    """How far back the log is read."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"window_hours": 168}]})

    window_hours: int = Field(WINDOW_HOURS, ge=1, le=MAX_WINDOW_HOURS, description="how far back the log is read")


class EffectivenessQuery(WindowQuery):
    """Parameters of a look at what was used."""

    by: Literal["type", "kind", "section"] | None = Field(None, description="only this grouping; null: all three")


_SEVERAL = frozenset(Places.model_fields) | {"section"}


async def said_once(request: Request) -> None:
    """Raises a problem for a parameter that is there twice and has one value: the first would be dropped in silence."""
    counts = Counter(name for name, _ in request.query_params.multi_items())
    errors = [
        {"where": f"query.{name}", "said": f"there are {count} of it, and it takes one"}
        for name, count in counts.items()
        if count > 1 and name not in _SEVERAL
    ]
    if errors:
        raise ProblemError(invalid(errors))
