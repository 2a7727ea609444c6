"""`muniment search`: find passages, each with its file and lines."""

from __future__ import annotations

import argparse
import json
import os
from dataclasses import asdict
from typing import TYPE_CHECKING

from muniment.cli.terminal import inert, note, one_line, say
from muniment.errors import DONE
from muniment.home import data_home, find_config

if TYPE_CHECKING:
    from schemas.answers import Hit, Results

SHOWN_LINES = 12


def run(args: argparse.Namespace) -> int:
    """Searches, prints the hits and returns DONE, also when there are none."""
    from muniment.chosen import question_embedder
    from muniment.search import Question, search
    from muniment.settings import load_settings
    from muniment.store.reader import Filter, open_reader

    config = find_config(args.config, os.environ)
    index = data_home(args.home, os.environ, config) / "index"
    within = Filter(kinds=tuple(args.kind), sections=tuple(args.section), sources=tuple(args.source))
    question = Question(args.question, args.limit, args.mode, within, tuple(args.path))
    settings = load_settings(config)
    with open_reader(index) as reader:
        embedder = question_embedder(settings, reader.generation, args.mode)
        results = search(reader, question, embedder)
        several = len(reader.generation.sources) > 1
    _say_results(results, as_json=args.json, several=several)
    return DONE


def _say_results(results: Results, *, as_json: bool, several: bool) -> None:
    if as_json:
        say(json.dumps(asdict(results), indent=1))
        return
    for place, hit in enumerate(results.hits, 1):
        if place > 1:
            say()
        _say_hit(place, hit, several=several)
    if not results.hits:
        note("no hits: no indexed passage holds these words, or a filter leaves nothing")
    if results.pending:
        note(f"note: {results.pending} of {results.chunks} chunks were searched by their words only: no vectors yet")


def _say_hit(place: int, hit: Hit, *, several: bool) -> None:
    where = f"{hit.path}:{hit.line_start}-{hit.line_end}"
    named = f"{hit.source}: {where}" if several else where
    titles = " > ".join(dict.fromkeys(part for part in (hit.section, hit.title) if part))
    say(f"{place}. {one_line(named)}  [{hit.kind}]  {hit.relevance:.2f}")
    if titles:
        say(f"   {one_line(titles)}")
    lines = inert(hit.text).split("\n")
    for line in lines[:SHOWN_LINES]:
        say(f"   | {line}")
    if len(lines) > SHOWN_LINES:
        say(f"   | ... {len(lines) - SHOWN_LINES} more lines")
    if hit.also:
        say(f"   also in {one_line(', '.join(hit.also))}")
