"""Which lines that were found hold a claim that its truth contradicts: both values go with every hit and answer.

Apart from the search itself, as `freshness.py` is; surfaces that show what was found ask for it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace
from typing import Any
from weakref import WeakKeyDictionary

from muniment.store.reader import Reader
from schemas.answers import Results
from schemas.cited import Answer, Excerpt
from schemas.claims import Dispute

_COLUMNS = ["option", "documented", "path", "line", "actual", "truth_path", "truth_line", "reader"]

Disputed = dict[tuple[str, str], list[tuple[int, Dispute]]]
"""Source and path -> line and the dispute that it is one side of."""


def dispute_results(reader: Reader, results: Results) -> Results:
    """The results, each hit with the disputes that it covers."""
    disputed = find_disputes(reader)
    return replace(results, hits=tuple(replace(hit, disputes=_covered(hit, disputed)) for hit in results.hits))


def dispute_answer(reader: Reader, answer: Answer) -> Answer:
    """The answer, its excerpts and citations with the disputes that they cover; those of the citations are its own."""
    disputed = find_disputes(reader)

    def marked(excerpts: Iterable[Excerpt]) -> tuple[Excerpt, ...]:
        return tuple(replace(one, disputes=_covered(one, disputed)) for one in excerpts)

    citations = marked(answer.citations)
    own = tuple(dict.fromkeys(dispute for one in citations for dispute in one.disputes))
    return replace(answer, excerpts=marked(answer.excerpts), citations=citations, disputes=own)


def disputes_of(reader: Reader, found: Any) -> tuple[Dispute, ...]:
    """The disputes that a hit, an excerpt or a chunk covers."""
    return _covered(found, find_disputes(reader))


def disputes_in(reader: Reader, source: str, path: str) -> tuple[Dispute, ...]:
    """The disputes with either of their two lines in a document, by that line."""
    here = find_disputes(reader).get((source, path), ())
    return tuple(dict.fromkeys(one for _, one in sorted(here, key=lambda found: found[0])))


def disputes_by_source(reader: Reader) -> dict[str, list[Dispute]]:
    """Every claim of the generation that disagrees, each once, by document and line."""
    disputes: dict[str, list[Dispute]] = defaultdict(list)
    for row in reader.disagreeing(["source", *_COLUMNS]).to_pylist():
        disputes[row.pop("source")].append(Dispute(**row))
    return disputes


def find_disputes(reader: Reader) -> Disputed:
    """Every claim of the generation that disagrees, under the line that claims and under the one that contradicts.

    Looked for once a reader: its generation never changes, and looking costs as much as a search.
    """
    if (known := _found.get(reader)) is None:
        _found[reader] = known = _find(reader)
    return known


_found: WeakKeyDictionary[Reader, Disputed] = WeakKeyDictionary()


def _find(reader: Reader) -> Disputed:
    disputed: Disputed = defaultdict(list)
    for source, disputes in disputes_by_source(reader).items():
        for dispute in disputes:
            disputed[source, dispute.path].append((dispute.line, dispute))
            disputed[source, dispute.truth_path].append((dispute.truth_line, dispute))
    return disputed


def _covered(found: Any, disputed: Disputed) -> tuple[Dispute, ...]:
    here = disputed.get((found.source, found.path), ())
    return tuple(dict.fromkeys(one for line, one in here if found.line_start <= line <= found.line_end))
