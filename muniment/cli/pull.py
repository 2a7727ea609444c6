"""`muniment pull`: take the index that another machine published."""

from __future__ import annotations

import argparse
import json
import os

from muniment.cli.terminal import say
from muniment.errors import DONE, NoIndex, SettingsError
from muniment.generation import read_current
from muniment.home import data_home, find_config
from schemas.generations import Generation


def run(args: argparse.Namespace) -> int:
    """Prints which generation is here now, and returns DONE.

    Raises SettingsError where no bucket is set, and NoIndex where nothing was ever pushed to it.
    """
    from muniment.chosen import shared_bucket
    from muniment.settings import load_settings
    from muniment.store.shared import pull_generation

    config = find_config(args.config, os.environ)
    index = data_home(args.home, os.environ, config) / "index"
    choice = shared_bucket(load_settings(config))
    if choice is None:
        raise SettingsError("no bucket is set to pull from", "set scale.url (docs/scale.md)")
    pulled = pull_generation(choice, index)
    current = pulled or read_current(index)
    if current is None:
        raise NoIndex(f"nothing was pushed to '{choice.url}' yet", "run 'muniment index' where scale.url is set")
    _say_pulled(current, choice.url, new=pulled is not None, as_json=args.json)
    return DONE


def _say_pulled(current: Generation, url: str, *, new: bool, as_json: bool) -> None:
    if as_json:
        say(json.dumps({"pulled": new, "generation": current.number, "published_at": current.published_at}))
        return
    documents = sum(state.documents for state in current.sources.values())
    held = f"generation {current.number} of {current.published_at}, {documents} documents"
    say(f"{'pulled' if new else 'nothing new in'} {url}: {held}")
