"""`muniment completion`, by the shells that read it."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Ran
from tests.test_house import HEAVY, RUN, loaded_by

Offered = Callable[..., set[str]]


OFFERED = [
    ("muniment s", {"search", "serve", "status"}),
    ("muniment hook ", {"install", "uninstall", "status", "run"}),
    ("muniment token create --scope ", {"read", "write"}),
    ("muniment search --kind te", {"template"}),
    ("muniment index --eng", {"--engine"}),
    ("muniment index --engine p", {"prefect"}),
    ("muniment completion ", {"bash", "fish", "zsh"}),
    ("muniment index --config f", {"folder", "file.toml"}),
    ("muniment hook install f", {"folder"}),
]
"""A line, and what is offered at its end."""


@pytest.fixture
def offered(muniment: Callable[..., Ran], tmp_path: Path) -> Offered:
    """What bash offers where the cursor stands after these words, of which the last is being typed."""
    script = muniment("completion", "bash").out
    # What a key press would set is set by hand.
    script += '\nCOMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); "$(complete -p muniment | sed "s/.*-F //; s/ .*//")" 2>&-'
    script += '\nprintf "%s\\n" "${COMPREPLY[@]}"\n'
    (tmp_path / "there" / "folder").mkdir(parents=True)
    (tmp_path / "there" / "file.toml").touch()

    def ask(*words: str) -> set[str]:
        command = ["bash", "--norc", "-c", script, "bash", *words]
        done = subprocess.run(command, cwd=tmp_path / "there", capture_output=True, text=True, check=True)
        assert not done.stderr
        return set(done.stdout.split())

    return ask


@pytest.mark.parametrize(("words", "expected"), OFFERED)
def test_bash_offers_what_fits(offered: Offered, words: str, expected: set[str]) -> None:
    assert offered(*words.split(" ")) == expected


@pytest.mark.skipif(not shutil.which("zsh"), reason="zsh is not installed")
def test_zsh_can_read_its_script(muniment: Callable[..., Ran], tmp_path: Path) -> None:
    script = tmp_path / "_muniment"
    script.write_text(muniment("completion", "zsh").out)
    assert script.read_text().startswith("#compdef muniment\n")
    done = subprocess.run(["zsh", "-n", script], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.skipif(not shutil.which("fish"), reason="fish is not installed")
@pytest.mark.parametrize(("line", "expected"), OFFERED)
def test_fish_offers_what_fits(muniment: Callable[..., Ran], tmp_path: Path, line: str, expected: set[str]) -> None:
    """As it would on a press of the key: fish tells what it offers for a line."""
    (tmp_path / "there" / "folder").mkdir(parents=True)
    (tmp_path / "there" / "file.toml").touch()
    script = tmp_path / "muniment.fish"
    script.write_text(muniment("completion", "fish").out)
    # A command that is not on PATH is completed by what is said of it all the same.
    command = ["fish", "--no-config", "-c", f"source {script}; complete -C $argv[1]", line]
    own = {
        "HOME": str(tmp_path),
        "XDG_CONFIG_HOME": str(tmp_path),
        "XDG_DATA_HOME": str(tmp_path),
        "PATH": os.environ["PATH"],
    }
    done = subprocess.run(command, cwd=tmp_path / "there", env=own, capture_output=True, text=True, check=True)
    assert done.stderr == ""
    # It marks a folder by what stands behind its name.
    assert {offer.partition("\t")[0].rstrip("/") for offer in done.stdout.splitlines()} == expected


def test_the_script_names_no_machine(muniment: Callable[..., Ran]) -> None:
    for shell in ("bash", "fish", "zsh"):
        assert str(Path.home()) not in muniment("completion", shell).out


def test_it_loads_nothing_heavy() -> None:
    assert not loaded_by(RUN, "completion", "bash") & set(HEAVY)
