"""`muniment doctor`: check that everything an index needs is there."""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from muniment.chosen import embedder_choice, model_choice
from muniment.cli.terminal import one_line, say
from muniment.errors import DONE, FOUND, MunimentError
from muniment.generation import read_current
from muniment.home import data_home, find_config
from muniment.settings import Settings, load_settings

LOW_DISK = 500_000_000


@dataclass(frozen=True, slots=True)
class Check:
    """One thing looked at."""

    what: str
    ok: bool
    said: str
    hint: str = ""


def run(args: argparse.Namespace) -> int:
    """Prints each check and returns DONE, or FOUND when one failed."""
    config = find_config(args.config, os.environ)
    settings = load_settings(config)
    home = data_home(args.home, os.environ, config)
    checks = [_python(), _git(), _folder(home), _disk(home), _index(home / "index")]
    checks += [*_embedder(settings), *_model(settings)]
    if args.json:
        say(json.dumps([asdict(check) for check in checks], indent=1))
    else:
        for check in checks:
            say(f"{'ok  ' if check.ok else 'FAIL'}  {check.what:10} {one_line(check.said)}")
            if check.hint and not check.ok:
                say(f"      {'':10} hint: {one_line(check.hint)}")
    return DONE if all(check.ok for check in checks) else FOUND


def _python() -> Check:
    return Check("python", sys.version_info >= (3, 11), sys.version.split()[0], "muniment needs Python 3.11 or newer")


def _git() -> Check:
    found = shutil.which("git")
    return Check("git", found is not None, found or "not found", "install git")


def _folder(home: Path) -> Check:
    place = next(folder for folder in (home, *home.parents) if folder.exists())
    writable = os.access(place, os.W_OK)
    said = f"{home}" if place == home else f"{home} (will be made)"
    return Check("home", writable, said if writable else f"{place} can't be written", "choose another with --home")


def _disk(home: Path) -> Check:
    place = next(folder for folder in (home, *home.parents) if folder.exists())
    free = shutil.disk_usage(place).free
    return Check(
        "disk", free >= LOW_DISK, f"{free / 1e9:.1f} GB free", "free some room: a rebuild needs twice the index"
    )


def _index(index: Path) -> Check:
    from muniment.store.reader import open_reader

    try:
        if read_current(index) is None:
            return Check("index", ok=True, said="none yet; build one with 'muniment index PATH'")
        with open_reader(index) as reader:
            count = len(reader.rows("documents", ["doc_id"]))
            return Check("index", ok=True, said=f"generation {reader.generation.number}, {count} documents")
    except MunimentError as error:
        return Check("index", ok=False, said=error.message, hint=error.hint)


def _embedder(settings: Settings) -> Iterator[Check]:
    from muniment.embedders import make_embedder

    choice = embedder_choice(settings)
    if choice.name == "none":
        yield Check("embedder", ok=True, said="none: search by words only")
        return
    try:
        embedder = make_embedder(choice)
        width = embedder.embed(["how is the weather"], "query").shape[1]
        yield Check("embedder", ok=True, said=f"{embedder.fingerprint}, {width} dimensions")
    except MunimentError as error:
        yield Check("embedder", ok=False, said=error.message, hint=error.hint)


def _model(settings: Settings) -> Iterator[Check]:
    """One line a host; only a host that is looked for in vain fails, not one that stands by."""
    from muniment.models import make_model

    try:
        model = make_model(model_choice(settings))
    except MunimentError as error:
        yield Check("model", ok=False, said=error.message, hint=error.hint)
        return
    if model is None:
        yield Check("model", ok=True, said="none: answers are sentences of the documents")
        return
    states = model.health()
    serving = next((state for state in states if state.ok), None)
    for state in states:
        use = "serves" if state is serving else "stands by" if state.ok else "is passed over"
        said = f"{model.label} at {state.host} {use}: {state.said}"
        yield Check("model", ok=serving is not None, said=said, hint=state.hint)
