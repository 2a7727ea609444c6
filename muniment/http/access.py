"""Guard of who may do what: bearer tokens of scope read or write. Closed to all that is not named here."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from starlette.requests import HTTPConnection

from muniment.errors import Refused
from muniment.http.assets import PATHS
from muniment.http.problem import Problem
from muniment.http.tickets import COOKIE, FOLDER, Tickets
from muniment.tokens import Token, TokenFile, find_token

OPEN = PATHS | {"/healthz", "/readyz"}
"""Need no token: the page itself, which holds nothing of the index, and what a supervisor asks."""
ASKING = frozenset({"/api/ask", "/mcp"})
"""Paths that a request with a body only asks something of; the one tool of `/mcp` that writes looks for itself."""
_READING = frozenset({"GET", "HEAD", "OPTIONS"})


class TokenGuard:
    """Lets pass what carries a token of the scope that it needs, or a ticket where one is good.

    Without any token made, only a server that nobody else reaches (`closed` false) lets everybody pass.
    """

    def __init__(self, tokens: TokenFile, tickets: Tickets, *, closed: bool) -> None:
        self._tokens = tokens
        self._tickets = tickets
        self._closed = closed

    def __call__(self, request: HTTPConnection) -> Problem | None:
        """The problem with the request's token; the scope that it was given is `access` from now on."""
        method, path = request.scope["method"], request.scope["path"]
        if path in OPEN and method in _READING:
            return None
        try:
            tokens = self._tokens.current()
        except Refused as error:
            return Problem(503, "TokensUnreadable", "the server can't read its tokens", error.hint)
        if not tokens and not self._closed:
            request.scope["access"] = "write"
            return None
        token = self._presented(tokens, request)
        if isinstance(token, Problem):
            return token
        request.scope["access"], request.scope["token"] = token.scope, token
        return _MISSING if token.scope != "write" and needed_scope(method, path) == "write" else None

    def _presented(self, tokens: Sequence[Token], request: HTTPConnection) -> Token | Problem:
        """The token that the request carries, or that its ticket was made for."""
        now = datetime.now(UTC)
        kind, _, presented = request.headers.get("authorization", "").partition(" ")
        if kind.lower() == "bearer" and presented:
            token = find_token(tokens, presented.strip())
        elif request.scope["path"].startswith(f"{FOLDER}/") and request.scope["method"] in _READING:
            token = self._tickets.holder(request.cookies.get(COOKIE, ""), tokens, now.timestamp())
            if token is None:
                return _unauthorized("TicketMissing", "a report is opened from the page at /", "", _FROM_THE_PAGE)
        else:
            return _unauthorized("TokenMissing", "a token is needed", "")
        if token is None:
            return _unauthorized("TokenUnknown", "the token is not known here, or was revoked", _INVALID)
        if token.expired(now):
            return _unauthorized("TokenExpired", f"the token '{token.name}' expired at {token.expires_at}", _INVALID)
        return token


def needed_scope(method: str, path: str) -> str:
    """The least scope: read for looking and asking, write for all else, also where nothing is there."""
    return "read" if method in _READING or path in ASKING else "write"


def _unauthorized(error: str, detail: str, about: str, hint: str = "") -> Problem:
    hint = hint or "make one with 'muniment token create NAME', and send it as 'Authorization: Bearer TOKEN'"
    return Problem(401, error, detail, hint, headers={"www-authenticate": f'Bearer realm="muniment"{about}'})


_FROM_THE_PAGE = "open that, give it a token, and follow its link; a link is good for a quarter of an hour"
_INVALID = ', error="invalid_token"'
_MISSING = Problem(
    403,
    "ScopeMissing",
    "this needs a token of scope write",
    "make one with 'muniment token create NAME --scope write'",
    headers={"www-authenticate": 'Bearer realm="muniment", error="insufficient_scope", scope="write"'},
)
