"""Bearer tokens of `muniment serve`: random, kept as hashes, compared in constant time. Standard library only."""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import hmac
import json
import os
import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from secrets import token_urlsafe
from typing import Any, NamedTuple

from muniment.errors import Refused, UsageError
from muniment.inert import write_json

FILE = "tokens.json"
"""In the home; readable by its owner alone."""
PREFIX = "mnm_"
"""By which secret scanners, and people, know one."""
SCOPES: dict[str, str] = {"read": "search, ask and look", "write": "that, and index, evaluate and give feedback"}
_BYTES = 32
_NAME = re.compile(r"[\w.@-]{1,64}")
_SPAN = re.compile(r"([0-9]{1,6})([hdw])")
_HOURS = {"h": 1, "d": 24, "w": 7 * 24}
LONGEST = timedelta(days=3_650)


class Token(NamedTuple):
    """What is kept of a token: nothing that it could be made from again."""

    name: str
    scope: str
    """A key of SCOPES."""
    digest: str
    """SHA-256 of the whole token. Of 256 random bits, so a slow hash would protect nothing more."""
    created_at: str
    """ISO 8601, UTC."""
    expires_at: str = ""
    """The same; empty for a token that lasts until it is revoked."""

    def expired(self, now: datetime) -> bool:
        """Whether it is good for nothing any more."""
        return bool(self.expires_at) and datetime.fromisoformat(self.expires_at) <= now


def create_token(home: Path, name: str, scope: str, now: datetime, lasts: timedelta | None = None) -> str:
    """A new token, which is shown this once, and expires after so long.

    Raises UsageError for a name that is taken or can't be one.
    """
    if not _NAME.fullmatch(name):
        raise UsageError(f"a token can't be named '{name}'", "use up to 64 letters, digits and . _ @ -")
    made = PREFIX + token_urlsafe(_BYTES)
    with _changing(home) as tokens:
        if any(token.name == name for token in tokens):
            raise UsageError(f"there is a token '{name}'", f"revoke it first: muniment token revoke {name}")
        expires_at = (now + lasts).isoformat(timespec="seconds") if lasts else ""
        tokens.append(Token(name, scope, _digest(made), now.isoformat(timespec="seconds"), expires_at))
    return made


def read_span(text: str) -> timedelta:
    """The time that a text such as 90d names: a whole number of h(ours), d(ays) or w(eeks), at most ten years.

    Raises UsageError for any other text.
    """
    found = _SPAN.fullmatch(text)
    span = timedelta(hours=int(found[1]) * _HOURS[found[2]]) if found else timedelta()
    if not timedelta() < span <= LONGEST:
        raise UsageError(f"a token can't last '{text}'", "write hours, days or weeks, such as 12h, 90d or 4w")
    return span


def revoke_token(home: Path, name: str) -> None:
    """Forgets a token: a running server refuses it from now on. Raises UsageError where there is none."""
    with _changing(home) as tokens:
        kept = [token for token in tokens if token.name != name]
        if len(kept) == len(tokens):
            raise UsageError(f"no token '{name}'", "'muniment token list' names them")
        tokens[:] = kept


def read_tokens(home: Path) -> list[Token]:
    """The tokens in the order they were made. Raises Refused for a file that can't be read or is not ours."""
    path = home / FILE
    try:
        kept: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))
        tokens = [Token(**one) for one in kept]
        for token in tokens:
            token.expired(datetime.now(UTC))  # a date that can't be read is found here, and not when it is asked for
        return tokens
    except FileNotFoundError:
        return []
    except (OSError, ValueError, TypeError) as error:
        raise Refused(
            f"'{path}' can't be read, or is torn: {type(error).__name__}", "mend it, or move it away"
        ) from error


def find_token(tokens: Sequence[Token], presented: str) -> Token | None:
    """The token that somebody presents; takes as long whichever it is, or none."""
    digest = _digest(presented)
    found = None
    for token in tokens:
        if hmac.compare_digest(token.digest, digest):
            found = token
    return found


class TokenFile:
    """The tokens of a home as they are now, read again only when the file has changed."""

    def __init__(self, home: Path) -> None:
        self._home = home
        self._stamp: tuple[int, int, int] | None = None
        self._tokens: list[Token] = []

    def current(self) -> list[Token]:
        """The tokens. Raises Refused as `read_tokens` does."""
        stamp = self._look()
        if stamp != self._stamp:
            self._tokens = read_tokens(self._home)
            self._stamp = stamp
        return self._tokens

    def _look(self) -> tuple[int, int, int] | None:
        try:
            found = (self._home / FILE).stat()
        except FileNotFoundError:
            self._tokens = []
            return None
        # Every change makes a new file, so its number changes even within one tick of the clock.
        return found.st_ino, found.st_mtime_ns, found.st_size


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


@contextlib.contextmanager
def _changing(home: Path) -> Iterator[list[Token]]:
    """The list of tokens, which is written back whole when the block ends well; one process at a time."""
    try:
        home.mkdir(parents=True, exist_ok=True)
        lock = os.open(home / ".tokens.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise UsageError(f"can't write in '{home}': {error.strerror}", "check its owner and mode") from error
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        tokens = read_tokens(home)
        yield tokens
        _replace(home / FILE, write_json([token._asdict() for token in tokens], indent=1) + "\n")
    finally:
        os.close(lock)


def _replace(path: Path, text: str) -> None:
    beside = path.with_name(f".{path.name}.new")
    beside.unlink(missing_ok=True)  # else it would keep the mode that it has
    handle = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    beside.replace(path)
