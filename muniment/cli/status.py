"""`muniment status`: what is indexed, from which commit, and where it is kept."""

import argparse
import json
import os
from pathlib import Path

from muniment.cli.left_out import secrets, types_left_out, withheld
from muniment.cli.terminal import one_line, say
from muniment.errors import DONE
from muniment.home import Config, data_home, find_config
from muniment.store.generations import FolderGenerations, Generations
from muniment.worded import counted
from schemas.generations import Generation, as_json


def run(args: argparse.Namespace) -> int:
    """Prints the published generation and returns DONE; raises NoIndex when there is none."""
    config = find_config(args.config, os.environ)
    home = data_home(args.home, os.environ, config)
    generations = _generations(home, config)
    generation = generations.current()
    kept = generations.kept()
    if args.json:
        earlier = [{"number": one.number, "published_at": one.published_at} for one in kept]
        about = {"home": str(home), "settings": str(config.path or ""), "index": generations.place}
        say(json.dumps({**about, **as_json(generation), "kept": earlier}, indent=1))
    else:
        say(f"home        {home}")
        say(f"settings    {config.path or 'none; defaults and environment'}")
        if not generations.holds:
            say(f"index       {generations.place}, read in place")
        _say(generation, kept)
    return DONE


def _generations(home: Path, config: Config) -> Generations:
    """What is published, without loading the settings where they can't say that it is read in a bucket."""
    if "scale" not in config.values and not any(name.upper().startswith("MUNIMENT_SCALE") for name in os.environ):
        return FolderGenerations(home / "index")
    from muniment.chosen import generations_of
    from muniment.settings import load_settings

    return generations_of(load_settings(config), home)


def _say(generation: Generation, kept: list[Generation]) -> None:
    say(f"generation  {generation.number}, published {generation.published_at}")
    for one in kept:
        if one.number != generation.number:
            say(f"kept        {one.number}, published {one.published_at}: --as-of {one.number}")
    say(f"embedder    {generation.fingerprint}")
    if generation.pending:
        say(f"pending     {generation.pending} chunks wait for their vectors: {generation.pending_reason}")
    for source in generation.sources.values():
        at = f" at {source.commit[:10]}" if source.commit else ""
        how = " (working copies)" if source.worktree else ""
        held = f"{counted(source.documents, 'document')}, {counted(source.chunks, 'chunk')}"
        say(f"source      {one_line(source.name)}: {held}{at}{how}")
        say(f"            {one_line(source.path)}")
        if source.skipped:
            say("            skipped: " + ", ".join(f"{count} {reason}" for reason, count in source.skipped.items()))
        if source.withheld:
            say(f"            sensitive: {withheld(source.withheld)}, withheld unless archive.admit_sensitive")
        if source.secrets:
            say(f"            secrets: {secrets(source.secrets)}")
        if source.left_out:
            say(f"            left out by type: {types_left_out(source.left_out)}")
