"""Questions with known answers: how a question file is read, and when a hit answers."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from muniment.errors import UsageError

if TYPE_CHECKING:
    from schemas.answers import Hit

_NOT_WORDS = re.compile(r"[\W_]+")


class Gold(BaseModel):
    """A place that answers: a whole file, or the lines or the heading in it that hold the answer."""

    model_config = ConfigDict(frozen=True)

    path: str
    heading: str = ""
    start: int = Field(0, ge=0, description="first line, from 1; 0 where any line of the heading or file will do")
    end: int = Field(0, ge=0, description="last line")

    def answered_by(self, hit: Hit) -> bool:
        """Whether the hit stands in this place, or one of its equal texts does."""
        length = hit.line_end - hit.line_start
        places = [(hit.path, hit.line_start), *(_place(also) for also in hit.also)]
        return any(self._holds(path, line, line + length, hit) for path, line in places)

    def _holds(self, path: str, first: int, last: int, hit: Hit) -> bool:
        if path != self.path:
            return False
        if self.start:
            return first <= max(self.start, self.end) and last >= self.start
        # Leniently: the words in their order, whatever marks stand between them.
        wanted = _words(self.heading)
        return not wanted or wanted in _words(hit.title) or wanted in _words(hit.heading_path)


class Asked(BaseModel):
    """One question of a file. `index`, `exclude` and `blank` say what its corpus is made of (benchmarks/golden.py)."""

    model_config = ConfigDict(frozen=True)

    query: str = Field(min_length=1)
    gold: tuple[Gold, ...] = Field(min_length=1, description="any of these answers")
    id: str = ""
    set: str = "questions"
    corpus: str = Field("", description="name of the source that holds the answer; empty where there is only one")
    index: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    blank: tuple[tuple[str, int], ...] = ()

    @property
    def family(self) -> str:
        """The set's name up to its first hyphen."""
        return self.set.partition("-")[0]

    @property
    def key(self) -> str:
        """The question's id, or one made of what it asks."""
        return self.id or hashlib.sha256(f"{self.set}\n{self.query}\n{self.gold}".encode()).hexdigest()[:12]

    @property
    def half(self) -> int:
        """0 or 1, the same for ever: what is tuned on one half is reported on the other."""
        return hashlib.sha256(self.key.encode()).digest()[0] & 1

    @property
    def by_file(self) -> bool:
        """Whether the answer is a file, and not a place in one."""
        return not any(gold.start or gold.heading for gold in self.gold)

    def answered_by(self, hit: Hit) -> bool:
        """Whether a hit answers this question."""
        return self.corpus in ("", hit.source) and any(gold.answered_by(hit) for gold in self.gold)


def load_questions(path: Path) -> tuple[Asked, ...]:
    """The questions of a JSON-lines file; unknown keys are passed over.

    Raises UsageError for a file that can't be read, a line that is no question (its number is named), or none at all.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise UsageError(f"can't read '{path}': {why}", "name a file of questions, one JSON object a line") from error
    asked = tuple(_parse(line, path, number) for number, line in enumerate(lines, 1) if line.strip())
    if not asked:
        raise UsageError(f"'{path}' holds no question", "write one a line, as in the hint of a faulty line")
    if len({one.key for one in asked}) != len(asked):
        raise UsageError(f"'{path}' holds a question twice", "give each line an id of its own")
    return asked


def _parse(line: str, path: Path, number: int) -> Asked:
    try:
        return Asked.model_validate_json(line)
    except ValidationError as error:
        first: Any = error.errors()[0]
        where = ".".join(map(str, first["loc"])) or "line"
        raise UsageError(
            f"{path}:{number}: {where}: {first['msg'].lower()}",
            'a question reads {"query": "how is it restored", "gold": [{"path": "docs/restore.md"}]}',
        ) from error


def _place(also: str) -> tuple[str, int]:
    path, _, line = also.rpartition(":")
    return path, int(line)


def _words(text: str) -> str:
    return f" {_NOT_WORDS.sub(' ', text.casefold()).strip()} " if text else ""
