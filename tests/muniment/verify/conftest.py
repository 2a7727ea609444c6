"""A small index with everything in it, made once, and a copy of it for each test."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from flows.index import index
from flows.job import IndexJob
from muniment.embedders import EmbedderChoice
from muniment.runner import Direct
from schemas.files import Source
from tests.conftest import commit_all, make_repo, write

FILES: dict[str, str | bytes] = {
    "README.md": "# Mover\n\nIt carries files to the archive.\n\n## Setup\n\nInstall rsync first.\n\n"
    "## Limits\n\n- `MOVER_RATE` (default: `40`): megabytes a second\n",
    "conf/mover.conf.template": "# Megabytes a second.\nMOVER_RATE=80\n# Days that logs are kept.\nMOVER_DAYS=14\n",
    "bin/mover.sh": "#!/bin/bash\n#\n# PURPOSE\n# Moves what has settled to the archive.\n#\n# OPERATIONAL SAFEGUARDS\n"
    "# A lock keeps a second mover out.\nexec rsync\n",
    "bin/bare.sh": "#!/bin/bash\nexec true\n",
}


def build(home: Path, repo: Path) -> None:
    """Two generations: the second of one changed file."""
    job = IndexJob(home / "index", home / "runs", (Source("ops", str(repo)),), EmbedderChoice())
    index(job, Direct())
    write(repo, {"README.md": str(FILES["README.md"]) + "\nNobody moves a file that is open.\n"})
    commit_all(repo)
    index(job, Direct())


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home that is not to be changed, with its repository beside it."""
    place = tmp_path_factory.mktemp("verified")
    build(place / "home", make_repo(place / "ops", FILES))
    return place / "home"


@pytest.fixture
def home(built: Path, own_place: Path) -> Path:
    """The test's own copy of that home, where commands look for it."""
    return Path(shutil.copytree(built, own_place))
