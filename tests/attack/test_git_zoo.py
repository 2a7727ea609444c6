"""The git zoo: whatever a repository or an environment says, no command of ours runs a program of theirs.

Every animal of `tests.attack.animals` meets every command that asks git something. The animals are proved alive first:
plain git, asked the right thing, runs what each of them names.
"""

from __future__ import annotations

import os
import pty
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from muniment.errors import DONE, FOUND, INTERRUPTED, PARTLY, NoIndex, Refused, SourceUnreadable, UsageError
from tests import gitzoo
from tests.attack.animals import ANIMALS, Animal, born, move_on
from tests.muniment.http.doors import opened

pytestmark = pytest.mark.slow

SETTINGS = '[embedder]\nname = "none"\n'


@dataclass(frozen=True)
class Den:
    """An animal at home: indexed while HEAD stood at its first commit."""

    animal: Animal
    repo: Path
    home: Path
    config: Path
    mark: Path
    environ: dict[str, str]
    code: int
    """What the first `muniment index` returned."""

    @property
    def places(self) -> tuple[str, ...]:
        return ("--home", str(self.home), "--config", str(self.config))


@pytest.fixture(scope="module")
def dens(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Den]:
    """Makes each den once."""
    made: dict[str, Den] = {}

    def den(name: str) -> Den:
        if name not in made:
            made[name] = _make(ANIMALS[name], tmp_path_factory.mktemp(name))
        return made[name]

    return den


def _make(animal: Animal, place: Path) -> Den:
    from muniment.cli import main

    if animal.refused and os.geteuid() != 0:
        pytest.skip("only root can give a folder away")
    mark, repo, config = place / "mark", born(place), place / "muniment.toml"
    program = str(gitzoo.marker(place, mark))
    config.write_text(SETTINGS)
    animal.arm(repo, program)
    mark.unlink(missing_ok=True)
    with pytest.MonkeyPatch.context() as patch:
        for name, value in (environ := animal.environ(repo, program)).items():
            patch.setenv(name, value)
        mark.unlink(missing_ok=True)
        code = main(["index", str(repo), "--home", str(place / "home"), "--config", str(config)])
    assert not mark.exists()
    move_on(repo)
    return Den(animal, repo, place / "home", config, mark, environ, code)


@pytest.fixture
def den(dens: Callable[[str], Den], name: str, monkeypatch: pytest.MonkeyPatch) -> Den:
    """The den of an animal, with what is inherited there."""
    found = dens(name)
    for variable, value in found.environ.items():
        monkeypatch.setenv(variable, value)
    return found


@pytest.mark.parametrize("name", ANIMALS)
def test_each_animal_bites(name: str, tmp_path: Path) -> None:
    animal, mark, repo = ANIMALS[name], tmp_path / "mark", born(tmp_path)
    if animal.refused and os.geteuid() != 0:
        pytest.skip("only root can give a folder away")
    program = str(gitzoo.marker(tmp_path, mark))
    animal.arm(repo, program)
    move_on(repo)
    mark.unlink(missing_ok=True)
    _plain_git(repo, animal, animal.environ(repo, program))
    assert mark.exists()


def _plain_git(repo: Path, animal: Animal, inherited: dict[str, str]) -> None:
    """Runs git as somebody would who has never heard of any of this."""
    here, there = pty.openpty() if animal.terminal else (None, None)
    environ = {"PATH": os.environ["PATH"], "HOME": str(repo.parent), "TERM": "dumb", **inherited}
    asked = b"protocol=https\nhost=there\n\n"
    subprocess.run(
        ["git", "-C", repo, *animal.bites], input=asked, env=environ, check=False, stdout=there, stderr=there
    )
    for descriptor in (here, there):
        if descriptor is not None:
            os.close(descriptor)


def _read(*words: str) -> Callable[[Den, Path], Sequence[object]]:
    """A command that reads what the den holds."""
    return lambda den, _tmp: (*words, *den.places)


def _write(*words: str) -> Callable[[Den, Path], Sequence[object]]:
    """A command that brings a copy of what the den holds up to date."""

    def command(den: Den, tmp: Path) -> Sequence[object]:
        if den.home.exists():
            shutil.copytree(den.home, tmp / "copied")
        return (*words, "--home", tmp / "copied", "--config", den.config)

    return command


def _drift(*words: str) -> Callable[[Den, Path], Sequence[object]]:
    return lambda den, _tmp: ("drift", den.repo, *words, "--config", str(den.config))


def _index(*words: str) -> Callable[[Den, Path], Sequence[object]]:
    """A command that makes an index of its own."""
    return lambda den, tmp: ("index", den.repo, *words, "--home", tmp / "own", "--config", str(den.config))


COMMANDS: dict[str, Callable[[Den, Path], Sequence[object]]] = {
    "index": _index(),
    "index --worktree": _index("--worktree"),
    "index --dry-run": _index("--dry-run"),
    "index again": _write("index"),
    "drift": _drift("--check"),
    "drift --worktree": _drift("--worktree", "--check"),
    "drift --staged": _drift("--staged", "--check"),
    "drift --format patch": _drift("--format", "patch"),
    "status": _read("status"),
    "search": _read("search", "kestrel archive", "--json"),
    "ask": _read("ask", "What does the heron job print?", "--json"),
    "doctor": _read("doctor"),
    "effectiveness": _read("effectiveness"),
    "verify": _read("verify"),
    "hook status": lambda den, _tmp: ("hook", "status", den.repo, *den.places),
}
SELDOM: dict[str, Callable[[Den, Path], Sequence[object]]] = {
    "quality": _read("quality"),
    "nightly": _write("nightly"),
}
"""What takes seconds, and asks git nothing that the others do not ask: for some animals only."""
FEW = ("fsmonitor", "process-filter", "partial-clone-ext", "inherited-places")

FINDS = ("drift", "drift --worktree", "drift --staged", "quality", "hook status")
READS_INDEX = ("status", "search", "verify", "ask", "quality", "nightly")


def expected(command: str, animal: Animal) -> int:
    """The exit code that a script may count on."""
    if animal.refused and command in READS_INDEX:
        return NoIndex.exit_code
    if animal.refused and command == "index again":
        return UsageError.exit_code
    if animal.elsewhere and command == "hook status":
        return Refused.exit_code
    if animal.refused and command.startswith(("index", "drift", "hook")):
        return SourceUnreadable.exit_code
    if animal.unreadable and command in ("index", "index again", "nightly"):
        return PARTLY
    # Without its documents nothing disagrees; the working copies are there all the same.
    unread = animal.unreadable and command not in ("drift --worktree", "hook status")
    return FOUND if command in FINDS and not unread else DONE


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("name", ANIMALS)
def test_no_command_runs_what_the_repository_names(den: Den, command: str, muniment: Any, tmp_path: Path) -> None:
    ran = muniment(*COMMANDS[command](den, tmp_path))
    assert not den.mark.exists()
    assert ran.code == expected(command, den.animal), ran.err
    assert "pelican" not in (ran.out + ran.err).lower()


@pytest.mark.parametrize("command", SELDOM)
@pytest.mark.parametrize("name", FEW)
def test_no_long_command_runs_it_either(den: Den, command: str, muniment: Any, tmp_path: Path) -> None:
    ran = muniment(*SELDOM[command](den, tmp_path))
    assert not den.mark.exists()
    assert ran.code == expected(command, den.animal), ran.err


@pytest.mark.parametrize("name", ["inherited-places"])
def test_an_inherited_place_changes_no_answer(den: Den, muniment: Any) -> None:
    """The other repository has a README.md too."""
    answer = muniment("search", "kestrel archive", "--json", *den.places).json
    (hit,) = (hit for hit in answer["hits"] if hit["path"] == "README.md")
    assert "kestrel job copies" in hit["text"]
    assert (hit["changed_since_index"], hit["gone"]) == (False, False)
    moved = muniment("search", "heron labels", "--json", *den.places).json["hits"][0]
    assert (moved["path"], moved["changed_since_index"]) == ("docs/heron.md", True)


@pytest.mark.parametrize("name", FEW)
def test_no_scan_of_a_server_runs_it_either(den: Den, tmp_path: Path) -> None:
    home = Path(shutil.copytree(den.home, tmp_path / "served"))
    with opened(home) as door:
        started = door.post("/api/index/scan", {})
        assert started.status_code == 202
        door.serving.runs.wait()
        run = door.get(f"/api/index/runs/{started.json()['run']}").json()
        assert door.get("/api/search", params={"q": "kestrel archive"}).status_code == 200
        assert door.get("/api/drift").status_code == 200
    assert (run["state"], run["error"]) == ("done", "")
    assert not den.mark.exists()


@pytest.mark.parametrize("name", [*FEW, "hooks"])
def test_no_hook_of_ours_runs_it_either(
    den: Den, muniment: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo = Path(shutil.copytree(den.repo, tmp_path / "copied", symlinks=True))
    monkeypatch.setenv("MUNIMENT_INDEX__ON_PULL", "off")
    for action in ("install", "status", "run", "uninstall"):
        assert muniment("hook", action, repo, *den.places).code == DONE
    assert not den.mark.exists()


@pytest.mark.parametrize("name", ["process-filter", "inherited-places"])
def test_no_watch_runs_it_either(den: Den, tmp_path: Path) -> None:
    places = ("--home", tmp_path / "own", "--config", den.config)
    command = [sys.executable, "-m", "muniment", "watch", str(den.repo), "--settle-ms", "50", *map(str, places)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as watching:
        assert watching.stdout is not None
        assert "3 indexed" in watching.stdout.readline()
        watching.send_signal(signal.SIGINT)
    assert watching.returncode == INTERRUPTED
    assert not den.mark.exists()
