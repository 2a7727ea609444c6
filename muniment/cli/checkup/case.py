"""What checks are told, and what they say."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from pathlib import Path

from muniment.chosen import generations_of
from muniment.errors import MunimentError
from muniment.generation import read_current
from muniment.home import Config
from muniment.settings import Settings
from muniment.store.generations import Generations
from schemas.generations import Generation

OK = "ok"
WARN = "warn"
"""It works, and somebody should know."""
FAIL = "fail"
"""Something that was asked for does not work."""


@dataclass(frozen=True, slots=True)
class Check:
    """One thing looked at."""

    what: str
    state: str
    said: str
    hint: str = ""


@dataclass(frozen=True)
class Case:
    """The machine, the home and the settings that are looked at."""

    home: Path
    config: Config
    settings: Settings
    environ: Mapping[str, str]
    now: datetime

    @property
    def index(self) -> Path:
        """The folder of the index, which need not be there."""
        return self.home / "index"

    @cached_property
    def generation(self) -> Generation | None:
        """What is published in the home; None where nothing is, or nothing that can be read."""
        try:
            return read_current(self.index)
        except MunimentError:
            return None  # the check of the index says why

    @cached_property
    def generations(self) -> Generations:
        """What questions are answered from. Raises what `generations_of` raises."""
        return generations_of(self.settings, self.home)

    @cached_property
    def answering(self) -> Generation | None:
        """What a question is answered from, in the home or in a bucket; None as for `generation`."""
        try:
            return self.generations.current()
        except MunimentError:
            return None  # the check of the index, or of the bucket, says why

    @property
    def standing(self) -> Path:
        """The home, or the nearest folder above it that there is."""
        return next(folder for folder in (self.home, *self.home.parents) if folder.exists())
