"""Guard of how often one address may ask: a token bucket for each."""

from __future__ import annotations

import ipaddress
import math

from starlette.requests import HTTPConnection
from throttled import MemoryStore, Throttled, rate_limiter

from muniment.http.problem import Problem

LIMITED = frozenset({"/api/ask"})
_ADDRESSES = 10_000
"""Buckets kept; of more addresses the ones that asked longest ago begin anew."""
_HOME_PREFIX = 64
"""Whoever has one IPv6 address has all of its network."""


class RateGuard:
    """Lets each client address ask `rate` times a second, and `burst` times at once."""

    def __init__(self, rate: int, burst: int) -> None:
        self._buckets = Throttled(
            using="token_bucket",
            quota=rate_limiter.per_sec(rate, burst=burst),
            store=MemoryStore(options={"MAX_SIZE": _ADDRESSES}),
        )

    def __call__(self, request: HTTPConnection) -> Problem | None:
        """The problem with one more question now."""
        if request.scope["path"] not in LIMITED or request.scope["method"] != "POST":
            return None
        return self.count(request)

    def count(self, request: HTTPConnection) -> Problem | None:
        """The same for what is known to be a question, whatever its path."""
        result = self._buckets.limit(client_key(request.client.host if request.client else ""))
        if not result.limited:
            return None
        seconds = max(1, math.ceil(result.state.retry_after))
        return Problem(
            429,
            "TooManyQuestions",
            "this address asks too often",
            f"ask again in {seconds} s",
            transient=True,
            headers={"retry-after": str(seconds)},
        )


def client_key(host: str) -> str:
    """What a client is counted by: its IPv4 address, or the network of its IPv6 address."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host
    if isinstance(address, ipaddress.IPv4Address):
        return str(address)
    if address.ipv4_mapped:
        return str(address.ipv4_mapped)
    return str(ipaddress.ip_network((int(address), _HOME_PREFIX), strict=False))
