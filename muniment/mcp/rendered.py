"""What a tool sends: the record as structured content, and as compact JSON for clients that show only text."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, TypeVar

from mcp_types import CallToolResult, ContentBlock, TextContent
from pydantic_core import to_json, to_jsonable_python

from muniment.inert import inert
from schemas.replies import Answered, Assembled, Searched
from schemas.shown import ReadChunk

T = TypeVar("T")
_TEXTS = ("text", "section", "title", "heading_path")


def rendered(record: Any) -> CallToolResult:
    """The record; its text content says the same."""
    return CallToolResult(content=[_text(to_json(record).decode())], structured_content=to_jsonable_python(record))


def rendered_context(assembled: Assembled) -> CallToolResult:
    """The context as text that can be used as it is, and apart from it where each part stands."""
    rest = to_jsonable_python(assembled)
    about = {name: value for name, value in rest.items() if name != "text"}
    content = [_text(assembled.text), _text(to_json(about).decode())]
    return CallToolResult(content=content, structured_content=rest)


def seen_hits(searched: Searched) -> Searched:
    """The search with nothing unseen in its texts: what an agent reads is what a person would see."""
    return replace(searched, hits=_seen(searched.hits))


def seen_excerpts(answered: Answered) -> Answered:
    """The answer with nothing unseen in the titles of its excerpts; their texts are disarmed already."""
    return replace(answered, citations=_seen(answered.citations), excerpts=_seen(answered.excerpts))


def seen_chunk(chunk: ReadChunk) -> ReadChunk:
    """The chunk and its neighbours with nothing unseen in their texts."""
    (own,) = _seen((chunk,))
    return replace(own, before=_seen(chunk.before), after=_seen(chunk.after))


def _seen(found: tuple[T, ...]) -> tuple[T, ...]:
    return tuple(_inert(one) for one in found)


def _inert(found: Any) -> Any:
    return replace(found, **{name: inert(getattr(found, name)) for name in _TEXTS if hasattr(found, name)})


def _text(text: str) -> ContentBlock:
    return TextContent(type="text", text=text)
