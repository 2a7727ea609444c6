"""Conditional requests (RFC 9110): whether a client has what it asks for."""

from __future__ import annotations

from starlette.requests import HTTPConnection


def has_already(request: HTTPConnection, tag: str) -> bool:
    """Whether If-None-Match names the tag of what is there, weakly compared: proxies make tags weak."""
    known = ",".join(request.headers.getlist("if-none-match")).split(",")
    opaque = {part.strip().removeprefix("W/") for part in known}
    return tag.removeprefix("W/") in opaque or "*" in opaque
