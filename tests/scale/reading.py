"""What tests of reading in place stand on: an index in a bucket, and what is asked of the emulator."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import httpx

from tests.conftest import commit_all, make_repo, write
from tests.muniment.http.doors import FILES

if TYPE_CHECKING:
    from tests.scale.conftest import Machine


@dataclass(frozen=True)
class Shelf:
    """A repository, and the machine that publishes it to the bucket."""

    repo: Path
    writer: Machine

    def publish(self, text: str) -> None:
        """Another generation, in which `new.md` holds this."""
        write(self.repo, {"new.md": f"# New\n\n{text}\n"})
        commit_all(self.repo)
        ran = self.writer("index", self.repo)
        assert ran.code == 0, ran.err

    @property
    def number(self) -> int:
        """Of the generation that was published last."""
        found: int = self.writer("status", "--json").json["number"]
        return found


def make_shelf(folder: Path, writer: Machine) -> Shelf:
    """The birds of the tests of HTTP, published."""
    shelf = Shelf(make_repo(folder / "birds", FILES), writer)
    assert writer("index", shelf.repo).code == 0
    return shelf


class Requests:
    """What the emulator is asked."""

    def __init__(self, emulator: str) -> None:
        self._recorder = f"{emulator}/moto-api/recorder"

    def begin(self) -> None:
        """Forgets what was asked before."""
        for act in ("reset-recording", "start-recording"):
            httpx.post(f"{self._recorder}/{act}").raise_for_status()

    def counted(self) -> Counter[str]:
        """How often what was asked: the pointer, another object, or a list."""
        lines = httpx.get(f"{self._recorder}/download-recording").raise_for_status().text.splitlines()
        return Counter(_what(json.loads(line)) for line in lines)


def _what(request: dict[str, str]) -> str:
    parts = urlsplit(request["url"])
    if request["method"] != "GET":
        return request["method"]
    if "list-type" in parts.query:
        return "list"
    return "pointer" if parts.path.endswith("/current.json") else "object"
