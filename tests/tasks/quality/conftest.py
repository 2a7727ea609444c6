"""The world that quality tests break, made once."""

from __future__ import annotations

import pytest

from tests.tasks.quality.world import World, make_world


@pytest.fixture(scope="session")
def sound(tmp_path_factory: pytest.TempPathFactory) -> World:
    """A world in which every expectation holds."""
    return make_world(tmp_path_factory.mktemp("quality"))
