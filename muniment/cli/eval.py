"""`muniment eval`: ask questions with known answers, and say how well each mode finds them."""

from __future__ import annotations

import argparse
import json
import os
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from muniment.cli.terminal import note, one_line, say
from muniment.errors import DONE, UsageError
from muniment.home import data_home, find_config

if TYPE_CHECKING:
    from collections.abc import Sequence

    from muniment.evaluate.metrics import SetReport
    from muniment.evaluate.questions import Asked
    from muniment.evaluate.runs import Ranking
    from muniment.settings import Settings
    from muniment.store.reader import Reader

SHOWN = 10
MAX_PRIOR = 0.1


def run(args: argparse.Namespace) -> int:
    """Asks every question of the index in every mode, prints the figures and returns DONE."""
    from muniment.chosen import generations_of
    from muniment.evaluate.metrics import load_library, measure
    from muniment.evaluate.questions import load_questions
    from muniment.evaluate.report import as_json, table
    from muniment.settings import load_settings

    asked = load_questions(args.file)
    load_library()  # before minutes of asking, not after
    config = find_config(args.config, os.environ)
    home, settings = data_home(args.home, os.environ, config), load_settings(config)
    strength = _strength(args, settings)
    with generations_of(settings, home).open(admit_sensitive=settings.archive.admit_sensitive) as reader:
        rankings = _ask(reader, settings, _asked_here(asked, reader, args.file), strength)
        fingerprint = reader.generation.fingerprint
    report = measure(rankings)
    _keep_trial(home, fingerprint, strength, report.whole)
    if args.plot:
        from muniment.evaluate.plot import draw

        draw(report, args.plot)
    if args.json:
        say(json.dumps(as_json(report, rankings), indent=1))
        return DONE
    say(table(report))
    _say_missed([ranking for ranking in rankings if ranking.mode == rankings[-1].mode and ranking.rank is None])
    return DONE


def _strength(args: argparse.Namespace, settings: Settings) -> float:
    strength: float = settings.ranking.effectiveness_prior if args.prior is None else args.prior
    if not 0 <= strength <= MAX_PRIOR:
        raise UsageError(f"--prior must be between 0 and {MAX_PRIOR} (it is {strength:g})")
    return strength


def _ask(reader: Reader, settings: Settings, asked: Sequence[Asked], strength: float) -> list[Ranking]:
    from muniment.chosen import question_embedder
    from muniment.evaluate.runs import MODES, rank_all
    from muniment.ranking.prior import read_prior

    embedder = question_embedder(settings, reader.generation, "hybrid")
    if embedder is None:
        note("note: this index has no vectors, so there is one mode to measure")
        return list(rank_all(reader, asked, MODES[:1], None))
    prior = read_prior(reader, strength)
    if strength and prior is None:
        note("note: the prior is not measured: there is not enough data on what was used")
    return list(rank_all(reader, asked, MODES, embedder, prior))


def _keep_trial(home: Path, fingerprint: str, strength: float, whole: SetReport) -> None:
    """Writes what was found of the prior, which search looks up before it uses it."""
    from muniment.ranking.loss import Trial, keep_trial, why_unproven

    found = whole.prior_over_hybrid
    if found is None:
        return
    at = datetime.now(UTC).isoformat(timespec="seconds")
    trial = Trial(fingerprint, strength, whole.questions, found.mean, found.low, found.high, at)
    try:
        kept = keep_trial(home, trial)
    except OSError as error:
        note(f"note: what was found of the prior was not kept: {error.strerror}")
        return
    why = why_unproven(home, fingerprint, strength)
    note(f"note: ranking.effectiveness_prior = {strength:g} {f'stays off: {why}' if why else 'may be used'} ({kept})")


def _asked_here(asked: Sequence[Asked], reader: Reader, file: Path) -> list[Asked]:
    """The questions whose corpus this index holds; those whose answers it does not hold are told of, and count."""
    here = [one for one in asked if one.corpus in ("", *reader.generation.sources)]
    if not here:
        raise UsageError(
            f"no question of '{file}' is about a source of this index",
            f"'corpus' names a source ({', '.join(reader.generation.sources)}), or is left out",
        )
    if len(here) < len(asked):
        note(
            f"note: {len(asked) - len(here)} of {len(asked)} questions are about corpora that this index does not hold"
        )
    paths = set(reader.rows("documents", ["path"])["path"].to_pylist())
    lost = [one for one in here if not any(gold.path in paths for gold in one.gold)]
    for one in lost[:SHOWN]:
        note(f"note: not indexed: {one_line(one.gold[0].path)}, the answer to '{one_line(one.query)}'")
    if len(lost) > SHOWN:
        note(f"note: the answers to {len(lost) - SHOWN} more are not indexed")
    return here


def _say_missed(missed: Sequence[Ranking]) -> None:
    for ranking in missed[:SHOWN]:
        note(f"not found ({ranking.mode}): {one_line(ranking.asked.query)} -> {one_line(ranking.asked.gold[0].path)}")
    if len(missed) > SHOWN:
        note(f"not found: {len(missed) - SHOWN} more; --json lists every rank")
