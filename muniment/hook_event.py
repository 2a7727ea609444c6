"""Telling Prefect of a pull, by its HTTP API alone: Prefect's own client takes three seconds to load."""

from __future__ import annotations

import base64
import re
import uuid
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from muniment.errors import ProviderError, ProviderReply, ProviderUnavailable

EVENT = "muniment.repo.pulled"
RESOURCE = "muniment.repo."
"""What the trigger in prefect.yaml waits for: this event, of any resource whose name begins so."""
DEPLOYMENT = "index/post-pull"
TIMEOUT_S = 10.0
"""For each request, from first to last byte. An idle server answers in 12 to 50 ms; nobody waits for a busy one."""
_OK = range(200, 300)


@dataclass(frozen=True, slots=True)
class PrefectApi:
    """Where Prefect listens, and what it lets us in by."""

    url: str
    """Ends in /api."""
    auth_string: str = field(default="", repr=False)
    """User and password, with a colon between them."""
    key: str = field(default="", repr=False)

    def __str__(self) -> str:
        return re.sub(r"//[^/@]*@", "//", self.url)


def has_deployment(api: PrefectApi) -> bool:
    """Whether the deployment is there that a pull starts.

    Raises ProviderUnavailable where nobody answers, and ProviderReply where we are not let in or it is no Prefect.
    """
    status = _ask(api, "GET", f"/deployments/name/{DEPLOYMENT}")
    if status not in _OK and status != 404:
        raise _refusal(api, status)
    return status != 404


def send_pulled(api: PrefectApi, repo: str, commit: str, now: datetime) -> None:
    """Sends the event that starts the deployment; `repo` is a name for people. Raises as `has_deployment` does."""
    event = {
        "id": str(uuid.uuid4()),
        "occurred": now.isoformat(),
        "event": EVENT,
        "resource": {"prefect.resource.id": RESOURCE + (re.sub(r"[^\w.-]", "-", repo) or "any")},
        "payload": {"commit": commit},
    }
    status = _ask(api, "POST", "/events", [event])
    if status not in _OK:
        raise _refusal(api, status)


def _refusal(api: PrefectApi, status: int) -> ProviderError:
    if status in (401, 403):
        return ProviderReply(f"Prefect at '{api}' does not let us in (HTTP {status})", "check PREFECT_API_AUTH_STRING")
    return ProviderReply(f"Prefect at '{api}' answered HTTP {status}", "check PREFECT_API_URL, which ends in /api")


def _ask(api: PrefectApi, method: str, path: str, body: Any = None) -> int:
    """The status of the answer, whose body nobody reads."""
    import anyio
    import httpx

    url, headers = api.url.rstrip("/") + path, _headers(api)

    async def ask() -> int:
        # Neither proxies nor passwords of the environment, and nothing is sent on to where it is redirected.
        async with httpx.AsyncClient(trust_env=False, follow_redirects=False, timeout=TIMEOUT_S) as client:
            with anyio.fail_after(TIMEOUT_S):
                async with client.stream(method, url, json=body, headers=headers) as answer:
                    return answer.status_code

    try:
        return anyio.run(ask)
    except (TimeoutError, httpx.TimeoutException) as error:
        raise _unavailable(api, f"did not answer within {TIMEOUT_S:g} s") from error
    except (httpx.HTTPError, httpx.InvalidURL, OSError, UnicodeError) as error:
        raise _unavailable(api, "can't be reached") from error


def _unavailable(api: PrefectApi, what: str) -> ProviderUnavailable:
    return ProviderUnavailable(
        f"Prefect at '{api}' {what}", "start it ('prefect server start'), or unset PREFECT_API_URL"
    )


def _headers(api: PrefectApi) -> dict[str, str]:
    # As Prefect's own client: the password wins over the key.
    if api.auth_string:
        return {"Authorization": "Basic " + base64.b64encode(api.auth_string.encode()).decode()}
    return {"Authorization": f"Bearer {api.key}"} if api.key else {}
