"""A run's numbers as Markdown and tables of Markdown cells, for whoever shows them.

A cell that holds a name from a repository or what an endpoint said is a code span: a file may be called
`[a](javascript:...)`, and Prefect's UI would make a link of it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from muniment.inert import one_line
from schemas.nightly import NightlyReport, OpenFinding, SourceDrift
from schemas.runs import RunReport

SHOWN_SKIPS = 500
SHOWN_FINDINGS = 500
SHOWN_CHARS = 200


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
    # Whoever sees the interface is not for that reason the one to whom withheld documents are shown.
    acted = [{key: skip[key] for key in ("source", "path", "reason", "detail")} for skip in report.shown().skips]
    skips = [{key: _code(value) for key, value in skip.items()} for skip in acted[:SHOWN_SKIPS]]
    seconds = [{"stage": stage, "seconds": spent} for stage, spent in report.seconds.items()]
    shown = f"the first {SHOWN_SKIPS} of {len(acted)}" if len(acted) > SHOWN_SKIPS else "all"
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


def night_as_tables(night: NightlyReport) -> Mapping[str, Table]:
    """Key -> table; the same keys for every night."""
    findings = [_finding(drift, opened) for drift in night.drift for opened in drift.open]
    used = [
        {"by": one.by, "name": _code(one.name), "assemblies": one.assemblies, "gathered": one.assembled}
        | {
            "used": one.used,
            "ratio": "not enough data" if one.ratio is None else f"{one.ratio:.3f}",
            "trend": one.trend,
        }
        for one in night.effectiveness.effects
    ]
    failed = [
        {"table": one.table, "expected": one.says, "observed": _code(_cut(one.observed)), "severity": one.severity}
        for one in night.quality.failed
    ]
    seconds = [{"step": step, "seconds": spent} for step, spent in night.seconds.items()]
    shown = f"the first {SHOWN_FINDINGS} of {len(findings)}" if len(findings) > SHOWN_FINDINGS else "all"
    return {
        "nightly-drift": Table(f"Where documents and files disagree: {shown}", findings[:SHOWN_FINDINGS]),
        "nightly-effectiveness": Table(f"Used of gathered in {night.effectiveness.window_hours} hours", used),
        "nightly-quality": Table("Expectations that do not hold", failed),
        "nightly-seconds": Table("Wall time by step", seconds),
    }


def night_as_markdown(night: NightlyReport) -> str:
    """The night in a few lines."""
    lines = [f"# {night.started_at[:10]}", "", f"**{night.verdict}**", ""]
    for drift in night.drift:
        counts = drift.counts
        claims = f"{counts['agrees']} agree, {counts['disagrees']} disagree, {counts['unknown']} unknown"
        lines += [
            f"- {_code(drift.source)}: {len(drift.open)} open, {drift.new} new, {len(drift.fixed)} fixed; {claims}"
        ]
    lines += [f"- {name}: {_code(place)}" for name, place in night.pages.items()]
    return "\n".join(lines)


def _finding(drift: SourceDrift, opened: OpenFinding) -> dict[str, Any]:
    one = opened.finding
    return {
        "source": _code(drift.source),
        "place": _code(f"{one.path}:{one.line}"),
        "check": one.check,
        "finding": _code(_cut(one.message)),
        "new": "new" if opened.new else "",
        "open since": opened.first_seen[:10],
    }


def _cut(text: str) -> str:
    return text if len(text) <= SHOWN_CHARS else f"{text[: SHOWN_CHARS - 3]}..."


def _code(text: str) -> str:
    inside = one_line(text.replace("\n", " ")).replace("`", "'")
    return f"`{inside}`" if inside else ""
