"""`muniment token`: make, list and revoke the bearer tokens of `muniment serve`."""

import argparse
import json
import os
from datetime import UTC, datetime
from pathlib import Path

from muniment.cli.terminal import note, one_line, say
from muniment.errors import DONE
from muniment.home import data_home, find_config
from muniment.tokens import Token, create_token, read_span, read_tokens, revoke_token


def run(args: argparse.Namespace) -> int:
    """Does what was asked with the tokens of the home and returns DONE; raises UsageError for a name it can't take."""
    home = data_home(args.home, os.environ, find_config(args.config, os.environ))
    {"create": _create, "list": _list, "revoke": _revoke}[args.action](args, home)
    return DONE


def _create(args: argparse.Namespace, home: Path) -> None:
    lasts = read_span(args.expires) if args.expires else None
    made = create_token(home, args.name, args.scope, datetime.now(UTC), lasts)
    (expires_at,) = (token.expires_at for token in read_tokens(home) if token.name == args.name)
    if args.json:
        say(
            json.dumps(
                {"name": args.name, "scope": args.scope, "expires_at": expires_at or None, "token": made}, indent=1
            )
        )
    else:
        say(made)
        until = f"; it expires {expires_at}" if expires_at else ""
        note(f"note: it is shown this once; send it as 'Authorization: Bearer TOKEN'{until}")


def _list(args: argparse.Namespace, home: Path) -> None:
    tokens, now = read_tokens(home), datetime.now(UTC)
    if args.json:
        say(json.dumps([_told(one, now) for one in tokens], indent=1))
        return
    for one in tokens:
        state = "expired" if one.expired(now) else "expires"
        until = f"  {state} {one.expires_at}" if one.expires_at else ""
        say(f"{one_line(one.name)}  {one.scope}  made {one.created_at}{until}")
    if not tokens:
        note("no tokens: 'muniment serve' answers this machine alone, without any")


def _told(token: Token, now: datetime) -> dict[str, object]:
    return {
        "name": token.name,
        "scope": token.scope,
        "created_at": token.created_at,
        "expires_at": token.expires_at or None,
        "expired": token.expired(now),
    }


def _revoke(args: argparse.Namespace, home: Path) -> None:
    revoke_token(home, args.name)
    if args.json:
        say(json.dumps({"revoked": args.name}, indent=1))
    else:
        say(f"revoked: {one_line(args.name)}")
