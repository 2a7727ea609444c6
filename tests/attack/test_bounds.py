"""Much of everything: read within bounds of memory and CPU that the kernel keeps, or left out with a reason."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.attack.bounded import MEGABYTE, bounded
from tests.conftest import make_repo

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("words_only")]
SIXTY = 60_000_000
LARGE = {
    "a line": b"heron " * (SIXTY // 6),
    "no headings": b"heron one two three four five\n" * (SIXTY // 30),
}
MANY = 20_000


def run(folder: Path, seconds: int, peak: int, *words: object, **environ: str) -> str:
    """What a command prints that ended well within these seconds of CPU and megabytes."""
    ran = bounded(seconds, "-m", "muniment", *words, cwd=folder, **environ)
    assert ran.code == 0, ran.err
    assert ran.peak < peak * MEGABYTE
    return ran.out + ran.err


@pytest.mark.parametrize("what", LARGE)
def test_sixty_megabytes_are_left_out_with_a_reason(tmp_path: Path, what: str) -> None:
    repo = make_repo(tmp_path / "repo", {"docs/a.md": LARGE[what], "docs/b.md": "# Wren\n\nThe wren.\n"})
    assert "too large" in run(tmp_path, 20, 450, "index", repo)
    assert "the wren" in run(tmp_path, 20, 450, "search", "wren").lower()
    assert "too large" in run(tmp_path, 20, 200, "drift", repo)


def test_sixty_megabytes_that_are_asked_for_are_read(tmp_path: Path) -> None:
    """The operator's own cap is the largest there is: a line of that size is one chunk, and found."""
    repo = make_repo(tmp_path / "repo", {"docs/a.md": LARGE["a line"]})
    large = {"MUNIMENT_INDEX__MAX_BYTES": "64000000"}
    assert "1 indexed" in run(tmp_path, 60, 2_600, "index", repo, **large)
    assert run(tmp_path, 30, 900, "drift", repo, **large)


def test_a_row_of_a_megabyte_is_a_row(tmp_path: Path) -> None:
    table = "# A\n\n| Option | Default |\n|---|---|\n| `x` | " + "word heron " * 95_000 + "|\n| `y` | 5 |\n"
    repo = make_repo(tmp_path / "repo", {"docs/a.md": table})
    large = {"MUNIMENT_INDEX__MAX_BYTES": "2000000"}
    assert "1 indexed" in run(tmp_path, 20, 450, "index", repo, **large)
    assert run(tmp_path, 20, 300, "drift", repo, **large)


def test_twenty_thousand_files_are_read(tmp_path: Path) -> None:
    files = {f"docs/{number % 200}/{number}.md": f"# Heron {number}\n\nIt sleeps.\n" for number in range(MANY)}
    repo = make_repo(tmp_path / "repo", {**files, "docs/last.md": "# Wren\n\nThe wren.\n"})
    assert f"{MANY + 1} indexed" in run(tmp_path, 120, 900, "index", repo)
    assert "docs/last.md" in run(tmp_path, 30, 900, "search", "wren")
    assert "nothing new" in run(tmp_path, 10, 200, "index", repo)
    assert run(tmp_path, 60, 900, "drift", repo)
