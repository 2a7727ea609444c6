"""Writing the report: each page replaced whole, under a name that stays the same from night to night."""

from __future__ import annotations

from pathlib import Path

from muniment.report.page import as_html, as_markdown
from schemas.nightly import NightlyReport

PAGES = {"page": "drift.html", "markdown": "drift.md", "quality": "quality/index.html", "document": "nightly.json"}


def write_pages(night: NightlyReport, reports: Path) -> dict[str, str]:
    """Writes the drift report into the folder; returns the name of each page of the night -> its place there."""
    reports.mkdir(parents=True, exist_ok=True)
    for name, text in ((PAGES["page"], as_html(night)), (PAGES["markdown"], as_markdown(night))):
        beside = reports / f".{name}.new"
        beside.write_text(text, encoding="utf-8")
        beside.replace(reports / name)
    return {name: place for name, place in PAGES.items() if name == "document" or (reports / place).is_file()}
