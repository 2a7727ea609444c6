"""The Python API: `from muniment import open_index`. What is named here stays as it is from version to version."""

from __future__ import annotations

import os
from collections.abc import Iterable
from datetime import UTC, date, datetime
from os import PathLike
from typing import TYPE_CHECKING, Literal, Self

from muniment.assembly import record_feedback
from muniment.errors import UsageError
from muniment.home import REPORTS, data_home, find_config
from muniment.opened import Inquiry, OpenIndex
from muniment.search import Question
from muniment.shown import show_chunk, show_drift, show_status
from muniment.store.kept import reopening
from muniment.store.reader import Filter
from schemas.shown import Feedback

if TYPE_CHECKING:
    from schemas.replies import Answered, Assembled, Searched
    from schemas.shown import DriftReply, IndexStatus, ReadChunk

__all__ = ["Index", "open_index"]

Mode = Literal["hybrid", "lexical", "vector"]


def open_index(home: str | PathLike[str] | None = None, *, config: str | PathLike[str] | None = None) -> Index:
    """The index of a home, open for questions; without one, the home and settings that `muniment` itself would use.

    `home` is the folder of index and logs, `config` a settings file. Raises NoIndex where nothing was indexed yet,
    SettingsError for settings that can't be used, IndexMismatch for an index that this muniment can't read, and
    ProviderError for a bucket that does not answer (scale.read_in_place).
    """
    from muniment.settings import load_settings

    found = find_config(os.fspath(config) if config else None, os.environ)
    place = data_home(os.fspath(home) if home else None, os.environ, found)
    opened = OpenIndex(place, load_settings(found), "python")
    opened.check()
    opened.try_opening()
    return Index(opened)


class Index:
    """An index that is kept open: ask it from any number of threads. New generations are seen as they are published.

    Filters are those of the command line: `kind`, `type`, `section`, `source` and `namespace` take values, `path`
    gitignore patterns, and of several, one has to fit. Every question leaves one line in the log, without its words.
    All methods raise UsageError for a filter that nothing in the index has and a generation that is not kept.
    """

    def __init__(self, opened: OpenIndex) -> None:
        self._opened = opened

    def search(
        self,
        question: str,
        *,
        limit: int = 10,
        mode: Mode = "hybrid",
        kind: Iterable[str] = (),
        type: Iterable[str] = (),  # noqa: A002 - the column's name
        section: Iterable[str] = (),
        source: Iterable[str] = (),
        path: Iterable[str] = (),
        namespace: Iterable[str] = (),
        min_relevance: float = 0.0,
        as_of: int | None = None,
    ) -> Searched:
        """The best passages, best first, with what is known against each."""
        within = _within(kind, type, section, source, namespace)
        return self._opened.search(Question(question, limit, mode, within, tuple(path), min_relevance), as_of)

    def ask(
        self,
        question: str,
        *,
        max_docs: int | None = None,
        model: str = "",
        source: Iterable[str] = (),
        path: Iterable[str] = (),
        namespace: Iterable[str] = (),
        today: date | None = None,
        as_of: int | None = None,
    ) -> Answered:
        """The answer with its citations; or, under `reason`, why there is none, and what comes closest.

        `max_docs` and `model` are those of the settings unless given; relative dates count from `today`. Raises Refused
        for a model while `ask.enabled` is off.
        """
        within = _within(source=source, namespace=namespace)
        return self._opened.ask(Inquiry(question, max_docs, model, within, tuple(path), today, as_of))

    def assemble(
        self,
        question: str,
        *,
        max_tokens: int = 2_000,
        limit: int = 20,
        kind: Iterable[str] = (),
        type: Iterable[str] = (),  # noqa: A002 - the column's name
        section: Iterable[str] = (),
        source: Iterable[str] = (),
        path: Iterable[str] = (),
        namespace: Iterable[str] = (),
        min_relevance: float = 0.0,
        as_of: int | None = None,
    ) -> Assembled:
        """The best passages as one text of at most `max_tokens`, each under its type and place: for a prompt."""
        within = _within(kind, type, section, source, namespace)
        asked = Question(question, limit, "hybrid", within, tuple(path), min_relevance)
        return self._opened.assemble(asked, max_tokens, as_of)

    @reopening
    def read(self, chunk_id: str, *, before: int = 1, after: int = 1) -> ReadChunk:
        """A chunk with so many of those before and after it in its document. Raises UsageError where there is none."""
        with self._opened.reader() as reader:
            found = show_chunk(reader, chunk_id, before, after)
        if found is None:
            raise UsageError("no such chunk in the published generation", "search again: it may have changed")
        return found

    def report_used(self, assembly: str, used: Iterable[str]) -> Feedback:
        """Logs which chunks of a search, answer or context were used, by their ids, and returns what was logged.

        Raises UsageError for an assembly that is not in the log, and a chunk that it did not gather.
        """
        chunks = tuple(dict.fromkeys(used))
        record_feedback(self._opened.home, datetime.now(UTC), assembly, chunks)
        return Feedback(assembly, chunks)

    @reopening
    def drift(self) -> DriftReply:
        """The documented values that disagree with the files that decide, and what the last nightly run found."""
        with self._opened.reader() as reader:
            return show_drift(reader, self._opened.home / REPORTS)

    @reopening
    def status(self) -> IndexStatus:
        """What the published generation holds, of which sources, and how old it is."""
        with self._opened.reader() as reader:
            return show_status(reader.generation, self._opened.generations.kept())

    def close(self) -> None:
        """Lets go of the index's files; nothing may be asked of it any more, or still be under way."""
        self._opened.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _within(
    kind: Iterable[str] = (),
    type: Iterable[str] = (),  # noqa: A002 - the column's name
    section: Iterable[str] = (),
    source: Iterable[str] = (),
    namespace: Iterable[str] = (),
) -> Filter:
    return Filter(tuple(kind), tuple(type), tuple(section), tuple(source), namespaces=tuple(namespace))
