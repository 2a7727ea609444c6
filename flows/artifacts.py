"""A run's numbers as Markdown and tables of Markdown cells, for whoever shows them.

A cell that holds a name from a repository or what an endpoint said is a code span: a file may be called
`[a](javascript:...)`, and Prefect's UI would make a link of it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from schemas.runs import RunReport

SHOWN_SKIPS = 500


@dataclass(frozen=True, slots=True)
class Table:
    """Rows with the same keys, and what they are."""

    title: str
    rows: list[dict[str, Any]]


def as_tables(report: RunReport) -> Mapping[str, Table]:
    """Key -> table; the same keys for every run."""
    sources = [
        {
            "source": _code(source.name),
            "commit": source.commit[:10],
            "documents": source.documents,
            "chunks": source.chunks,
            "files": source.files,
            "indexed": source.indexed,
            "unchanged": source.unchanged,
            "deleted": source.deleted,
            "skipped": ", ".join(f"{count} {reason}" for reason, count in source.skipped.items()),
        }
        for source in report.sources
    ]
    skips = [{key: _code(value) for key, value in skip.items()} for skip in report.skips[:SHOWN_SKIPS]]
    seconds = [{"stage": stage, "seconds": spent} for stage, spent in report.seconds.items()]
    shown = f"the first {SHOWN_SKIPS} of {len(report.skips)}" if len(report.skips) > SHOWN_SKIPS else "all"
    return {
        "index-sources": Table("What became of each source's files", sources),
        "index-seconds": Table("Wall time by stage", seconds),
        "index-skips": Table(f"Skipped files that somebody can act on: {shown}", skips),
    }


def as_markdown(report: RunReport) -> str:
    """The run in a few lines."""
    lines = {
        "documents": report.documents,
        "chunks": f"{report.chunks}, {report.chunks_written} written",
        "vectors": f"{report.embedded} embedded, {report.from_cache} from cache, {report.pending} pending",
        "lacking": _code(report.lacking or "nothing"),
        "embedder": _code(report.fingerprint),
        "run": _code(report.run),
    }
    return f"# Generation {report.generation}\n\n" + "\n".join(f"- {name}: {said}" for name, said in lines.items())


def _code(text: str) -> str:
    inside = text.replace("`", "'").replace("\n", " ")
    return f"`{inside}`" if inside else ""
