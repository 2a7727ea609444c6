"""The birds: a small repository, indexed by its words once, and doors to copies of that."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import make_repo
from tests.muniment.http.doors import FILES, Door, index_repo, opened


@pytest.fixture(scope="session")
def _birds(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("birds")
    index_repo(place / "home", make_repo(place / "repo", FILES))
    return place


@pytest.fixture
def repo(_birds: Path) -> Path:
    """The repository that is indexed; not to be changed."""
    return _birds / "repo"


@pytest.fixture
def home(_birds: Path, own_place: Path) -> Path:
    """A home of the test's own that holds its index."""
    return Path(shutil.copytree(_birds / "home", own_place))


@pytest.fixture
def door(home: Path) -> Iterator[Door]:
    """A server's door on this machine, without tokens."""
    with opened(home) as made:
        yield made
