"""What every test gets: its own home, no settings of the machine's, and the sample corpus as a git repository."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from hypothesis import settings

if TYPE_CHECKING:
    from tests.flows.conftest import Api

ROOT = Path(__file__).resolve().parent.parent
SAMPLE = ROOT / "data" / "sample" / "ops"

settings.register_profile("no-times", deadline=None)
settings.load_profile("no-times")


class Ran(NamedTuple):
    """What a command printed and returned."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


@pytest.fixture(autouse=True)
def own_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home and a configuration folder that nobody else has; returns the home."""
    for name in [name for name in os.environ if name.startswith(("MUNIMENT_", "PREFECT_API", "GIT_"))]:
        monkeypatch.delenv(name)
    # An active profile there would make Prefect the engine of every test.
    monkeypatch.setenv("PREFECT_HOME", str(tmp_path / "prefect"))
    home = tmp_path / "home"
    monkeypatch.setenv("MUNIMENT_HOME", str(home))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    # A bug shows its traceback in a test; a user sees one line.
    monkeypatch.setenv("MUNIMENT_TRACEBACK", "1")
    return home


@pytest.fixture
def words_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """No vectors: for tests that are about something else, and should not wait for a model."""
    monkeypatch.setenv("MUNIMENT_EMBEDDER__NAME", "none")


@pytest.fixture
def muniment(capsys: pytest.CaptureFixture[str]) -> Callable[..., Ran]:
    """Runs a command in this process: `muniment("index", path)`."""
    from muniment.cli import main

    def run(*argv: object) -> Ran:
        capsys.readouterr()
        try:
            code = main([str(word) for word in argv])
        except SystemExit as stop:  # argparse
            code = int(stop.code or 0)
        return Ran(code, *capsys.readouterr())

    return run


def git(folder: Path, *words: str, **environ: str) -> str:
    """Runs plain git as a person would, with a fixed author and clock."""
    fixed = {
        "GIT_AUTHOR_DATE": "2026-01-01T00:00:00Z",
        "GIT_COMMITTER_DATE": "2026-01-01T00:00:00Z",
        "GIT_CONFIG_GLOBAL": "/dev/null",
    }
    own = [
        "-c",
        "user.name=t",
        "-c",
        "user.email=t@example.com",
        "-c",
        "init.defaultBranch=main",
        "-c",
        "core.autocrlf=false",
    ]
    done = subprocess.run(
        ["git", "-C", folder, *own, *words],
        check=True,
        capture_output=True,
        text=True,
        env={**os.environ, **fixed, **environ},
    )
    return done.stdout


def commit_all(folder: Path, message: str = "change") -> str:
    """Commits everything in the folder and returns the commit."""
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "--allow-empty", "-m", message)
    return git(folder, "rev-parse", "HEAD").strip()


def make_repo(folder: Path, files: Mapping[str, str | bytes]) -> Path:
    """A repository with one commit that holds these files."""
    folder.mkdir(parents=True)
    git(folder, "init", "-q")
    write(folder, files)
    commit_all(folder, "first")
    return folder


def index_words(place: Path, files: Mapping[str, str | bytes]) -> Path:
    """The home of an index, by words alone, of a repository with these files; for fixtures that tests share."""
    from muniment.cli import main

    repo = make_repo(place / "repo", files)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CONFIG_HOME", str(place))
        patch.setenv("MUNIMENT_EMBEDDER__NAME", "none")
        assert main(["index", str(repo), "--home", str(place / "home"), "--engine", "direct"]) == 0
    return place / "home"


def write(folder: Path, files: Mapping[str, str | bytes]) -> None:
    """Writes these files, with the folders they need."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())


@pytest.fixture(scope="session")
def sample_source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample corpus as a git repository; not to be changed."""
    folder = tmp_path_factory.mktemp("sample") / "ops"
    shutil.copytree(SAMPLE, folder)
    git(folder, "init", "-q")
    commit_all(folder, "first")
    return folder


@pytest.fixture
def sample(sample_source: Path, tmp_path: Path) -> Path:
    """The sample corpus as a git repository of the test's own."""
    return Path(shutil.copytree(sample_source, tmp_path / "ops", symlinks=True))


@pytest.fixture(scope="session")
def prefect_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Api]:
    """The API of a server of the session's own, started once and only when a test asks for it."""
    from tests.flows.conftest import serving_prefect

    with serving_prefect(tmp_path_factory.mktemp("prefect")) as api:
        yield api


@pytest.fixture(scope="session")
def deployed(prefect_server: Api) -> Api:
    """The same, with everything deployed that prefect.yaml names."""
    from tests.flows.conftest import deploy

    deploy(prefect_server)
    return prefect_server
