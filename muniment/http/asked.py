"""What clients send: query parameters and bodies, with their bounds."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from muniment.store.reader import Filter
from tasks.effectiveness.evaluate import MAX_WINDOW_HOURS, WINDOW_HOURS

Kind = Literal["header", "readme", "manual", "template", "doc", "note", "record"]
Name = Annotated[str, Field(min_length=1, max_length=300)]
Question = Annotated[str, Field(min_length=1, max_length=5_000)]
Generation = Annotated[int, Field(ge=1, lt=2**53)]
AssemblyId = Annotated[str, Field(pattern=r"^[0-9]{8}-[0-9A-Za-z_-]{1,64}$")]
ChunkId = Annotated[str, Field(pattern=r"^[0-9a-f]{32}$")]

_MANY = 50
"""Values of one filter."""


class _Sent(BaseModel):
    # A parameter with a slip in its name would filter nothing, and nobody would notice.
    model_config = ConfigDict(frozen=True, extra="forbid")


class Places(_Sent):
    """Where to look: an unknown value is an error that names the nearest right one."""

    kind: list[Kind] = Field([], max_length=_MANY, description="only these kinds of document")
    type: list[Name] = Field([], max_length=_MANY, description="only these types of note, in any case")
    source: list[Name] = Field([], max_length=_MANY, description="only these sources")
    path: list[Name] = Field([], max_length=_MANY, description="only paths that match one of these gitignore patterns")

    def within(self, sections: tuple[str, ...] = ()) -> Filter:
        """The filter, without the patterns of paths."""
        return Filter(tuple(self.kind), tuple(self.type), sections, tuple(self.source))


class SearchQuery(Places):
    """Parameters of a search."""

    q: Question = Field(description="words, a name, or a whole question", examples=["how is a backup restored"])
    limit: int = Field(5, ge=1, le=100, description="most hits")
    mode: Literal["hybrid", "lexical", "vector"] = Field("hybrid", description="what to search by")
    section: list[Name] = Field([], max_length=_MANY, description="only these sections, in any case")
    min_relevance: float = Field(0.0, ge=0, le=1, description="leave out hits that answer with less probability")
    as_of: Generation | None = Field(None, description="an earlier generation; /api/index/status lists those kept")
    marks: bool = Field(False, description="also each text as HTML, with the question's words in <mark>")


class AskBody(_Sent):
    """A question."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"question": "how long does the UPS carry the server?", "max_docs": 8}]}
    )

    question: Question = Field(description="a whole question")
    max_docs: int | None = Field(None, ge=1, le=20, description="most excerpts; null: ask.max_docs")
    model: str = Field(
        "", max_length=200, description="none, or NAME or NAME:MODEL as the settings allow; empty: that of the settings"
    )
    source: list[Name] = Field([], max_length=_MANY, description="only these sources")
    path: list[Name] = Field([], max_length=_MANY, description="only paths that match one of these gitignore patterns")
    today: date | None = Field(None, description="what 'last November' is counted from; null: the server's day")
    as_of: Generation | None = Field(None, description="an earlier generation")


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

    assembly: AssemblyId = Field(description="its id, as a search or an answer says it")
    used: list[ChunkId] = Field(min_length=1, max_length=100, description="ids of chunks that it gathered")


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
