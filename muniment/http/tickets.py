"""Tickets: cookies by which the page's links to reports are let in, since a link carries no token of its own."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable
from secrets import token_bytes

from muniment.tokens import Token

COOKIE = "muniment-reports"
FOLDER = "/reports"
"""Where a ticket is good, for looking only; the browser sends it nowhere else."""
LASTS_S = 900
"""The page takes a new one each minute while it is looked at."""


class Tickets:
    """Makes and knows the tickets of one server; none outlives the server, nor the token that it was made for."""

    def __init__(self) -> None:
        self._key = token_bytes(32)

    def make(self, token: Token, now: float) -> str:
        """A ticket for whoever holds the token; `now` in seconds, by whatever clock `holder` is asked by."""
        until = int(now) + LASTS_S
        return f"{until}-{self._seal(token, until)}"

    def holder(self, ticket: str, tokens: Iterable[Token], now: float) -> Token | None:
        """The token that a ticket was made for, if it is one of these and the ticket still good."""
        digits, _, seal = ticket.partition("-")
        if not (digits.isascii() and digits.isdecimal() and len(digits) < 16 and now < int(digits)):
            return None
        found = None
        for token in tokens:
            if hmac.compare_digest(self._seal(token, int(digits)).encode(), seal.encode()):
                found = token
        return found

    def _seal(self, token: Token, until: int) -> str:
        return hmac.new(self._key, f"{until}-{token.digest}".encode(), hashlib.sha256).hexdigest()
