"""`muniment gc`: give back the room that nothing needs."""

from __future__ import annotations

import argparse
import json
import os
from dataclasses import asdict, replace
from datetime import timedelta

from muniment.cli.terminal import say
from muniment.errors import DONE
from muniment.home import data_home, find_config

IN_BUCKET = "objects in the bucket that no generation needs"


def run(args: argparse.Namespace) -> int:
    """Prints what was removed, by kind and in bytes, and returns DONE."""
    from flows.gc import gc
    from muniment.chosen import need_folder, shared_bucket
    from muniment.settings import load_settings
    from muniment.store.shared import collect_shared

    config = find_config(args.config, os.environ)
    home = data_home(args.home, os.environ, config)
    settings = load_settings(config)
    need_folder(settings, home / "index")
    done = gc(home / "index", settings.index.keep_generations, dry=args.dry_run)
    if choice := shared_bucket(settings):
        spare = timedelta(hours=settings.scale.orphan_hours)
        objects, room = collect_shared(choice, settings.index.keep_generations, spare, dry=args.dry_run)
        done = replace(done, sizes={**done.sizes, IN_BUCKET: room}, counts={**done.counts, IN_BUCKET: objects})
    if args.json:
        say(json.dumps({**asdict(done), "size": done.size}, indent=1))
        return DONE
    for what, size in done.sizes.items():
        say(f"{what}: {size:,} bytes" + (f" in {count} places" if (count := done.counts.get(what)) else ""))
    end = "would be reclaimed; nothing was removed" if done.dry else "reclaimed"
    say(f"{done.size:,} bytes {end}")
    return DONE
