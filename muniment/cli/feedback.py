"""`muniment feedback`: say which of the passages that were found were used."""

import argparse
import json
import os
from datetime import UTC, datetime

from muniment.assembly import record_feedback
from muniment.cli.terminal import one_line, say
from muniment.errors import DONE
from muniment.home import data_home, find_config


def run(args: argparse.Namespace) -> int:
    """Adds the used chunks to the log and returns DONE; raises UsageError for ids that the log does not hold."""
    config = find_config(args.config, os.environ)
    home = data_home(args.home, os.environ, config)
    used = list(dict.fromkeys(args.used))
    record_feedback(home, datetime.now(UTC), args.assembly, used)
    if args.json:
        say(json.dumps({"assembly": args.assembly, "used": used}, indent=1))
    else:
        say(f"recorded: {len(used)} used of assembly {one_line(args.assembly)}")
    return DONE
