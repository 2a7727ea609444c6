"""`quality` as a person and a pipeline meet it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Ran, commit_all, make_repo, write

pytestmark = pytest.mark.usefixtures("words_only")

README = (
    "# Kestrel\n\nCopies the archive at night.\n\n## What is kept here\n\nNothing but tapes.\n\n## Settings\n\n"
    "| variable | default | meaning |\n| --- | --- | --- |\n| `KESTREL_GRACE` | `600` | seconds of grace |\n"
)
TEMPLATE = "# Seconds for the copy in hand.\nKESTREL_GRACE=600\n"
FILES = {"README.md": README, "conf/kestrel.conf.template": TEMPLATE}

Muniment = Callable[..., Ran]


@pytest.fixture
def repo(muniment: Muniment, tmp_path: Path) -> Path:
    """An indexed repository in which nothing is wrong."""
    made = make_repo(tmp_path / "repo", FILES)
    assert muniment("index", made).code == 0
    return made


def test_a_sound_index_is_good(muniment: Muniment, repo: Path, own_place: Path) -> None:
    ran = muniment("quality", "--docs")
    page = own_place / "reports" / "quality" / "index.html"
    verdict, _, rows, where = ran.out.splitlines()
    assert (ran.code, ran.err) == (0, "")
    assert verdict.startswith("good: all ")
    assert rows == (
        "generation 1, rows: documents 2, chunks 4, skipped 0, claims 1, effectiveness 0, generation 1, sources 1,"
        " canaries 1"
    )
    assert where == f"pages: {page}"
    assert "good: all " in page.read_text()
    assert (page.parent / "chunks.html").is_file()


def test_what_does_not_hold_is_named_with_its_place(muniment: Muniment, repo: Path, tmp_path: Path) -> None:
    write(repo, {"conf/kestrel.conf.template": TEMPLATE.replace("600", "900")})
    commit_all(repo)
    settings = tmp_path / "muniment.toml"
    settings.write_text(
        '[[quality.canaries]]\nquestion = "what is kept"\npath = "README.md"\n'
        '[[quality.canaries]]\nquestion = "seconds of grace"\npath = "gone.md"\n'
    )
    muniment("index", repo)
    ran = muniment("quality", "--config", settings)
    lines = ran.out.splitlines()
    assert ran.code == 1
    assert lines[0].endswith(" expectations do not hold (2 warnings)")
    assert lines[2:5] == [
        "warning: no documented value disagrees with the real one",
        "  claims.no_disagreement: 1 of 1 rows",
        "  - repo:README.md:13 KESTREL_GRACE is '600' here, '900' at conf/kestrel.conf.template:2",
    ]
    assert lines[6:8] == [
        "warning: each configured question finds its document in the first five",
        "  canaries.configured_found: 1 of 3 rows",
    ]
    assert lines[8].startswith("  - seconds of grace -> gone.md (first hit ")


def test_a_source_that_moved_on_has_to_be_indexed(
    muniment: Muniment, repo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MUNIMENT_QUALITY__MAX_AGE_DAYS", "1e-10")
    commit_all(repo, "moved on")
    ran = muniment("quality", "--json")
    assert ran.code == 1
    assert (ran.json["ok"], ran.json["generation"], ran.json["pages"]) == (False, 1, "")
    assert [one["says"] for one in ran.json["outcomes"] if not one["ok"]] == [
        "what moved on is indexed again within 1e-10 days"
    ]


def test_without_an_index_there_is_nothing_to_check(muniment: Muniment) -> None:
    ran = muniment("quality")
    assert (ran.code, ran.out) == (10, "")
    assert ran.err.startswith("error: no index at ")


def test_bounds_that_make_no_sense_are_refused(muniment: Muniment, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MUNIMENT_QUALITY__COUNT_LOW", "3")
    ran = muniment("quality")
    assert ran.code == 2
    assert "quality.count_low" in ran.err
