"""What replies look like, for the description of the API: real records, so that they have every field there is."""

from __future__ import annotations

from typing import Any

from pydantic import TypeAdapter

from muniment.http.marks import marked
from muniment.http.replies import AskReply, MarkedExcerpt, MarkedHit, SearchReply

_QUESTION = "how long does the UPS carry the server?"
_TEXT = "It carries the server, the switch and the router for about twenty minutes."
_CHUNK = "ebee0dd3cea9cb13234d071d2ccc6bc5"
_ASSEMBLY = "20260131-5f0c9a1b2c3d"
_PLACE: dict[str, Any] = {
    "chunk_id": _CHUNK,
    "source": "ops",
    "path": "docs/hardware.rst",
    "line_start": 31,
    "line_end": 32,
    "kind": "doc",
    "type": "doc",
    "section": "The UPS",
    "title": "The UPS",
    "text": _TEXT,
    "relevance": 0.83,
    "changed_since_index": False,
    "marked": marked(_TEXT, _QUESTION),
}
_HIT = MarkedHit(**_PLACE, heading_path="Hardware > The UPS", lexical_rank=1, vector_rank=1, boosts={"coverage": 0.15})
_EXCERPT = MarkedExcerpt(**_PLACE, id=1, rank=1, evidence=0.79)
SEARCH = SearchReply(
    query=_QUESTION,
    mode="hybrid",
    generation=7,
    chunks=441,
    pending=0,
    hits=(_HIT,),
    assembly=_ASSEMBLY,
    elapsed_ms=8.1,
    next_cursor="",
)
ASK = AskReply(
    question=_QUESTION,
    answer=f"{_TEXT} [1]",
    confidence=0.79,
    reason="",
    detail="",
    citations=(_EXCERPT,),
    disagreements=(),
    excerpts=(_EXCERPT,),
    model="none",
    host="",
    prompt="",
    generation=7,
    pending=0,
    assembly=_ASSEMBLY,
    elapsed_ms=21.4,
)


def example(kind: type[Any], reply: Any) -> dict[int | str, dict[str, Any]]:
    """The `responses` of a route that replies like this."""
    return {200: {"content": {"application/json": {"example": TypeAdapter(kind).dump_python(reply, mode="json")}}}}
