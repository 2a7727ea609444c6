"""An index kept open by a process that asks it again and again: reader, embedder and model are made once."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass, fields, replace
from datetime import UTC, date, datetime
from functools import lru_cache
from pathlib import Path
from threading import Lock
from time import monotonic
from typing import TYPE_CHECKING, Any

from muniment.ask.amounts import ask_total
from muniment.ask.answer import ask
from muniment.ask.counted import answer_from
from muniment.ask.gather import Limits
from muniment.assembly import Gathered, make_assembly, record_assembly
from muniment.chosen import generations_of, model_choice, question_embedder
from muniment.context import fill_context
from muniment.described import describe_answer, describe_results
from muniment.disputes import dispute_answer, dispute_results
from muniment.embedders.questions import QuestionEmbedder
from muniment.freshness import mark_answer, mark_changes
from muniment.models import Model, make_model
from muniment.ranking.prior import Chosen, choose_prior
from muniment.search import Question, search_anyhow
from muniment.store.kept import KeptReaders, reopening
from muniment.store.reader import Filter
from schemas.replies import Answered, Assembled, Searched
from tasks.embed import known_text

if TYPE_CHECKING:
    from muniment.embedders import Embedder
    from muniment.settings import Settings
    from muniment.store.reader import Reader
    from schemas.answers import Results
    from schemas.cited import Answer
    from schemas.records import TotalAnswer

_log = logging.getLogger(__name__)
_WARM = 3
"""Searches after which a small index is kept in memory."""
_MODELS = 8
"""Models kept: whoever asks may name one of several of a server."""


@dataclass(frozen=True, slots=True)
class Inquiry:
    """A question to answer, and how."""

    question: str
    max_docs: int | None = None
    """None: as many as the settings say."""
    model: str = ""
    """Empty: the one of the settings."""
    within: Filter = Filter()  # noqa: RUF009 - frozen
    paths: tuple[str, ...] = ()
    today: date | None = None
    """What relative dates are counted from; None: the day it is here."""
    as_of: int | None = None


class OpenIndex:
    """The index of a home, or in place in a bucket, for one surface; for any number of threads.

    New generations are seen as they come.
    """

    def __init__(
        self, home: Path, settings: Settings, surface: str, warn: Callable[[str], object] = _log.warning
    ) -> None:
        self.home = home
        self.settings = settings
        self.generations = generations_of(settings, home)
        self.readers = KeptReaders(self.generations, admit_sensitive=settings.archive.admit_sensitive)
        self._surface = surface
        self._warn = warn
        self._lock = Lock()
        self._embedders: dict[tuple[str, int, str], Embedder] = {}
        self._model = lru_cache(_MODELS)(self._make_model)

    def seen_from(self, surface: str) -> OpenIndex:
        """The same, with the same readers, embedder and models, for another surface: its name is what the log says."""
        other = copy(self)
        other._surface = surface
        return other

    @property
    def place(self) -> str:
        """Where the index is: the home, or the address of the bucket that it is read in."""
        return str(self.home) if self.generations.holds else self.generations.place

    @contextmanager
    def reader(self, as_of: int | None = None) -> Iterator[Reader]:
        """The published generation or that one, held open for the block. Raises what `open_reader` raises."""
        with self.readers.open(as_of) as reader:
            yield reader

    @reopening
    def try_opening(self) -> None:
        """Raises what a question would where the published generation can't be opened."""
        with self.reader():
            pass

    def find(self, question: Question, as_of: int | None = None) -> Results:
        """What a search finds, with what is known against it; nothing is logged. Raises what `search` raises."""
        with self.reader(as_of) as reader:
            embedder = self.embedder(reader, question.mode)
            results = search_anyhow(reader, replace(question, prior=self.prior(reader).prior), embedder)
            return describe_results(reader, dispute_results(reader, mark_changes(reader, results)))

    def log_search(self, results: Results, elapsed_ms: float, first: int = 1) -> Searched:
        """The results as they are shown, and an assembly of them in the log; the first of them is of rank `first`."""
        numbered = enumerate(results.hits, first)
        gathered = [Gathered(hit.chunk_id, hit.kind, hit.type, hit.section, rank) for rank, hit in numbered]
        assembly = self._record("search", results.generation, elapsed_ms, gathered)
        return Searched(**_fields(results), assembly=assembly, elapsed_ms=round(elapsed_ms, 1))

    @reopening
    def search(self, question: Question, as_of: int | None = None) -> Searched:
        """What a search finds, logged. Raises what `search` raises."""
        began = monotonic()
        results = self.find(question, as_of)
        return self.log_search(results, (monotonic() - began) * 1000)

    @reopening
    def assemble(self, question: Question, max_tokens: int, as_of: int | None = None) -> Assembled:
        """What a search finds as one text within a budget, logged. Raises what `search` raises."""
        began = monotonic()
        with self.reader(as_of) as reader:
            results = self.find(question, reader.generation.number)
            several = len(reader.generation.sources) > 1
        context = fill_context(results.hits, max_tokens, several=several)
        elapsed_ms = (monotonic() - began) * 1000
        gathered = [_gathered(one.chunk_id, one) for one in context.parts]
        return Assembled(
            question=results.query,
            text=context.text,
            parts=context.parts,
            tokens=context.tokens,
            max_tokens=max_tokens,
            found=len(results.hits),
            mode=results.mode,
            generation=results.generation,
            pending=results.pending,
            assembly=self._record("assemble", results.generation, elapsed_ms, gathered),
            elapsed_ms=round(elapsed_ms, 1),
            unchecked=results.unchecked,
            words_only=results.words_only,
        )

    @reopening
    def ask(self, asked: Inquiry) -> Answered:
        """The answer to a question, or why there is none; logged.

        Raises UsageError for a question without words or a filter or model that is not there, and Refused for a model
        while generation is off.
        """
        began = monotonic()
        model = self._model(asked.model)
        limits = self._limits(asked)
        with self.reader(asked.as_of) as reader:
            today = asked.today or datetime.now().astimezone().date()
            total = ask_total(reader, asked.question, limits, today, model)
            if total is None:
                embedder = self.embedder(reader, "hybrid")
                limits = replace(limits, prior=self.prior(reader).prior)
                answer = ask(reader, asked.question, embedder, model, limits)
                gathered = [_gathered(one.chunk_id, one) for one in answer.excerpts]
                used = [one.chunk_id for one in answer.citations]
            else:
                answer = answer_from(reader, asked.question, total)
                gathered = list(total.gathered)
                used = [one.chunk_id for one in gathered]
            answer = describe_answer(reader, dispute_answer(reader, mark_answer(reader, answer)))
        elapsed_ms = (monotonic() - began) * 1000
        outcome = answer.reason or "answered"
        assembly = self._record("ask", answer.generation, elapsed_ms, gathered, used=used, outcome=outcome)
        return _answered(answer, assembly, elapsed_ms, total.answer if total else None)

    def embedder(self, reader: Reader, mode: str) -> Embedder | None:
        """The settings' embedder for a reader's generation, the same one each time; as `question_embedder`."""
        generation = reader.generation
        if mode == "lexical" or not generation.dimension:
            return None
        # The table is another one once everything was embedded anew.
        key = (generation.fingerprint, generation.dimension, generation.tables["chunks"].name)
        with self._lock:
            if key in self._embedders:
                return self._embedders[key]
            embedder = question_embedder(self.settings, generation, mode)
            if embedder and not embedder.fixed:
                known = known_text(reader.embedded())
                embedder = QuestionEmbedder(embedder, known)
                if known is None:  # no vector has landed yet
                    return embedder
            if embedder:
                # Only the newest: another fingerprint is another index.
                self._embedders.clear()
                self._embedders[key] = embedder
            return embedder

    def prior(self, reader: Reader) -> Chosen:
        """What gets used, as a part of the ranking; or why it is none."""
        return choose_prior(reader, self.home, self.settings.ranking.effectiveness_prior)

    def check(self) -> None:
        """Raises what a question would for settings that can't be used, so that a server says it at its start."""
        self._model("")

    def warm(self) -> None:
        """Loads what the first questions would wait a second for; raises what a search raises."""
        for _ in range(_WARM):
            self.find(Question("warm", limit=1))

    def close(self) -> None:
        """Lets go of every generation."""
        self.readers.close()

    def _make_model(self, asked: str) -> Model | None:
        return make_model(model_choice(self.settings, asked))

    def _limits(self, asked: Inquiry) -> Limits:
        own = self.settings.ask
        return Limits(
            max_docs=asked.max_docs or own.max_docs,
            excerpt_chars=own.excerpt_chars,
            evidence=own.evidence,
            timeout_s=own.timeout_s,
            prompt_tokens=self.settings.model.context_tokens - own.max_tokens,
            within=asked.within,
            paths=asked.paths,
        )

    def _record(
        self,
        act: str,
        generation: int,
        elapsed_ms: float,
        gathered: list[Gathered],
        *,
        used: Sequence[str] = (),
        outcome: str = "",
    ) -> str:
        """Logs one act and returns its id; a log that can't be written costs nobody an answer."""
        assembly = make_assembly(
            datetime.now(UTC),
            act,
            self._surface,
            generation=generation,
            elapsed_ms=elapsed_ms,
            gathered=gathered,
            used=used,
            outcome=outcome,
        )
        if why := record_assembly(self.home, assembly):
            self._warn(f"this assembly was not recorded: {why}")
        return assembly.assembly


def _gathered(chunk_id: str, found: Any) -> Gathered:
    return Gathered(chunk_id, found.kind, found.type, found.section, found.rank)


def _answered(answer: Answer, assembly: str, elapsed_ms: float, total: TotalAnswer | None) -> Answered:
    if total:
        # Of documents that have nothing to do with it there may be thousands.
        total = replace(total, documents=tuple(one for one in total.documents if one.outcome != "other"))
    return Answered(**_fields(answer), assembly=assembly, elapsed_ms=round(elapsed_ms, 1), total=total)


def _fields(record: Any) -> dict[str, Any]:
    """The record's fields as they are: `asdict` would take apart what is inside them too."""
    return {field.name: getattr(record, field.name) for field in fields(record)}
