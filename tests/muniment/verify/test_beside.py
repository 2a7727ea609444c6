"""Verifying while runs publish and reclaim: the generation that is looked at stays whole."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from muniment.noop import SEEN
from muniment.verify.index import Place, verify_index
from tests.conftest import make_repo

RUNS = 12
WRITER = """
import subprocess, sys
from pathlib import Path
from muniment.cli import main
repo = Path(sys.argv[1])
for number in range(int(sys.argv[2])):
    with (repo / "README.md").open("a") as readme:
        readme.write(f"\\n\\nLine {number}.\\n")
    own = ["-c", "user.name=t", "-c", "user.email=t@example.com"]
    subprocess.run(["git", "-C", repo, *own, "commit", "-qam", "more"], check=True)
    assert main(["index", str(repo), *(["--force"] if number % 4 == 3 else [])]) == 0
    assert number % 3 or main(["gc"]) == 0
"""


@pytest.mark.slow
@pytest.mark.usefixtures("words_only")
def test_runs_and_clean_ups_are_in_nobodys_way(tmp_path: Path, own_place: Path) -> None:
    files = {f"docs/{number}.md": f"# Page {number}\n\nIt says {number}.\n" for number in range(50)}
    repo = make_repo(tmp_path / "ops", {"README.md": "# Many\n", **files})
    words = [sys.executable, "-c", WRITER]
    subprocess.run([*words, repo, "1"], check=True, stdout=subprocess.DEVNULL)
    place, looks = Place(own_place / "index", own_place / "runs", own_place / "index" / SEEN), set()
    with subprocess.Popen([*words, repo, str(RUNS)], stdout=subprocess.DEVNULL) as writing:
        while writing.poll() is None:
            found = verify_index(place, deep=True)
            assert found.findings == []
            looks.add(found.generation)
    assert writing.returncode == 0
    assert len(looks) > 2
