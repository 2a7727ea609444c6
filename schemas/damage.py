"""How far the damage of an index reaches, and what a repair made again of it."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(slots=True)
class Extent:
    """What of a generation is not what was published; never shown, for it knows documents that are withheld."""

    documents: dict[str, str] = field(default_factory=dict)
    """Id -> source, as the row has them, of documents with a damaged row, and of rows that belong to no document."""
    sources: set[str] = field(default_factory=set)
    """Names of those that have another number of documents or chunks than was published."""
    tables: set[str] = field(default_factory=set)
    """Those of `schemas.columns.TABLES` with a file that is not what was written, or with rows of no document."""

    def __bool__(self) -> bool:
        return bool(self.documents or self.sources or self.tables)


@dataclass(frozen=True, slots=True)
class Made:
    """What a repair made again, in numbers."""

    documents: int = 0
    """Read and cut again."""
    from_cache: int = 0
    """Texts of theirs whose vector was known."""
    embedded: int = 0
    """Texts sent to the embedder."""
    tables: tuple[str, ...] = ()
    """Built anew."""

    def __str__(self) -> str:
        vectors = f"vectors from the cache: {self.from_cache}; embedded: {self.embedded}"
        tables = f"tables built anew: {', '.join(self.tables) or 'none'}"
        return f"documents cut again: {self.documents}; {vectors}; {tables}"

    def __add__(self, other: Made) -> Made:
        return Made(
            self.documents + other.documents,
            self.from_cache + other.from_cache,
            self.embedded + other.embedded,
            tuple(dict.fromkeys((*self.tables, *other.tables))),
        )
