"""`muniment search`: find passages, each with its file and lines."""

from __future__ import annotations

import argparse
import json
import os
from dataclasses import asdict, replace
from datetime import UTC, datetime
from time import monotonic
from typing import TYPE_CHECKING

from muniment.cli.stale import note_unchecked
from muniment.cli.terminal import inert, note, one_line, say
from muniment.errors import DONE
from muniment.home import data_home, find_config
from muniment.worded import dispute_lines, staleness

if TYPE_CHECKING:
    from muniment.assembly import Assembly
    from schemas.answers import Hit, Results

SHOWN_LINES = 12


def run(args: argparse.Namespace) -> int:
    """Searches, prints the hits and returns DONE, also when there are none."""
    from muniment.assembly import record_assembly
    from muniment.chosen import question_embedder
    from muniment.disputes import dispute_results
    from muniment.freshness import mark_changes
    from muniment.ranking.prior import choose_prior
    from muniment.search import Question, search
    from muniment.settings import load_settings
    from muniment.store.reader import Filter, open_reader

    began = monotonic()
    config = find_config(args.config, os.environ)
    home = data_home(args.home, os.environ, config)
    within = Filter(tuple(args.kind), tuple(args.type), tuple(args.section), tuple(args.source))
    question = Question(args.question, args.limit, args.mode, within, tuple(args.path), args.min_relevance)
    settings = load_settings(config)
    with open_reader(home / "index", args.as_of, admit_sensitive=settings.archive.admit_sensitive) as reader:
        embedder = question_embedder(settings, reader.generation, args.mode)
        chosen = choose_prior(reader, home, settings.ranking.effectiveness_prior)
        question = replace(question, prior=chosen.prior)
        results = dispute_results(reader, mark_changes(reader, search(reader, question, embedder)))
        several = len(reader.generation.sources) > 1
    assembly = _assembly(results, (monotonic() - began) * 1000)
    if why := record_assembly(home, assembly):
        note(f"note: this assembly was not recorded: {why}")
    if chosen.why and args.explain:
        note(f"note: ranking.effectiveness_prior is off: {chosen.why}")
    if args.json:
        about = {"assembly": assembly.assembly, "elapsed_ms": assembly.elapsed_ms}
        say(json.dumps({**asdict(results), **about}, indent=1))
    else:
        _say_results(results, several=several, explain=args.explain)
    return DONE


def _assembly(results: Results, elapsed_ms: float) -> Assembly:
    from muniment.assembly import Gathered, make_assembly

    gathered = [Gathered(hit.chunk_id, hit.kind, hit.type, hit.section, n) for n, hit in enumerate(results.hits, 1)]
    return make_assembly(
        datetime.now(UTC),
        "search",
        "cli",
        generation=results.generation,
        elapsed_ms=elapsed_ms,
        gathered=gathered,
    )


def _say_results(results: Results, *, several: bool, explain: bool) -> None:
    for place, hit in enumerate(results.hits, 1):
        if place > 1:
            say()
        _say_hit(place, hit, several=several)
        if explain:
            say(f"   {_explained(hit)}")
    if not results.hits:
        note("no hits: no indexed passage holds these words, or a filter leaves nothing")
    if results.pending:
        note(f"note: {results.pending} of {results.chunks} chunks were searched by their words only: no vectors yet")
    note_unchecked(results.unchecked)


def _say_hit(place: int, hit: Hit, *, several: bool) -> None:
    where = f"{hit.path}:{hit.line_start}-{hit.line_end}"
    named = f"{hit.source}: {where}" if several else where
    titles = " > ".join(dict.fromkeys(part for part in (hit.section, hit.title) if part))
    kind = hit.kind if hit.type == hit.kind else f"{hit.kind} {one_line(hit.type)}"
    say(f"{place}. {one_line(named)}  [{kind}]  {hit.relevance:.2f}")
    if titles:
        say(f"   {one_line(titles)}")
    if stale := staleness(hit):
        say(f"   {stale}")
    for disputed in dispute_lines(hit.disputes):
        say(f"   {disputed}")
    lines = inert(hit.text).split("\n")
    # A note that one more line follows takes that one line.
    shown = lines if len(lines) <= SHOWN_LINES + 1 else lines[:SHOWN_LINES]
    for line in shown:
        say(f"   | {line}")
    if len(shown) < len(lines):
        say(f"   | ... {len(lines) - len(shown)} more lines")
    if hit.also:
        say(f"   also in {one_line(', '.join(hit.also))}")


def _explained(hit: Hit) -> str:
    """Where each list had the hit, and what was added to its score."""
    lists = (("words", hit.lexical_rank), ("meaning", hit.vector_rank))
    ranks = [f"{name}: {f'place {rank}' if rank else 'not among the first hundred'}" for name, rank in lists]
    boosts = [f"{name} {value:+.2f}" for name, value in hit.boosts.items()]
    return "; ".join([*ranks, *([f"boosts: {', '.join(boosts)}"] if boosts else [])])
