"""Vectors against the checksums that were kept when they were computed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from muniment.errors import ForeignIndex
from muniment.store.audit import cached_sums
from muniment.store.cache import vector_sums, vectors_of
from muniment.verify.found import Faults, Finding, Verified, looked_twice, place_of
from schemas.generations import Generation

if TYPE_CHECKING:
    import pyarrow as pa

_NAMED = ("source", "path", "sensitivity", "line_start")


class Vectors:
    """The checksums of one generation's fingerprint, and what was compared with them."""

    def __init__(self, index: Path, generation: Generation, found: Verified) -> None:
        self._found = found
        self._faults = Faults("vectors", generation.tables["chunks"].name, found.extent)
        self._sums: dict[str, str] = {}
        self._compared = self._without = 0
        if not generation.dimension:
            return
        try:
            # A run that ends just now may take a file of the cache away, for no reader holds that.
            self._sums, damaged = looked_twice(lambda: cached_sums(index, generation.fingerprint))
        except ForeignIndex as error:
            found.findings.append(Finding("cache", "embeddings", error.message, remedy="cache"))
            return
        if damaged:
            said = "a vector of the cache is not what was written"
            found.findings.append(Finding("cache", "embeddings", said, damaged, remedy="cache"))

    def check(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        """Compares the vectors of some chunks; returns those of them that wait for theirs."""
        there = batch.filter(batch["vector"].is_valid())
        hashes: list[Any] = there["embed_hash"].to_pylist()
        rows = there.select([*_NAMED, "doc_id"]).to_pylist()
        for key, made, row in zip(hashes, vector_sums(hashes, vectors_of(there["vector"])), rows, strict=True):
            kept = self._sums.get(key)
            self._compared += kept is not None
            self._without += kept is None
            if kept not in (None, made):
                place = place_of(*(row[name] for name in _NAMED))
                self._faults.add("its vector is not the one that was computed", place, row)
        return batch.filter(batch["vector"].is_null())

    def close(self) -> None:
        """Books what was compared."""
        self._found.looked["vectors"] = self._compared
        if self._without:
            self._found.unchecked["vectors"] = f"{self._without} have no checksum in the cache"
        self._found.findings += self._faults.findings()
