"""Canaries: questions whose answer's place is known, asked to see whether retrieval still finds it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pyarrow as pa

FIRST = 5
"""A canary lives when its document is among so many hits."""
SHOWN = 3
MIN_WORDS = 3
"""A title of fewer words is the title of too many things: `First run`, `The mover`."""

Find = Callable[[str, int], Sequence[str]]
"""Question, limit -> the paths of so many hits, best first; of equal texts, which take one place, all paths."""


@dataclass(frozen=True, slots=True)
class Canary:
    """A question and the path of the document that answers it."""

    question: str
    path: str
    configured: bool = True
    """Named by the operator; else made from a chunk's title."""


def title_canaries(chunks: pa.Table, count: int, seed: int) -> list[Canary]:
    """At most `count` chunk titles that stand in one document only, drawn by the seed: the same each time.

    Needs the columns title and path.
    """
    paths: dict[str, set[str]] = {}
    for row in chunks.select(["title", "path"]).to_pylist():
        paths.setdefault(row["title"], set()).add(row["path"])
    telling = sorted(title for title, held in paths.items() if len(held) == 1 and len(title.split()) >= MIN_WORDS)
    # Not for secrets: the same seed has to draw the same titles.
    drawn = Random(seed).sample(telling, min(count, len(telling)))  # noqa: S311
    return [Canary(title, next(iter(paths[title])), configured=False) for title in drawn]


def ask_canaries(canaries: Sequence[Canary], find: Find) -> pa.Table:
    """The rows of `canaries`: key, place, configured_found for each configured one; automatic_share for the others.

    Titles share one row, since in an index where all is well one or two in a hundred miss. Raises what `find` raises.
    """
    return _table([(canary, *_is_found(canary, find(canary.question, FIRST))) for canary in canaries])


def unasked_canaries(canaries: Sequence[Canary], why: str) -> pa.Table:
    """The same rows for canaries that could not be asked, none of them found."""
    return _table([(canary, False, why) for canary in canaries])


def _is_found(canary: Canary, paths: Sequence[str]) -> tuple[bool, str]:
    return canary.path in paths, f"first hit {paths[0]}" if paths else "no hits"


def _table(asked: Sequence[tuple[Canary, bool, str]]) -> pa.Table:
    import pyarrow as pa

    rows: list[dict[str, Any]] = [
        {"key": canary.question, "place": _told(canary, said), "configured_found": found}
        for canary, found, said in asked
        if canary.configured
    ]
    titles = [one for one in asked if not one[0].configured]
    if titles:
        missed = [_told(canary, said) for canary, found, said in titles if not found]
        share = 1 - len(missed) / len(titles)
        rows.append({"key": "titles", "place": "; ".join(missed[:SHOWN]), "automatic_share": share})
    text = pa.string()
    fields: dict[str, pa.DataType] = {"key": text, "place": text, "configured_found": pa.bool_()}
    fields["automatic_share"] = pa.float64()
    return pa.Table.from_pylist(rows, pa.schema(fields))


def _told(canary: Canary, said: str) -> str:
    return f"{canary.question} -> {canary.path} ({said})"
