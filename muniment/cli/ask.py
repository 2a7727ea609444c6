"""`muniment ask`: an answer with its sources, or the passages that come closest and why they are no answer."""

from __future__ import annotations

import argparse
import json
import os
import textwrap
from dataclasses import asdict, replace
from datetime import UTC, date, datetime
from time import monotonic
from typing import TYPE_CHECKING

from muniment.cli.stale import note_unchecked
from muniment.cli.terminal import inert, note, one_line, say
from muniment.errors import DONE, UsageError
from muniment.home import data_home, find_config
from muniment.worded import dispute_lines, staleness

if TYPE_CHECKING:
    from pathlib import Path

    from muniment.ask.amounts import Totalled
    from muniment.ask.gather import Limits
    from muniment.assembly import Assembly
    from muniment.settings import Settings
    from schemas.cited import Answer, Excerpt

CLOSEST = 3
"""How many passages are shown where there is no answer."""
POSSIBLY = 0.5
"""An answer of less confidence is worded as no more than possibly related."""
WIDTH = 100


def run(args: argparse.Namespace) -> int:
    """Asks, prints and returns DONE, also when the documents hold no answer."""
    from muniment.ask.amounts import ask_total
    from muniment.ask.answer import ask
    from muniment.assembly import record_assembly
    from muniment.chosen import model_choice, question_embedder
    from muniment.disputes import dispute_answer
    from muniment.freshness import mark_answer
    from muniment.models import make_model
    from muniment.ranking.prior import choose_prior
    from muniment.settings import load_settings
    from muniment.store.reader import open_reader

    began = monotonic()
    config = find_config(args.config, os.environ)
    home = data_home(args.home, os.environ, config)
    settings = load_settings(config)
    choice = model_choice(settings, args.model)
    model = make_model(choice)
    limits = _limits(settings, args)
    with open_reader(home / "index", args.as_of, admit_sensitive=settings.archive.admit_sensitive) as reader:
        several = len(reader.generation.sources) > 1
        total = ask_total(reader, args.question, limits.within, limits.paths, _today(args.today))
        if total is None:
            embedder = question_embedder(settings, reader.generation, "hybrid")
            prior = choose_prior(reader, home, settings.ranking.effectiveness_prior).prior
            asked = ask(reader, args.question, embedder, model, replace(limits, prior=prior))
            answer = dispute_answer(reader, mark_answer(reader, asked))
        generation = reader.generation.number
    if total is not None:
        return _finish_total(total, generation, home, began, as_json=args.json)
    assembly = _assembly(answer, (monotonic() - began) * 1000)
    if why := record_assembly(home, assembly):
        note(f"note: this assembly was not recorded: {why}")
    if args.json:
        about = {"assembly": assembly.assembly, "elapsed_ms": assembly.elapsed_ms}
        say(json.dumps({**asdict(answer), **about}, indent=1))
    else:
        _say(answer, several=several)
    return DONE


def _finish_total(total: Totalled, generation: int, home: Path, began: float, *, as_json: bool) -> int:
    """Records and prints an answer made from all documents."""
    from muniment.assembly import make_assembly, record_assembly

    assembly = make_assembly(
        datetime.now(UTC),
        "ask",
        "cli",
        generation=generation,
        elapsed_ms=(monotonic() - began) * 1000,
        gathered=total.gathered,
        used=[one.chunk_id for one in total.gathered],
        outcome="answered",
    )
    if why := record_assembly(home, assembly):
        note(f"note: this assembly was not recorded: {why}")
    if as_json:
        about = {"assembly": assembly.assembly, "elapsed_ms": assembly.elapsed_ms}
        say(json.dumps({**asdict(total.answer), **about}, indent=1, default=_plain))
    else:
        say(inert(total.answer.text))
    return DONE


def _today(given: str) -> date:
    try:
        return date.fromisoformat(given) if given else datetime.now().astimezone().date()
    except ValueError:
        raise UsageError(f"--today is no day: '{given}'", "write it as 2026-01-31") from None


def _plain(value: object) -> object:
    return sorted(value) if isinstance(value, frozenset) else str(value)


def _limits(settings: Settings, args: argparse.Namespace) -> Limits:
    from muniment.ask.gather import Limits
    from muniment.store.reader import Filter

    own = settings.ask
    return Limits(
        max_docs=own.max_docs,
        excerpt_chars=own.excerpt_chars,
        evidence=own.evidence,
        timeout_s=own.timeout_s,
        prompt_tokens=settings.model.context_tokens - own.max_tokens,
        within=Filter(sources=tuple(args.source)),
        paths=tuple(args.path),
    )


def _assembly(answer: Answer, elapsed_ms: float) -> Assembly:
    from muniment.assembly import Gathered, make_assembly

    gathered = [Gathered(one.chunk_id, one.kind, one.type, one.section, one.rank) for one in answer.excerpts]
    return make_assembly(
        datetime.now(UTC),
        "ask",
        "cli",
        generation=answer.generation,
        elapsed_ms=elapsed_ms,
        gathered=gathered,
        used=[one.chunk_id for one in answer.citations],
        outcome=answer.reason or "answered",
    )


def _say(answer: Answer, *, several: bool) -> None:
    from schemas.cited import NO_ANSWER

    if answer.reason:
        say(f"no answer: {NO_ANSWER[answer.reason]}")
        note(f"note: {answer.reason}: {answer.detail}")
        shown = answer.excerpts[:CLOSEST]
        if shown:
            say("closest passages:")
    else:
        possibly = "possibly related: " if answer.confidence < POSSIBLY else ""
        say(textwrap.fill(inert(possibly + answer.answer), WIDTH, break_long_words=False, break_on_hyphens=False))
        shown = answer.citations
        for disputed in dispute_lines(answer.disputes):
            say(disputed)
    for excerpt in shown:
        say()
        say(f"[{excerpt.id}] {_where(excerpt, several=several)}")
        if stale := staleness(excerpt):
            say(f"    {stale}")
        if answer.reason:
            say(textwrap.indent(inert(excerpt.text), "    | ", lambda _: True))
    if answer.pending:
        note(f"note: {answer.pending} chunks were searched by their words only: no vectors yet")
    note_unchecked(answer.unchecked)


def _where(excerpt: Excerpt, *, several: bool) -> str:
    lines = f"{excerpt.line_start}-{excerpt.line_end}" if excerpt.line_end > excerpt.line_start else excerpt.line_start
    place = f"{excerpt.source}: {excerpt.path}:{lines}" if several else f"{excerpt.path}:{lines}"
    titles = " > ".join(dict.fromkeys(part for part in (excerpt.section, excerpt.title) if part))
    return one_line(f"{place} {titles}".rstrip())
