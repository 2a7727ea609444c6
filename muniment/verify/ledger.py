"""The published counts against the record of the run that published them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from muniment.verify.found import Finding, Verified
from schemas.generations import Generation, SourceState

_COUNTS = ("documents", "chunks", "withheld", "withheld_chunks", "commit")


def check_ledger(runs: Path, generation: Generation, found: Verified) -> None:
    """Holds a generation's counts against `run.json`; a run that was killed after it published has none."""
    path = runs / generation.run / "run.json"
    if not path.exists():
        found.unchecked["ledger"] = f"the record of run {generation.run} is not there"
        return
    try:
        record = json.loads(path.read_bytes())
        named = {source["name"]: source for source in record["sources"]}
        if record["generation"] == generation.number:
            found.findings += _unlike(generation, named, record["pending"], path.parent.name)
            found.looked["ledger"] = 1
    except (ValueError, KeyError, TypeError):
        said = "is torn; it is only a record, and nothing reads it to answer"
        found.findings.append(_wrong(generation.run, said))


def _unlike(generation: Generation, run: Mapping[str, Any], pending: int, name: str) -> Iterator[Finding]:
    for source in generation.sources.values():
        if source.name in run and (said := _difference(source, run[source.name])):
            yield _wrong(name, f"source {source.name}: {said}")
    if pending != generation.pending:
        yield _wrong(name, f"pending is {pending}, published is {generation.pending}")


def _wrong(run: str, said: str) -> Finding:
    return Finding("counts", f"runs/{run}/run.json", said, remedy="record")


def _difference(source: SourceState, run: Mapping[str, Any]) -> str:
    pairs = [(name, run[name], getattr(source, name)) for name in _COUNTS]
    return "; ".join(f"{name} is {ran}, published is {told}" for name, ran, told in pairs if ran != told)
