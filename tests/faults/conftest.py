"""A repository in editions, and homes with an index of its first one."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Ran
from tests.faults.editions import make_editions


@pytest.fixture(autouse=True)
def _words(words_only: None) -> None:
    """Words only: a kill in between tells more when less of the time goes by in a model."""


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    """A repository at its first edition."""
    return make_editions(tmp_path / "repo")


@pytest.fixture
def home(repo: Path, own_place: Path, muniment: Callable[..., Ran]) -> Path:
    """A home with the first edition."""
    assert muniment("index", repo).code == 0
    return own_place


@pytest.fixture
def copies(home: Path, tmp_path: Path) -> Callable[[str], Path]:
    """Makes copies of that home."""

    def copy(name: str) -> Path:
        return Path(shutil.copytree(home, tmp_path / name))

    return copy
