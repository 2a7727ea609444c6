"""The birds: a small repository, indexed by its words once, agents that ask it, and copies for tests that change it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import make_repo
from tests.muniment.mcp.agents import FILES, TRANSPORTS, Agent, index_repo


@pytest.fixture(scope="session")
def indexed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("agents")
    index_repo(place / "home", make_repo(place / "repo", FILES))
    return place


@pytest.fixture
def birds(indexed: Path, tmp_path: Path) -> Path:
    """A repository of the test's own, as it is indexed."""
    return Path(shutil.copytree(indexed / "repo", tmp_path / "repo"))


@pytest.fixture
def home(indexed: Path, own_place: Path) -> Path:
    """A home of the test's own that holds its index."""
    return Path(shutil.copytree(indexed / "home", own_place))


@pytest.fixture(scope="session", params=TRANSPORTS)
def agent(request: pytest.FixtureRequest, indexed: Path) -> Iterator[Agent]:
    """An agent over each transport in turn; they share one home."""
    with TRANSPORTS[request.param](indexed / "home") as talking:
        yield talking
