"""Guard of who may do what: bearer tokens of scope read or write. Closed to all that is not named here."""

from __future__ import annotations

from collections.abc import Sequence

from starlette.requests import HTTPConnection

from muniment.errors import Refused
from muniment.http.assets import PATHS
from muniment.http.problem import Problem
from muniment.tokens import Token, TokenFile, find_token

OPEN = PATHS | {"/healthz", "/readyz"}
"""Need no token: the page itself, which holds nothing of the index, and what a supervisor asks."""
ASKING = frozenset({"/api/ask", "/mcp"})
"""Paths that a request with a body only asks something of; the one tool of `/mcp` that writes looks for itself."""
_READING = frozenset({"GET", "HEAD", "OPTIONS"})


class TokenGuard:
    """Lets pass what carries a token of the scope that it needs.

    Without any token made, only a server that nobody else reaches (`closed` false) lets everybody pass.
    """

    def __init__(self, tokens: TokenFile, *, closed: bool) -> None:
        self._tokens = tokens
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
        scope = "write" if not tokens and not self._closed else _granted(tokens, request)
        if isinstance(scope, Problem):
            return scope
        request.scope["access"] = scope
        return _MISSING if scope != "write" and needed_scope(method, path) == "write" else None


def needed_scope(method: str, path: str) -> str:
    """The least scope: read for looking and asking, write for all else, also where nothing is there."""
    return "read" if method in _READING or path in ASKING else "write"


def _granted(tokens: Sequence[Token], request: HTTPConnection) -> str | Problem:
    """The scope of the token that the request carries."""
    kind, _, presented = request.headers.get("authorization", "").partition(" ")
    if kind.lower() != "bearer" or not presented:
        return _unauthorized("TokenMissing", "a token is needed", "")
    token = find_token(tokens, presented.strip())
    if token is None:
        return _unauthorized("TokenUnknown", "the token is not known here, or was revoked", ', error="invalid_token"')
    return token.scope


def _unauthorized(error: str, detail: str, about: str) -> Problem:
    hint = "make one with 'muniment token create NAME', and send it as 'Authorization: Bearer TOKEN'"
    return Problem(401, error, detail, hint, headers={"www-authenticate": f'Bearer realm="muniment"{about}'})


_MISSING = Problem(
    403,
    "ScopeMissing",
    "this needs a token of scope write",
    "make one with 'muniment token create NAME --scope write'",
    headers={"www-authenticate": 'Bearer realm="muniment", error="insufficient_scope", scope="write"'},
)
