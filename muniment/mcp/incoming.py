"""What a client of stdio sends: messages, and lines that are none, which the SDK passes over without a word."""

from __future__ import annotations

import json
from collections.abc import Iterator
from types import TracebackType
from typing import Any, Self

import anyio
from mcp.shared.message import SessionMessage
from mcp_types import ErrorData, JSONRPCError
from pydantic import ValidationError

PARSE_ERROR, INVALID_REQUEST = -32_700, -32_600


class Incoming:
    """The messages of a client, as the SDK's server takes them; to a line that is none it gets an error back.

    Whoever sent it would wait for an answer else.
    """

    def __init__(self, reading: Any, writing: Any) -> None:
        self._reading = reading
        self._writing = writing

    @property
    def last_context(self) -> Any:
        """That of the message received last."""
        return self._reading.last_context

    async def receive(self) -> SessionMessage:
        """The next message. Raises anyio.EndOfStream."""
        while isinstance(item := await self._reading.receive(), Exception):
            if refusal := refusal_of(item):
                await self._writing.send(SessionMessage(refusal))
        found: SessionMessage = item
        return found

    async def aclose(self) -> None:
        """Receives nothing any more."""
        await self._reading.aclose()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> SessionMessage:
        try:
            return await self.receive()
        except anyio.EndOfStream:
            raise StopAsyncIteration from None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()


def refusal_of(error: Exception) -> JSONRPCError | None:
    """The answer to a line that is no message, with its id where it has one; None for a blank line."""
    inputs = [one["input"] for one in error.errors(include_url=False)] if isinstance(error, ValidationError) else []
    if any(isinstance(one, str) and not one.strip() for one in inputs):
        return None
    read = list(_read(inputs))
    ids = [one.get("id") for one in read if isinstance(one, dict)]
    known = next((one for one in ids if isinstance(one, str | int) and not isinstance(one, bool)), None)
    said = ErrorData(code=INVALID_REQUEST, message="no message of JSON-RPC 2.0; batches are not taken")
    if not read:
        said = ErrorData(code=PARSE_ERROR, message="no JSON")
    return JSONRPCError(jsonrpc="2.0", id=known, error=said)


def _read(inputs: list[Any]) -> Iterator[Any]:
    """What stands in the line: what is no JSON to the SDK, half a character for example, may be some to others."""
    for one in inputs:
        if not isinstance(one, str):
            yield one
            continue
        try:
            yield json.loads(one)
        except (ValueError, RecursionError):
            continue
