"""The quality site: a first page with the verdict, and Data Docs for each table, all of it inert and self-contained."""

from __future__ import annotations

import html
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

from muniment.inert import inert, one_line
from schemas.quality import Offender, Outcome, QualityReport
from tasks.quality.markup import keep_sections

_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
"""A second wall: a browser that opens a page runs no script in it and fetches nothing."""

_STYLE = """
:root { color-scheme: light dark; --line: #8884; --bad: #c62828; --good: #2e7d32; }
@media (prefers-color-scheme: dark) { :root { --bad: #ff8a80; --good: #81c784; } }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; } h2, h5 { font-size: 1.15rem; margin: 1.5rem 0 .4rem; } h6 { margin: .8rem 0 .3rem; }
table { border-collapse: collapse; width: 100%; margin: .4rem 0; }
th, td { text-align: left; vertical-align: top; padding: .3rem .6rem; border-bottom: 1px solid var(--line); }
td { overflow-wrap: anywhere; } th { white-space: nowrap; }
.bad, .text-danger { color: var(--bad); } .good, .text-success { color: var(--good); }
td i::before { font-style: normal; }
td i.text-danger::before { content: "fails"; } td i.text-success::before { content: "holds"; }
code { font-size: .9em; } ul { margin: .2rem 0; padding-left: 1.2rem; }
"""


def write_pages(folder: Path, report: QualityReport, pages: Mapping[str, str]) -> Path:
    """Replaces the site in `folder` by one of this report, and returns its first page.

    `pages` are Data Docs by table, as rendered; what they would fetch or run is left out.
    """
    beside, before = (folder.with_name(f".{folder.name}.{part}") for part in ("new", "old"))
    for left in (beside, before):
        shutil.rmtree(left, ignore_errors=True)
    beside.mkdir(parents=True)
    for table, page in pages.items():
        back = '<p><a href="index.html">all tables</a></p>'
        text = _document(f"{table}: data quality", back + keep_sections(page))
        (beside / f"{table}.html").write_text(text, encoding="utf-8")
    (beside / "index.html").write_text(first_page(report, list(pages)), encoding="utf-8")
    if folder.exists():
        folder.rename(before)
    beside.rename(folder)
    shutil.rmtree(before, ignore_errors=True)
    return folder / "index.html"


def first_page(report: QualityReport, tables: Sequence[str]) -> str:
    """The verdict, what does not hold with its rows, and links to the page of each table."""
    of = f"generation {report.generation}" if report.generation else "tables not yet published"
    good = "good" if report.ok else "bad"
    parts = [
        f'<h1 class="{good}">{html.escape(report.verdict)}</h1>',
        f"<p>{of}, checked {html.escape(report.checked_at)}</p>",
        *(_failed(one) for one in report.failed),
        "<h2>Tables</h2>",
        "<table><thead><tr><th>table</th><th>rows</th><th>expectations</th><th>that do not hold</th></tr></thead>",
        f"<tbody>{''.join(_row(table, report) for table in tables)}</tbody></table>",
    ]
    return _document("Data quality", "\n".join(parts))


def _failed(outcome: Outcome) -> str:
    rows = "".join(f"<li>{_offender(one)}</li>" for one in outcome.sample)
    return (
        f'<h2 class="bad">{outcome.severity}: {html.escape(outcome.says)}</h2>'
        f"<p>{outcome.table}.{outcome.name}: {html.escape(inert(outcome.observed))}</p><ul>{rows}</ul>"
    )


def _offender(offender: Offender) -> str:
    seen = f": {html.escape(inert(offender.value))}" if offender.telling else ""
    return f"<code>{html.escape(one_line(offender.place))}</code>{seen}"


def _row(table: str, report: QualityReport) -> str:
    own = [one for one in report.outcomes if one.table == table]
    failed = sum(not one.ok for one in own)
    mark = f'<td class="bad">{failed}</td>' if failed else '<td class="good">0</td>'
    rows = report.rows.get(table, "")
    return f'<tr><td><a href="{table}.html">{table}</a></td><td>{rows}</td><td>{len(own)}</td>{mark}</tr>'


def _document(title: str, body: str) -> str:
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="referrer" content="no-referrer">\n'
        f"<title>{html.escape(title)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n{body}\n</body>\n</html>\n"
    )
