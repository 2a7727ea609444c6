"""The quality site: what a person reads first, and that opening it runs nothing and fetches nothing."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.quality import Offender, Outcome, QualityReport
from tasks.quality.markup import keep_sections
from tasks.quality.pages import first_page, write_pages
from tests.browser import open_page

LIVE = '"><script>document.title="taken"</script><img src="http://other.example/x" onerror="document.title=\'taken\'">'
HELD = Outcome("chunks", "kind_known", "blocking", "kind is one of the kinds", ok=True, rows=2)
FAILED = Outcome(
    "chunks",
    "vector_length_one",
    "blocking",
    "vectors have length 1",
    ok=False,
    rows=2,
    unexpected=1,
    sample=(Offender("c1", f"ops:{LIVE}:3", "2.0"),),
)
WARNED = replace(FAILED, table="claims", name="no_disagreement", severity="warning", says="no value disagrees")
REPORT = QualityReport(datetime(2026, 1, 1, tzinfo=UTC).isoformat(), (HELD, WARNED, FAILED), 7, {"chunks": 2})

# As Data Docs renders it: links and handlers within its sections, around them scripts and styles from other hosts.
SECTION = (
    '<div id="s" class="ge-section row" onclick="go()"><h5 style="color:red">of <a href="../up.html">kind</a></h5>'
    '<table><tr><td><i class="fas fa-times text-danger"></i></td><td>CELL</td></tr></table></div>'
)
DOCS = (
    '<html><head><script src="https://cdn.example/a.js"></script>'
    '<link rel="stylesheet" href="https://cdn.example/a.css"></head><body onload="go()"><nav>menu</nav>'
    f'{SECTION}<footer><a href="https://other.example/">newsletter</a></footer></body></html>'
)


def test_the_first_page_leads_with_the_verdict() -> None:
    page = first_page(REPORT, ["chunks"])
    headings = re.findall(r"<h[12][^>]*>(.*?)</h[12]>", page)
    assert headings == [
        "not good: 2 of 3 expectations do not hold (1 blocking, 1 warning)",
        "blocking: vectors have length 1",
        "warning: no value disagrees",
        "Tables",
    ]


def test_a_good_report_says_so() -> None:
    good = replace(REPORT, outcomes=(HELD,))
    assert good.verdict == "good: all 1 expectations hold"
    assert good.verdict in first_page(good, [])


def test_only_sections_of_a_rendered_page_are_kept() -> None:
    assert keep_sections(DOCS) == (
        '<div><h5>of kind</h5><table><tr><td><i class="text-danger"></i></td><td>CELL</td></tr></table></div>'
    )


@pytest.mark.parametrize(
    "cell",
    [
        LIVE,
        "<ScRiPt>alert(1)</sCrIpT>",
        "<script>alert(1)",
        "<svg><script>alert(1)</script></svg>",
        "<img src=x onerror=alert(1)>",
        "<iframe srcdoc='<script>alert(1)</script>'></iframe>",
        "<style>@import 'https://other.example/a.css'</style>",
        "<a href='javascript:alert(1)'>go</a>",
        "<b style='background:url(https://other.example/a)' onclick=alert(1)>x</b>",
        "<base href='https://other.example/'><meta http-equiv=refresh content='0;url=https://other.example/'>",
        "<!--[if IE]><script>alert(1)</script><![endif]-->",
        "&lt;script&gt;alert(1)&lt;/script&gt;",
        "</div></body><script>alert(1)</script>",
    ],
)
def test_nothing_live_survives(cell: str) -> None:
    kept = keep_sections(DOCS.replace("CELL", cell))
    assert set(re.findall(r"<[^>]*>", kept)) <= TAGS


TAGS = {f"<{slash}{tag}>" for slash in ("", "/") for tag in "div h5 table tr td i b p".split()}  # noqa: SIM905
TAGS |= {'<i class="text-danger">'}


@given(st.text(st.sampled_from("<>/='\" abdinscriptonerrmgsv&;!-#0"), max_size=60))
def test_no_text_makes_a_tag_of_its_own(cell: str) -> None:
    kept = keep_sections(DOCS.replace("CELL", cell))
    assert set(re.findall(r"<[^>]*>", kept)) <= TAGS | {"<br>", "<hr>", "<em>", "</em>", "<span>", "</span>"}


def test_a_new_site_replaces_the_old_one(tmp_path: Path) -> None:
    folder = tmp_path / "reports" / "quality"
    write_pages(folder, REPORT, {"chunks": DOCS, "claims": DOCS})
    page = write_pages(folder, REPORT, {"chunks": DOCS})
    assert page == folder / "index.html"
    assert sorted(path.name for path in folder.iterdir()) == ["chunks.html", "index.html"]
    assert [path.name for path in folder.parent.iterdir()] == ["quality"]


def test_every_page_forbids_scripts_and_fetching(tmp_path: Path) -> None:
    write_pages(tmp_path / "quality", REPORT, {"chunks": DOCS})
    for page in (tmp_path / "quality").iterdir():
        text = page.read_text()
        assert "default-src 'none'; style-src 'unsafe-inline'" in text
        assert not re.search(r"<script|<img|<link|https?://(?!other\.example/x)|onerror=\"", text)


@pytest.mark.slow
def test_a_browser_fetches_nothing_and_runs_nothing(tmp_path: Path) -> None:
    """Beside it, to show that the browser would: the same things in a page that nobody looked after."""
    folder = tmp_path / "quality"
    write_pages(folder, REPORT, {"chunks": DOCS.replace("CELL", LIVE)})
    live = tmp_path / "live.html"
    live.write_text(f"<title>live</title>{DOCS.replace('CELL', LIVE)}")
    raw = open_page(live, tmp_path / "profile")
    assert raw.title == "taken"
    assert raw.asked == {"cdn.example", "other.example"}
    for page in sorted(folder.iterdir()):
        opened = open_page(page, tmp_path / "profile")
        assert opened.title in {"Data quality", "chunks: data quality"}
        assert opened.asked == set()
