"""`muniment status`: what is indexed, from which commit, and where it is kept."""

import argparse
import json
import os
from pathlib import Path

from muniment.cli.left_out import secrets, types_left_out, withheld
from muniment.cli.terminal import one_line, say
from muniment.errors import DONE, NoIndex
from muniment.generation import kept_generations, read_current
from muniment.home import data_home, find_config
from schemas.generations import Generation, as_json


def run(args: argparse.Namespace) -> int:
    """Prints the published generation and returns DONE; raises NoIndex when there is none."""
    config = find_config(args.config, os.environ)
    home = data_home(args.home, os.environ, config)
    generation = read_current(home / "index")
    if generation is None:
        raise NoIndex(f"no index at '{home / 'index'}'", "build one with 'muniment index PATH'")
    kept = kept_generations(home / "index")
    if args.json:
        earlier = [{"number": one.number, "published_at": one.published_at} for one in kept]
        about = {"home": str(home), "settings": str(config.path or "")}
        say(json.dumps({**about, **as_json(generation), "kept": earlier}, indent=1))
    else:
        _say(home, config.path, generation, kept)
    return DONE


def _say(home: Path, config: Path | None, generation: Generation, kept: list[Generation]) -> None:
    say(f"home        {home}")
    say(f"settings    {config or 'none; defaults and environment'}")
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
        say(f"source      {one_line(source.name)}: {source.documents} documents, {source.chunks} chunks{at}{how}")
        say(f"            {one_line(source.path)}")
        if source.skipped:
            say("            skipped: " + ", ".join(f"{count} {reason}" for reason, count in source.skipped.items()))
        if source.withheld:
            say(f"            sensitive: {withheld(source.withheld)}, withheld unless archive.admit_sensitive")
        if source.secrets:
            say(f"            secrets: {secrets(source.secrets)}")
        if source.left_out:
            say(f"            left out by type: {types_left_out(source.left_out)}")
