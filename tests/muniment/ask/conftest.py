"""A small repository that is indexed by words, and a model server that says what a test wants."""

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.conftest import index_words
from tests.muniment.embedders.servers import Dialect
from tests.muniment.models.servers import ModelServer, Request

FILES = {
    "docs/kestrel.md": "# Kestrel\n\nThe kestrel job copies the archive to the far shelf every night at 02:40. It keeps"
    " 87 copies.\n\n## Stopping\n\nOn TERM the copy in hand gets KESTREL_GRACE seconds (default: 300) to finish.\n",
    "docs/heron.md": "# Heron\n\nThe heron job prints labels for the boxes. It takes --dry-run and reads"
    " conf/heron.conf.\n",
    "docs/shelf.md": "# Shelf\n\nThe shelf is dusted in spring by whoever is free.\n",
}
QUESTION = "How many copies does the kestrel job keep?"


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The home of an index of the repository; not to be changed."""
    return index_words(tmp_path_factory.mktemp("kestrel"), FILES)


@pytest.fixture
def indexed(built: Path, own_place: Path, words_only: None, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home of the test's own, with the repository indexed."""
    monkeypatch.setenv("MUNIMENT_ASK__EVIDENCE", "0.3")
    return Path(shutil.copytree(built, own_place))


@pytest.fixture(params=["ollama", "openai"])
def server(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[ModelServer]:
    """A model server of each dialect in turn, and settings that use it."""
    dialect: Dialect = request.param
    with ModelServer(dialect) as running:
        enable(monkeypatch, running)
        yield running


@pytest.fixture
def ollama(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModelServer]:
    """One model server, and settings that use it."""
    with ModelServer("ollama") as running:
        enable(monkeypatch, running)
        yield running


def enable(monkeypatch: pytest.MonkeyPatch, *servers: ModelServer) -> None:
    """Settings that let these servers word answers."""
    hosts = json.dumps([server.url for server in servers])
    for key, value in {"NAME": servers[0].dialect, "MODEL": "chatty", "HOSTS": hosts}.items():
        monkeypatch.setenv(f"MUNIMENT_MODEL__{key}", value)
    monkeypatch.setenv("MUNIMENT_ASK__ENABLED", "true")


def says(answer: object, citations: object = (1,), confidence_pct: object = 90) -> Callable[[Request], str]:
    """A model that always replies so."""
    return lambda request: json.dumps({"answer": answer, "citations": citations, "confidence_pct": confidence_pct})
