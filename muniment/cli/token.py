"""`muniment token`: make, list and revoke the bearer tokens of `muniment serve`."""

import argparse
import json
import os
from datetime import UTC, datetime
from pathlib import Path

from muniment.cli.terminal import note, one_line, say
from muniment.errors import DONE
from muniment.home import data_home, find_config
from muniment.tokens import create_token, read_tokens, revoke_token


def run(args: argparse.Namespace) -> int:
    """Does what was asked with the tokens of the home and returns DONE; raises UsageError for a name it can't take."""
    home = data_home(args.home, os.environ, find_config(args.config, os.environ))
    {"create": _create, "list": _list, "revoke": _revoke}[args.action](args, home)
    return DONE


def _create(args: argparse.Namespace, home: Path) -> None:
    made = create_token(home, args.name, args.scope, datetime.now(UTC))
    if args.json:
        say(json.dumps({"name": args.name, "scope": args.scope, "token": made}, indent=1))
    else:
        say(made)
        note("note: it is shown this once; send it as 'Authorization: Bearer TOKEN'")


def _list(args: argparse.Namespace, home: Path) -> None:
    tokens = read_tokens(home)
    if args.json:
        shown = [{"name": one.name, "scope": one.scope, "created_at": one.created_at} for one in tokens]
        say(json.dumps(shown, indent=1))
        return
    for one in tokens:
        say(f"{one_line(one.name)}  {one.scope}  made {one.created_at}")
    if not tokens:
        note("no tokens: 'muniment serve' answers this machine alone, without any")


def _revoke(args: argparse.Namespace, home: Path) -> None:
    revoke_token(home, args.name)
    if args.json:
        say(json.dumps({"revoked": args.name}, indent=1))
    else:
        say(f"revoked: {one_line(args.name)}")
