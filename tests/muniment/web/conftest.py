"""A running server over the sample, some bills and a repository that attacks its reader, and a browser before it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from flows.index import index
from flows.job import IndexJob
from muniment.embedders import EmbedderChoice
from muniment.runner import Direct
from schemas.files import NoteRules, Source
from tests.browser import browser
from tests.conftest import ROOT, commit_all, make_repo, write
from tests.muniment.http.doors import FILES
from tests.muniment.http.test_serve import serving
from tests.muniment.web.poison import IMAGE, POISONED, SCRIPT
from tests.muniment.web.visits import Browsing, Visit

BILLS = ROOT / "tests" / "muniment" / "records" / "bills"
GONE = "docs/crane.md"
LATER = {GONE: "# Crane\n\nThe crane lifts reeds.\n", "docs/stork.md": "# Stork\n\nThe stork stands on one leg.\n"}
CHANGED = {"docs/stork.md": "# Stork\n\nThe stork stands on both legs.\n"}
"""What becomes of the repository after it was indexed."""
NOTES = {
    "gull.md": "---\ntype: Intel\nmission: North Sea\ntags: [tide]\n---\n# Gull\n\nThe gull watches the ferry.\n",
    "heron-he.md": "# אנפה\n\nאנפה עומדת ליד הרציף heron.\n",
    "tern.md": "---\ntype: ENT\nmission: South\n---\n# Tern\n\nThe tern watches the ferry too.\n",
}
PAPERS = {"ferry.md": "---\ndate: 2026-01-31\ncorrespondent: Ferry Office\n---\n# Ferry\n\nThe ferry pass is valid.\n"}
REPORTS = {
    "drift.html": "<!doctype html><title>The night</title><style>p { color: rgb(1, 2, 3) }</style><p>night</p>"
    f"{SCRIPT}",
    "quality/index.html": f'<!doctype html><title>Data quality</title>{IMAGE}<a href="chunks.html">chunks</a>',
    "quality/chunks.html": f"<!doctype html><title>Chunks</title><p onclick=alert(1)>rows</p>{SCRIPT}",
}
"""Pages as a night writes them, but live: what is served may hold nothing that runs, and would not run if it did."""


@pytest.fixture(scope="package")
def web_home(sample_source: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The home of an index over all of it."""
    place = tmp_path_factory.mktemp("web")
    birds = make_repo(place / "birds", FILES | POISONED | LATER)
    bills = make_repo(place / "bills", {path.name: path.read_bytes() for path in BILLS.iterdir()})
    write(place / "notes", NOTES)
    write(place / "papers", PAPERS)
    repos = {"ops": sample_source, "birds": birds, "bills": bills}
    rules = NoteRules(namespace_keys=("mission",))
    kinds = {"notes": "vault", "papers": "archive"}
    sources = tuple(Source(name, str(repo)) for name, repo in repos.items())
    sources += tuple(Source(name, str(place / name), kind, notes=rules) for name, kind in kinds.items())
    job = IndexJob(place / "home" / "index", place / "home" / "runs", sources, EmbedderChoice(name="none"))
    index(job, Direct())
    write(birds, CHANGED)
    (birds / GONE).unlink()
    commit_all(birds)
    write(place / "home" / "reports", REPORTS)
    return place / "home"


@pytest.fixture(scope="package")
def base(web_home: Path) -> Iterator[str]:
    """The address of the server."""
    browser()
    settings = {"HOME": str(web_home), "EMBEDDER__NAME": "none", "SERVE__RATE": "1000", "SERVE__BURST": "10000"}
    with serving(**{f"MUNIMENT_{name}": value for name, value in settings.items()}) as server:
        yield str(server.client.base_url).rstrip("/")


@pytest.fixture(scope="module")
def browsing() -> Iterator[Browsing]:
    """A browser without a window."""
    with Browsing.started(browser()) as made:
        yield made


@pytest.fixture
def visit(browsing: Browsing, base: str) -> Iterator[Visit]:
    """A fresh tab before the page; at the end nothing may have run, failed or been asked of anybody else."""
    with browsing.visit(base) as made:
        yield made
        made.check()
