"""`muniment search`: find passages, each with its file and lines."""

from __future__ import annotations

import argparse
import json
import os
from contextlib import closing
from dataclasses import asdict
from typing import TYPE_CHECKING

from muniment.cli.caveats import note_unchecked, note_words_only
from muniment.cli.terminal import inert, note, one_line, say
from muniment.errors import DONE
from muniment.home import data_home, find_config
from muniment.worded import dispute_lines, staleness

if TYPE_CHECKING:
    from schemas.answers import Hit, Results

SHOWN_LINES = 12
SHOWN_CHARS = 2_000
"""Of a line; what is longer was made by a program, and --json has it whole."""


def run(args: argparse.Namespace) -> int:
    """Searches, prints the hits and returns DONE, also when there are none."""
    from muniment.opened import OpenIndex
    from muniment.search import Question
    from muniment.settings import load_settings
    from muniment.store.reader import Filter

    config = find_config(args.config, os.environ)
    home = data_home(args.home, os.environ, config)
    within = Filter(
        tuple(args.kind),
        tuple(args.type),
        tuple(args.section),
        tuple(args.source),
        namespaces=tuple(args.namespace),
    )
    question = Question(args.question, args.limit, args.mode, within, tuple(args.path), args.min_relevance)
    with closing(OpenIndex(home, load_settings(config), "cli", _warn)) as index:
        found = index.search(question, args.as_of)
        with index.reader(found.generation) as reader:
            several = len(reader.generation.sources) > 1
            if args.explain and (why := index.prior(reader).why):
                note(f"note: ranking.effectiveness_prior is off: {why}")
    if args.json:
        say(json.dumps(asdict(found), indent=1))
    else:
        _say_results(found, several=several, explain=args.explain)
    return DONE


def _warn(message: str) -> None:
    note(f"note: {message}")


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
    note_words_only(results.words_only)
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
        say(f"   | {_shown(line)}")
    if len(shown) < len(lines):
        say(f"   | ... {len(lines) - len(shown)} more lines")
    if hit.also:
        say(f"   also in {one_line(', '.join(hit.also))}")


def _shown(line: str) -> str:
    rest = len(line) - SHOWN_CHARS
    return f"{line[:SHOWN_CHARS]} ... {rest:,} more characters" if rest > 0 else line


def _explained(hit: Hit) -> str:
    """Where each list had the hit, and what was added to its score."""
    lists = (("words", hit.lexical_rank), ("meaning", hit.vector_rank))
    ranks = [f"{name}: {f'place {rank}' if rank else 'not among the first hundred'}" for name, rank in lists]
    boosts = [f"{name} {value:+.2f}" for name, value in hit.boosts.items()]
    return "; ".join([*ranks, *([f"boosts: {', '.join(boosts)}"] if boosts else [])])
