"""What may be asked of an index at the doors that check it, HTTP and MCP: types with their bounds and their meaning."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Literal

from pydantic import Field

MANY = 50
"""Values of one filter."""
MOST_DOCS = 20
"""Excerpts of one answer."""

Kind = Literal["header", "readme", "manual", "template", "doc", "note", "record"]
Mode = Literal["hybrid", "lexical", "vector"]
Name = Annotated[str, Field(min_length=1, max_length=300)]
Names = Annotated[list[Name], Field(max_length=MANY)]

Words = Annotated[str, Field(min_length=1, max_length=5_000)]
ModelName = Annotated[
    str, Field(max_length=200, description="none, or NAME or NAME:MODEL as the settings allow; empty: that of them")
]
MaxDocs = Annotated[int, Field(ge=1, le=MOST_DOCS, description="most excerpts; null: ask.max_docs")]
Today = Annotated[date, Field(description="what 'last November' is counted from; null: the server's day")]
Generation = Annotated[int, Field(ge=1, lt=2**53, description="an earlier generation; status lists those kept")]
Relevance = Annotated[float, Field(ge=0, le=1, description="leave out passages that answer with less probability")]

Kinds = Annotated[list[Kind], Field(max_length=MANY, description="only these kinds of document")]
Types = Annotated[Names, Field(description="only these types of note, in any case")]
Namespaces = Annotated[Names, Field(description="only notes of these namespaces, missions for example, in any case")]
Sections = Annotated[Names, Field(description="only these sections, in any case")]
Sources = Annotated[Names, Field(description="only these sources; status names them")]
Paths = Annotated[Names, Field(description="only paths that match one of these gitignore patterns")]

AssemblyId = Annotated[
    str,
    Field(pattern=r"^[0-9]{8}-[0-9A-Za-z_-]{1,64}$", description="its id, as a search, an answer or a context says"),
]
ChunkId = Annotated[str, Field(pattern=r"^[0-9a-f]{32}$")]
Used = Annotated[list[ChunkId], Field(min_length=1, max_length=100, description="ids of chunks that it gathered")]
