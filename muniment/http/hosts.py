"""Guard against DNS rebinding and foreign pages: by which name we are called, and by whose page.

A page of somebody else's can make its name resolve to this machine; its requests then carry that name.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Collection

from starlette.requests import HTTPConnection

from muniment.http.problem import Problem

LOOPBACK_NAMES = frozenset({"localhost", "127.0.0.1", "[::1]"})
ANY_ADDRESS = frozenset({"", "0.0.0.0", "::"})  # noqa: S104 - recognised, not bound


class HostGuard:
    """Lets pass what is called by a known name, and comes from no page or one of our own."""

    def __init__(self, bound: str, allowed: Collection[str]) -> None:
        self._known = known_names(bound, allowed)

    def __call__(self, request: HTTPConnection) -> Problem | None:
        """The problem with the request's Host or Origin."""
        hosts = request.headers.getlist("host")
        if len(hosts) != 1 or _name(hosts[0]) not in self._known:
            return Problem(
                421,
                "HostNotAllowed",
                "this server is not known by the name in the Host header",
                "call it by localhost or the address it listens at, or add the name to serve.allowed_hosts",
            )
        origins = request.headers.getlist("origin")
        # The port too: a page of another server on this machine is a foreign page. Not the scheme, which a proxy
        # in front of us may have taken off.
        if any(origin.lower().partition("://")[2] != hosts[0].lower() for origin in origins):
            return Problem(403, "OriginNotAllowed", "pages of other origins may not call this server")
        return None


def known_names(bound: str, allowed: Collection[str]) -> frozenset[str]:
    """What a server that listens at `bound` may be called, as a Host header spells it without the port."""
    own = () if bound in ANY_ADDRESS else (bound,)
    return LOOPBACK_NAMES | {_spelled(name) for name in (*own, *allowed)}


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches a server that listens there."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def _name(host: str) -> str:
    """The host without its port."""
    host = host.lower()
    name, colon, port = host.rpartition(":")
    # No port in `[::1]`; with anything but digits after the colon it is no name that we know either.
    return name if colon and port.isdecimal() else host


def _spelled(name: str) -> str:
    """A configured name or address as a Host header spells it."""
    return f"[{name}]".lower() if ":" in name and not name.startswith("[") else name.lower()
