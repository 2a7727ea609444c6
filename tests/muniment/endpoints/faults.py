"""What can be wrong with a server of vectors: each fault as a behaviour, with what has to be said of it."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tests.muniment.embedders.servers import Behaviour, EmbeddingServer, Handler

Spoil = Callable[[list[str], list[Any]], list[Any]]
LONG = "at length"
"""Stands in the texts that a server breaks over."""


@dataclass(frozen=True)
class Fault:
    """A way to misbehave from now on."""

    make: Callable[[str], Behaviour]
    """Of the address of another server."""
    says: str
    """A pattern."""


def _spoilt(spoil: Spoil, says: str) -> Fault:
    return Fault(lambda elsewhere: Behaviour(spoil=spoil), says)


def _refused(status: int, message: str, says: str) -> Fault:
    return Fault(lambda elsewhere: Behaviour(refuse=lambda texts: (status, message)), says)


def _instead(answer: Callable[[Handler], None], says: str) -> Fault:
    return Fault(lambda elsewhere: Behaviour(instead=answer), says)


def _first(change: Callable[[list[Any]], Any]) -> Spoil:
    return lambda texts, vectors: [change(vectors[0]), *vectors[1:]]


def _flood(handler: Handler) -> None:
    handler.close_connection = True
    handler.wfile.write(b"HTTP/1.1 200 OK\r\n\r\n[")
    while True:
        handler.wfile.write(b"0," * 500_000)


def _cut_off(handler: Handler) -> None:
    handler.close_connection = True
    handler.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 999\r\n\r\n{")


_NOT_NUMBERS = "not (what was asked for|made of numbers)"
FAULTS: dict[str, Fault] = {
    "fewer vectors": _spoilt(lambda texts, vectors: vectors[1:], r"returned \d+ vectors for \d+ texts"),
    "more vectors": _spoilt(lambda texts, vectors: [*vectors, vectors[0]], r"returned \d+ vectors for \d+ texts"),
    "no vectors": _spoilt(lambda texts, vectors: [], "returned 0 vectors for"),
    "another width": _spoilt(lambda texts, vectors: [[*v, 0.5] for v in vectors], "9 numbers where 8"),
    "mixed widths": _spoilt(_first(lambda v: v[:-1]), "7 numbers where 8"),
    "NaN": _spoilt(_first(lambda v: [math.nan, *v[1:]]), "NaN or infinity"),
    "infinity": _spoilt(_first(lambda v: [*v[1:], -math.inf]), "NaN or infinity"),
    "zeros": _spoilt(lambda texts, vectors: [[0.0] * 8 for _ in vectors], "vector of zeros"),
    "a null in a vector": _spoilt(_first(lambda v: [None, *v[1:]]), _NOT_NUMBERS),
    "a null vector": _spoilt(_first(lambda v: None), _NOT_NUMBERS),
    "another model": _spoilt(lambda texts, vectors: [v[::-1] for v in vectors], "there is another model under that"),
    "500": _refused(500, "something broke", "answered HTTP 500"),
    "503": _refused(503, "loading", r"has too much to do \(HTTP 503\)"),
    "429": _refused(429, "slow down", r"has too much to do \(HTTP 429\)"),
    "NaN refused": _refused(500, "json: unsupported value: NaN", r"computed NaN \(HTTP 500\)"),
    "too long, all of it": _refused(400, "the input length exceeds the context length", "finds a text too long"),
    "the model is gone": Fault(lambda elsewhere: Behaviour(models={}), r"has no such model or path \(HTTP 404\)"),
    "reset": _instead(Handler.reset, "broke off the connection"),
    "cut off": _instead(_cut_off, "broke off the connection"),
    "dripped": _instead(
        lambda handler: handler.drip(b"HTTP/1.1 200 OK\r\nContent-Length: 99999\r\n\r\n{"),
        r"did not answer within 1 s",
    ),
    "sent elsewhere": Fault(
        lambda elsewhere: Behaviour(
            instead=lambda handler: handler.answer(307, b"", Location=elsewhere + handler.path)
        ),
        "redirects are not followed",
    ),
    "huge": _instead(_flood, "answered with more than 67108864 bytes"),
    "no JSON": _instead(lambda handler: handler.answer(200, b"<html>It works!"), "not what was asked for"),
    "half of JSON": _instead(
        lambda handler: handler.answer(200, b'{"embeddings": [[0.1, 0.'), "not what was asked for"
    ),
    "nothing": _instead(lambda handler: handler.answer(200, b""), "not what was asked for"),
}


def arm(server: EmbeddingServer, fault: Fault, elsewhere: str) -> None:
    """Makes the server behave until it is sent a long text, and misbehave from then on, whatever it is sent."""
    broken: list[Behaviour] = []

    def look(handler: Handler) -> None:
        texts = server.received[-1].texts
        if not broken and any(LONG in text for text in texts):
            broken.append(fault.make(elsewhere))
        behaviour = broken[0] if broken else Behaviour()
        if behaviour.instead:
            behaviour.instead(handler)
        else:
            handler.embed(behaviour, "tiny", texts)

    server.behaviour = Behaviour(instead=look)
