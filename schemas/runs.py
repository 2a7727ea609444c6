"""What one index run did: the numbers of `run.json`, of the terminal and of the Prefect artifacts."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, replace
from typing import Any

from schemas.stated import SHOWN

FAULTS = {"too large", "binary", "unsafe path", "missing", "unreadable"}
"""Reasons to skip a file that somebody may want to mend."""


@dataclass(slots=True)
class SourceRun:
    """One source's part. `files` = indexed + unchanged + the sum of skipped."""

    name: str
    path: str
    commit: str = ""
    worktree: bool = False
    files: int = 0
    """Files the source lists."""
    indexed: int = 0
    """Documents chunked in this run: new ones and changed ones."""
    unchanged: int = 0
    deleted: int = 0
    """Documents that were in the index and are no longer in the source, or no longer documentation."""
    skipped: dict[str, int] = field(default_factory=dict)
    """Reason -> files."""
    left_out: dict[str, int] = field(default_factory=dict)
    """Type -> notes that nobody will find, because `vault.types` does not name their type."""
    documents: int = 0
    """Documents of this source in the published generation."""
    chunks: int = 0
    withheld: dict[str, int] = field(default_factory=dict)
    """Sensitivity -> documents that are in no answer and in no other count, unless archive.admit_sensitive."""
    withheld_chunks: int = 0
    indexed_withheld: int = 0
    """Of `indexed`, those that are withheld."""
    secrets: int = 0
    """Parts of its documents that are left out because they look like holding a key."""
    doubts: list[str] = field(default_factory=list)
    """What is stated of documents and can't be understood; it names them, also those that are therefore withheld."""
    notes: list[str] = field(default_factory=list)

    def shown(self) -> SourceRun:
        """The part without the documents that are withheld, and without what is wrong with which document."""
        withheld = sum(self.withheld.values())
        return replace(
            self,
            files=self.files - withheld,
            indexed=self.indexed - self.indexed_withheld,
            unchanged=self.unchanged - (withheld - self.indexed_withheld),
            withheld={},
            withheld_chunks=0,
            indexed_withheld=0,
            doubts=[],
            notes=[],
        )


@dataclass(slots=True)
class RunReport:
    """One run, from its start to its last publication."""

    run: str
    engine: str
    started_at: str
    finished_at: str = ""
    generation: int = 0
    published: list[int] = field(default_factory=list)
    """Generations published, in order: two where words could be searched before their vectors had landed."""
    fingerprint: str = ""
    chunker: str = ""
    embedder: str = ""
    sources: list[SourceRun] = field(default_factory=list)
    documents: int = 0
    chunks: int = 0
    chunks_written: int = 0
    embedded: int = 0
    """Texts sent to the embedder."""
    from_cache: int = 0
    """Texts whose vector was known from before."""
    truncated: int = 0
    """Chunks written with more tokens than the model reads: one line longer than its window."""
    claims: dict[str, int] = field(default_factory=dict)
    """Verdict -> documented defaults of the run's sources."""
    pending: int = 0
    pending_reason: str = ""
    seconds: dict[str, float] = field(default_factory=dict)
    """Stage -> wall time."""
    skips: list[dict[str, str]] = field(default_factory=list)
    """source, path, reason, detail and sensitivity of every skipped file but those that are simply not documentation,
    and of every document with parts that look like holding a key."""

    @property
    def counts(self) -> dict[str, Any]:
        """The run in the few numbers that callers ask for, over all of its sources.

        `scanned` = indexed + unchanged + skipped; `errors` holds what was skipped for a fault of the file.
        """
        own = self.sources
        return {
            "scanned": sum(source.files for source in own),
            "indexed": sum(source.indexed for source in own),
            "unchanged": sum(source.unchanged for source in own),
            "skipped": sum(sum(source.skipped.values()) for source in own),
            "deleted": sum(source.deleted for source in own),
            "chunks": sum(source.chunks for source in own),
            "duration_ms": round(1000 * sum(self.seconds.values())),
            "errors": [skip for skip in self.skips if skip["reason"] in FAULTS],
        }

    def as_document(self) -> dict[str, Any]:
        """The report as run.json and `--json` have it."""
        return {**asdict(self), "counts": self.counts}

    def shown(self) -> RunReport:
        """The report for whoever is not to know of withheld documents: none of them is named or counted.

        Nor is what is wrong with which document. What was written counts as no more than what is shown.
        """
        sources = [source.shown() for source in self.sources]
        told = replace(self, sources=sources, skips=[one for one in self.skips if one.get("sensitivity", "") in SHOWN])
        if any(source.withheld for source in self.sources):
            for name in ("chunks_written", "embedded", "from_cache", "truncated", "pending"):
                setattr(told, name, min(getattr(self, name), self.chunks))
        return told

    @property
    def lacking(self) -> str:
        """What the index lacks after the run, or nothing; then the command line exits with PARTLY."""
        unread = sum(source.skipped.get("unreadable", 0) + source.skipped.get("missing", 0) for source in self.sources)
        lacks = (
            [f"{self.pending} of {self.chunks} chunks wait for their vectors: {self.pending_reason}"]
            if self.pending
            else []
        )
        return "; ".join(lacks + ([f"{unread} files could not be read"] if unread else []))
