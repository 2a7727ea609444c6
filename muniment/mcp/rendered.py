"""What a tool sends: the record as structured content, and as compact JSON for clients that show only text."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, TypeVar

from mcp_types import CallToolResult, ContentBlock, TextContent
from pydantic_core import to_json, to_jsonable_python

from muniment.inert import inert
from schemas.replies import Answered, Assembled, Searched
from schemas.shown import DriftReply, ReadChunk

T = TypeVar("T")
_TEXTS = ("text", "type", "section", "title", "heading_path", "namespace", "correspondent", "tags")
"""What a document says of itself, or is said of it."""


def rendered(record: Any) -> CallToolResult:
    """The record with nothing unseen in any of its strings; its text content says the same."""
    told = _seen_all(to_jsonable_python(record))
    return CallToolResult(content=[_text(to_json(told).decode())], structured_content=told)


def rendered_context(assembled: Assembled) -> CallToolResult:
    """The context as text that can be used as it is, and apart from it where each part stands."""
    rest = _seen_all(to_jsonable_python(assembled))
    about = {name: value for name, value in rest.items() if name != "text"}
    content = [_text(rest["text"]), _text(to_json(about).decode())]
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


def shortened(found: DriftReply, source: str, limit: int) -> DriftReply:
    """The reply with so many of each list, of that source alone where one is named, and without the nights before."""
    claims = tuple(replace(one, disputes=one.disputes[:limit]) for one in found.claims if source in ("", one.source))
    night = found.night and replace(
        found.night,
        drift=tuple(
            replace(one, open=one.open[:limit], fixed=one.fixed[:limit], nights=())
            for one in found.night.drift
            if source in ("", one.source)
        ),
    )
    return replace(found, claims=claims, night=night)


def _seen(found: tuple[T, ...]) -> tuple[T, ...]:
    return tuple(_inert(one) for one in found)


def _inert(found: Any) -> Any:
    said = {name: value for name in _TEXTS if (value := getattr(found, name, None))}
    return replace(
        found,
        **{name: inert(text) if isinstance(text, str) else tuple(map(inert, text)) for name, text in said.items()},
    )


def _seen_all(value: Any) -> Any:
    # Paths too: a name of a file can spell words that only a model reads.
    if isinstance(value, str):
        return inert(value)
    if isinstance(value, dict):
        return {inert(name): _seen_all(held) for name, held in value.items()}
    return [_seen_all(held) for held in value] if isinstance(value, list) else value


def _text(text: str) -> ContentBlock:
    return TextContent(type="text", text=text)
