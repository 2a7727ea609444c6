"""`muniment ask`: an answer with its sources, or the passages that come closest and why they are no answer."""

from __future__ import annotations

import argparse
import json
import os
import re
import textwrap
from contextlib import closing
from dataclasses import asdict
from datetime import date, datetime
from typing import TYPE_CHECKING

from muniment.cli.caveats import note_unchecked, note_words_only
from muniment.cli.terminal import inert, note, one_line, say
from muniment.errors import DONE, UsageError
from muniment.home import data_home, find_config
from muniment.worded import dispute_lines, staleness

if TYPE_CHECKING:
    from schemas.cited import Answer, Excerpt

CLOSEST = 3
"""How many passages are shown where there is no answer."""
POSSIBLY = 0.5
"""An answer of less confidence is worded as no more than possibly related."""
WIDTH = 100
_BLANKS = re.compile(r"\n(?:[^\S\n]*\n)+")
"""Lines without a letter, where something was taken out of an excerpt: one of them is enough."""


def run(args: argparse.Namespace) -> int:
    """Asks, prints and returns DONE, also when the documents hold no answer."""
    from muniment.opened import Inquiry, OpenIndex
    from muniment.settings import load_settings
    from muniment.store.reader import Filter

    config = find_config(args.config, os.environ)
    home = data_home(args.home, os.environ, config)
    asked = Inquiry(
        args.question,
        model=args.model,
        within=Filter(sources=tuple(args.source), namespaces=tuple(args.namespace)),
        paths=tuple(args.path),
        today=_today(args.today),
        as_of=args.as_of,
    )
    with closing(OpenIndex(home, load_settings(config), "cli", _warn)) as index:
        answer = index.ask(asked)
        with index.reader(answer.generation) as reader:
            several = len(reader.generation.sources) > 1
    if args.json:
        say(json.dumps(asdict(answer), indent=1, default=_plain))
    elif answer.total:
        # It names its documents itself.
        say(inert(answer.answer))
    else:
        _say(answer, several=several)
    return DONE


def _warn(message: str) -> None:
    note(f"note: {message}")


def _today(given: str) -> date:
    try:
        return date.fromisoformat(given) if given else datetime.now().astimezone().date()
    except ValueError:
        raise UsageError(f"--today is no day: '{given}'", "write it as 2026-01-31") from None


def _plain(value: object) -> object:
    return sorted(value) if isinstance(value, frozenset) else str(value)


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
            say(textwrap.indent(_BLANKS.sub("\n\n", inert(excerpt.text)), "    | ", lambda _: True))
    if answer.pending:
        note(f"note: {answer.pending} chunks were searched by their words only: no vectors yet")
    note_words_only(answer.words_only)
    note_unchecked(answer.unchecked)


def _where(excerpt: Excerpt, *, several: bool) -> str:
    lines = f"{excerpt.line_start}-{excerpt.line_end}" if excerpt.line_end > excerpt.line_start else excerpt.line_start
    place = f"{excerpt.source}: {excerpt.path}:{lines}" if several else f"{excerpt.path}:{lines}"
    titles = " > ".join(dict.fromkeys(part for part in (excerpt.section, excerpt.title) if part))
    return one_line(f"{place} {titles}".rstrip())
