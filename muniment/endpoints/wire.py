"""How servers are talked to: one deadline over all, no redirect, no proxy but ours, every fault translated."""

import re
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, TypeVar

import anyio
import httpx
from anyio.from_thread import start_blocking_portal

from muniment.endpoints.endpoint import AskLater, Endpoint, TextTooLong
from muniment.errors import ProviderError, SettingsError

T = TypeVar("T")
MAX_ANSWER_BYTES = 64 * 1024 * 1024
_TRANSIENT = {408, 425, 429, 502, 503, 504}
# As Ollama, llama.cpp (status 500), vLLM and OpenAI put it. An answer is read for these words and never repeated: it
# may hold the text or the key.
_TOO_LONG = re.compile(r"context (length|size)|maximum context|too (large|long)|physical batch size", re.I)
_NOT_A_NUMBER = re.compile(r"\bnan\b", re.I)


def call(endpoint: Endpoint, ask: Callable[[dict[str, Any]], Awaitable[T]]) -> T:
    """What `ask(client_options)` returns, within the endpoint's timeout from first to last byte.

    The options are for `httpx.AsyncClient`, or a client that passes them on to one. The event loop is this call's own,
    in a thread of its own: only cancelling ends a body that drips, and the caller may be in a loop already.
    An endpoint that says when to ask again is asked again then, as long as that is within the timeout.
    Raises ProviderUnavailable, TextTooLong or another ProviderReply, and SettingsError for a host that can't exist.
    """
    for url in filter(None, (endpoint.url, endpoint.proxy)):
        try:
            str(httpx.URL(url).host)
        except (httpx.InvalidURL, UnicodeError) as error:
            raise SettingsError(f"no host can have the name in this address: '{url}'", hint="check its xn--") from error
    with start_blocking_portal() as portal:
        answer: T = portal.call(_within_deadline, endpoint, ask)
    return answer


async def _within_deadline(endpoint: Endpoint, ask: Callable[[dict[str, Any]], Awaitable[T]]) -> T:
    # Outside the deadline: the first time this imports a client library, which the endpoint can't help.
    asking = ask(_client_options(endpoint))
    try:
        with anyio.fail_after(endpoint.timeout_s):
            while True:
                try:
                    return await asking
                except AskLater as later:
                    if not 0 < later.seconds < anyio.current_effective_deadline() - anyio.current_time():
                        raise
                    await anyio.sleep(later.seconds)
                asking = ask(_client_options(endpoint))
    except (TimeoutError, httpx.TimeoutException) as error:
        raise endpoint.silent(f"did not answer within {endpoint.timeout_s:g} s") from error
    except (ConnectionError, httpx.ConnectError) as error:
        raise endpoint.unavailable("can't be reached", hint=f"start it, or set {endpoint.url_setting}") from error
    except httpx.TransportError as error:
        raise endpoint.silent("broke off the connection") from error
    except (ValueError, RecursionError, httpx.DecodingError) as error:
        raise endpoint.unusable("answered with something that is not what was asked for") from error


def _client_options(endpoint: Endpoint) -> dict[str, Any]:
    async def check_status(response: httpx.Response) -> None:
        if not response.is_success:
            await response.aread()
            raise _refusal(endpoint, response)

    return {
        "transport": _Transport(endpoint),
        "timeout": httpx.Timeout(endpoint.timeout_s),
        "follow_redirects": False,
        "trust_env": False,
        "event_hooks": {"response": [check_status]},
    }


def _refusal(endpoint: Endpoint, response: httpx.Response) -> ProviderError:
    # Not `response.text`: a charset of the server's choice can be one that decodes to no text.
    status, body = response.status_code, response.content.decode("utf-8", "replace")
    if status in _TRANSIENT:
        later = AskLater(f"{endpoint.asked} is not ready or has too much to do (HTTP {status})", endpoint.fault_hint)
        later.seconds = _seconds(response.headers.get("Retry-After", ""))
        return later
    if response.has_redirect_location:
        last_stop = f"set {endpoint.url_setting} to the last stop"
        return endpoint.unusable("sends elsewhere, and redirects are not followed", last_stop)
    if _TOO_LONG.search(body):
        window = f"set {endpoint.window_setting} to the model's window"
        return TextTooLong(f"{endpoint.asked} finds a text too long", window)
    what, hint = f"answered HTTP {status}", "its log says why"
    if _NOT_A_NUMBER.search(body):
        what = f"computed NaN (HTTP {status})"
    elif status in {401, 403}:
        what = f"does not let us in (HTTP {status})"
        hint = f"check {endpoint.section}.api_key and {endpoint.url_setting}"
    elif status == 404:
        what, hint = "has no such model or path (HTTP 404)", endpoint.missing_hint
    return endpoint.unusable(what, hint)


def _seconds(retry_after: str) -> float:
    """What a header says, as seconds or as a date; 0 where it says nothing, or nothing that lies ahead."""
    if re.fullmatch(r"[0-9]{1,6}", retry_after):
        return float(retry_after)
    try:
        return max((parsedate_to_datetime(retry_after) - datetime.now(UTC)).total_seconds(), 0.0)
    except (ValueError, TypeError, OverflowError):  # no date, or one without its zone
        return 0.0


class _Transport(httpx.AsyncBaseTransport):
    """Sends our credentials and no others, and bounds the answer."""

    def __init__(self, endpoint: Endpoint) -> None:
        self._key = endpoint.api_key
        self._refused = endpoint.unusable(f"answered with more than {MAX_ANSWER_BYTES} bytes")
        # The machine's own trust store; there is no TLS to set up for http.
        verify = ssl.create_default_context() if endpoint.url.startswith("https:") else False
        self._inner = httpx.AsyncHTTPTransport(verify=verify, trust_env=False, proxy=endpoint.proxy or None)

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        # Ollama's client puts in OLLAMA_API_KEY of the environment, whatever address it is given.
        request.headers.pop("Authorization", None)
        if self._key:
            request.headers["Authorization"] = f"Bearer {self._key}"
        request.headers["Accept-Encoding"] = "identity"
        response = await self._inner.handle_async_request(request)
        response.stream = _Bounded(response.stream, self._refused)
        return response

    async def aclose(self) -> None:
        await self._inner.aclose()


class _Bounded(httpx.AsyncByteStream):
    def __init__(self, inner: Any, refused: ProviderError) -> None:
        self._inner = inner
        self._refused = refused

    async def __aiter__(self) -> AsyncIterator[bytes]:
        left = MAX_ANSWER_BYTES
        async for part in self._inner:
            left -= len(part)
            if left < 0:
                raise self._refused
            yield part

    async def aclose(self) -> None:
        await self._inner.aclose()
