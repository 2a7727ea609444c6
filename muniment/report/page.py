"""The drift report as one HTML page and as Markdown: the verdict first, then file by file with both values."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any

from muniment.drift.markdown import code
from muniment.drift.wording import MAX_VALUE
from muniment.inert import one_line
from muniment.report import plot
from schemas.claims import CHECKS
from schemas.nightly import NightlyReport, OpenFinding, SourceDrift

if TYPE_CHECKING:
    import jinja2


@dataclass(frozen=True, slots=True)
class FileGroup:
    """The open findings of one document."""

    path: str
    findings: tuple[OpenFinding, ...]


def as_html(night: NightlyReport) -> str:
    """One page that fetches nothing and runs nothing; all that comes from a repository is escaped and inert."""
    template = _environment().get_template("drift.html.jinja")
    return template.render(night=night, groups=by_file, plot_of=plot.plot_of, size=(plot.WIDTH, plot.HEIGHT))


def as_markdown(night: NightlyReport) -> str:
    """The same report as GitHub-flavoured Markdown."""
    return (
        "\n".join([f"# Documentation drift, {night.started_at[:10]}", "", f"**{night.verdict}**", *_sources(night)])
        + "\n"
    )


def by_file(drift: SourceDrift) -> list[FileGroup]:
    """The open findings by document, new ones first in each."""
    return [
        FileGroup(path, tuple(sorted(found, key=lambda one: (not one.new, one.finding.line))))
        for path, found in groupby(drift.open, key=lambda one: one.finding.path)
    ]


def _sources(night: NightlyReport) -> Iterator[str]:
    for drift in night.drift:
        counts = drift.counts
        claims = f"{counts['agrees']} agree, {counts['disagrees']} disagree, {counts['unknown']} unknown"
        at = f" at {code(drift.commit[:10])}" if drift.commit else ""
        yield from (
            "",
            f"## {code(drift.source)}{at}",
            "",
            f"{len(drift.open)} open, {drift.new} new, {len(drift.fixed)} fixed. Claims: {claims}.",
        )
        for group in by_file(drift):
            yield from ("", f"### {code(group.path)}", "")
            yield from (
                "| line | option | documented | actual | decided by | open since |",
                "| --- | --- | --- | --- | --- | --- |",
            )
            yield from map(_row, group.findings)
        if drift.fixed:
            yield from ("", "### Fixed", "")
            yield from (f"- {code(f'{one.path}:{one.line}')} {code(one.message)}" for one in drift.fixed)


def _row(opened: OpenFinding) -> str:
    finding = opened.finding
    truth = code(f"{finding.truth.path}:{finding.truth.line}") if finding.truth else ""
    since = f"**new** {opened.first_seen[:10]}" if opened.new else opened.first_seen[:10]
    if finding.check == "default":
        cells = (code(finding.option), code(_cut(finding.documented)), code(_cut(finding.actual)))
    else:
        cells = (code(finding.option), code(_cut(finding.message)), code(finding.actual) if finding.actual else "")
    return f"| {finding.line} | {' | '.join(cells)} | {truth} | {since} |"


def _cut(text: str) -> str:
    return text if len(text) <= MAX_VALUE else f"{text[: MAX_VALUE - 3]}..."


def _environment() -> jinja2.Environment:
    import jinja2

    made = jinja2.Environment(
        loader=jinja2.PackageLoader("muniment.report"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters |= {"inert": one_line, "cut": _cut}
    made.globals["checks"] = CHECKS
    return made


def as_document(night: NightlyReport) -> dict[str, Any]:
    """Everything in the report, as nightly.json holds it."""
    return {"verdict": night.verdict, **asdict(night)}
