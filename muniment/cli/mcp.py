"""`muniment mcp`: the index for one agent, over stdin and stdout."""

from __future__ import annotations

import argparse
import os
import signal
import sys

from muniment.cli.terminal import note
from muniment.errors import DONE
from muniment.home import data_home, find_config


def run(args: argparse.Namespace) -> int:
    """Answers until the client goes away, and ends the process; raises SettingsError for settings that can't be used.

    Without an index it starts all the same: each tool says so, until there is one.
    """
    from muniment.mcp.stdio import claim_wire, serve_stdio

    if sys.stdin.isatty():
        note("note: agents start this command and speak MCP with it (docs/mcp.md); end it with Ctrl-C")
    # First of all: what the imports below may print belongs to stderr.
    wire = claim_wire()
    # Python's own handler would wait for a line on stdin.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    from muniment.opened import OpenIndex
    from muniment.settings import load_settings

    config = find_config(args.config, os.environ)
    opened = OpenIndex(data_home(args.home, os.environ, config), load_settings(config), "mcp")
    opened.check()
    serve_stdio(opened, wire)
    # Not `return`: Python would wait for a model that still words an answer which nobody reads.
    os._exit(DONE)
