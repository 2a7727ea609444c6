"""A context for a question: the passages that a search found, as one text within a budget of tokens.

It is made to be read by a model, so what in it addresses one is blanked, as in the excerpts of an answer.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import accumulate

from muniment.ask.guard import disarmed
from muniment.embedders.text import SPECIAL_TOKENS, estimate_tokens
from muniment.inert import inert, one_line
from muniment.worded import dispute_lines, staleness
from schemas.answers import Hit
from schemas.replies import ContextPart
from schemas.shown import Chunk

GAP = "\n\n"
"""Between two parts."""


@dataclass(frozen=True, slots=True)
class Context:
    """What fits of what was found."""

    text: str
    parts: tuple[ContextPart, ...]
    tokens: int
    """By an upper estimate."""


def fill_context(hits: Iterable[Hit], max_tokens: int, *, several: bool) -> Context:
    """The hits in their order, each under a line that says its type and place, until `max_tokens` are full.

    The first that does not fit is cut after a line of its own, and is the last. `several`: places name their source.
    """
    blocks: list[str] = []
    parts: list[ContextPart] = []
    room = max_tokens
    for rank, hit in enumerate(hits, 1):
        lines = [line.rstrip() for line in inert(disarmed(hit.text)).split("\n")]
        if not any(lines):
            continue
        fitted = _fit(hit, rank, lines, room, several=several)
        if fitted is None:
            break
        block, part = fitted
        blocks.append(block)
        parts.append(part)
        room -= part.tokens
        if part.cut:
            break
    return Context(GAP.join(blocks), tuple(parts), max_tokens - room)


def place_line(found: Hit | Chunk, line_end: int, *, several: bool) -> str:
    """The line over a part: `[manual] docs/restore.md:12-20`, with the source before the path where `several`."""
    # The type is a note's own word, and must not end its bracket.
    kind = one_line(found.type).replace("]", "").replace("[", "")
    source = f"{one_line(found.source)}: " if several else ""
    return f"[{kind}] {source}{one_line(found.path)}:{found.line_start}-{line_end}"


def _fit(hit: Hit, rank: int, lines: list[str], room: int, *, several: bool) -> tuple[str, ContextPart] | None:
    """These lines of the hit as a block of text that takes at most `room` tokens; None where not one of them fits."""
    notes = _notes(hit)
    over = estimate_tokens("\n".join([place_line(hit, hit.line_end, several=several), *notes]))
    ends = accumulate((estimate_tokens(line) - SPECIAL_TOKENS for line in lines), initial=over)
    shown = lines[: max(sum(tokens <= room for tokens in ends) - 1, 0)]
    if not any(shown):
        return None
    cut = len(shown) < len(lines)
    line_end = hit.line_start + len(shown) - 1 if cut else hit.line_end
    block = "\n".join([place_line(hit, line_end, several=several), *notes, *shown]).rstrip()
    return block, _part(hit, rank, line_end, estimate_tokens(block), cut=cut)


def _notes(hit: Hit) -> list[str]:
    known = [staleness(hit), *dispute_lines(hit.disputes)]
    return [f"note: {one}" for one in known if one]


def _part(hit: Hit, rank: int, line_end: int, tokens: int, *, cut: bool) -> ContextPart:
    return ContextPart(
        rank=rank,
        chunk_id=hit.chunk_id,
        source=hit.source,
        path=hit.path,
        line_start=hit.line_start,
        line_end=line_end,
        kind=hit.kind,
        type=hit.type,
        section=hit.section,
        title=hit.title,
        relevance=hit.relevance,
        tokens=tokens,
        cut=cut,
        changed_since_index=hit.changed_since_index,
        gone=hit.gone,
        disputes=hit.disputes,
        namespace=hit.namespace,
        doc_date=hit.doc_date,
        correspondent=hit.correspondent,
        tags=hit.tags,
    )
