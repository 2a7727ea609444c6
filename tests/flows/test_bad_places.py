"""Index folders that are full, read-only, torn or somebody else's: one line, an exit code, and nothing lost."""

from __future__ import annotations

import random
import subprocess
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest

from muniment.generation import read_current
from tests.conftest import Ran, commit_all, make_repo, write
from tests.flows.held import section

pytestmark = pytest.mark.usefixtures("words_only")
Muniment = Callable[..., Ran]
Mount = Callable[..., AbstractContextManager[Path]]


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    return make_repo(tmp_path / "repo", {f"{n}.md": section(f"part {n}") for n in range(5)})


@contextmanager
def mounted(folder: Path, *words: str) -> Iterator[Path]:
    folder.mkdir(exist_ok=True)
    done = subprocess.run(["mount", *words, folder], capture_output=True, check=False)
    if done.returncode:
        pytest.skip("this user may not mount")
    try:
        yield folder
    finally:
        subprocess.run(["umount", folder], check=True)


def one_line_and_a_hint(ran: Ran) -> None:
    error, hint = ran.err.splitlines()
    assert error.startswith("error: ")
    assert hint.startswith("hint: ")


def test_a_full_disk_costs_only_the_run(muniment: Muniment, repo: Path, tmp_path: Path) -> None:
    with mounted(tmp_path / "small", "-t", "tmpfs", "-o", "size=2m", "tmpfs") as home:
        assert muniment("index", repo, "--home", home).code == 0
        noise = random.Random(0)
        write(repo, {f"new{n}.md": section(f"new {n}") + noise.randbytes(50_000).hex() for n in range(40)})
        commit_all(repo)
        ran = muniment("index", repo, "--home", home)
        assert ran.code == 75
        one_line_and_a_hint(ran)
        assert "no room left" in ran.err
        found = muniment("search", "part 3", "--home", home, "--json").json
        assert found["hits"][0]["path"] == "3.md"
        assert found["generation"] == 1


def test_a_read_only_folder_answers_and_refuses(muniment: Muniment, repo: Path, tmp_path: Path) -> None:
    muniment("index", repo, "--home", tmp_path / "made")
    commit_all(repo)
    with mounted(tmp_path / "seen", "--bind", "-o", "ro", str(tmp_path / "made")) as home:
        assert muniment("search", "part 3", "--home", home).code == 0
        ran = muniment("index", repo, "--home", home)
        assert ran.code == 4
        one_line_and_a_hint(ran)
        assert "can't be written" in ran.err


@pytest.mark.parametrize("torn", ["", "{", '{"format": "muniment-index"}', "PK\x03\x04"])
def test_a_torn_pointer_is_named_by_every_command(muniment: Muniment, repo: Path, own_place: Path, torn: str) -> None:
    muniment("index", repo)
    pointer = own_place / "index" / "current.json"
    pointer.write_text(torn)
    for command in (("index", repo), ("search", "part"), ("status",)):
        ran = muniment(*command)
        assert ran.code == 12, command
        one_line_and_a_hint(ran)
        assert str(pointer) in ran.err
    assert pointer.read_text() == torn


def test_somebody_elses_folder_is_left_alone(muniment: Muniment, repo: Path, own_place: Path) -> None:
    (own_place / "index").mkdir(parents=True)
    (own_place / "index" / "thesis.odt").write_text("mine")
    ran = muniment("index", repo)
    assert ran.code == 12
    one_line_and_a_hint(ran)
    assert "thesis.odt" in ran.err
    assert [path.name for path in (own_place / "index").iterdir()] == ["thesis.odt"]


def test_a_table_that_lost_its_files_is_rebuilt_on_demand(muniment: Muniment, repo: Path, own_place: Path) -> None:
    muniment("index", repo)
    for path in (own_place / "index" / "tables").glob("chunks_*/data/*"):
        path.unlink()
    ran = muniment("search", "part 3")
    assert ran.code == 12
    one_line_and_a_hint(ran)
    assert muniment("index", repo, "--force").code == 0
    assert muniment("search", "part 3").code == 0


def test_what_a_killed_writer_left_is_cleaned_up(muniment: Muniment, repo: Path, own_place: Path) -> None:
    muniment("index", repo)
    tables = own_place / "index" / "tables"
    (tables / "chunks_00000009.lance").mkdir()
    (tables / "chunks_00000009.lance" / "half").write_text("x")
    commit_all(repo)
    assert muniment("index", repo).code == 0
    assert not (tables / "chunks_00000009.lance").exists()


def test_the_home_may_be_a_relative_path(
    muniment: Muniment, repo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert muniment("index", "repo", "--home", "db").code == 0
    assert read_current(tmp_path / "db" / "index")
