"""What every model behind HTTP endpoints does alike: hosts in order of preference, one budget of time over all."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from time import monotonic
from typing import Any

from muniment.endpoints.endpoint import Endpoint, check_endpoint
from muniment.errors import ProviderError, ProviderUnavailable, SettingsError
from muniment.models import Health, Message, ModelChoice, Reply

UNANSWERED = "the search result stands; ask again, or see 'muniment doctor'"


@dataclass(frozen=True, slots=True)
class Wording:
    """One request as a member puts it on the wire."""

    messages: tuple[Message, ...]
    schema: Mapping[str, Any]
    options: dict[str, Any]
    """For the HTTP client."""


Chat = Callable[[Endpoint, Wording], Awaitable[tuple[object, object]]]
"""Sends a request, and returns what stands where text and finish reason should, unchecked."""
Probe = Callable[[Endpoint, dict[str, Any]], Awaitable[str]]
"""Says what a healthy host is; raises ProviderError for another."""


class HostedModel:
    """A model that several hosts may serve."""

    def __init__(self, choice: ModelChoice, hosts: Sequence[str], chat: Chat, probe: Probe, missing_hint: str) -> None:
        self.label = f"{choice.name}:{choice.model}"
        self._probe_timeout_s = choice.probe_timeout_s
        self._chat = chat
        self._probe = probe
        self._hosts = [_endpoint(choice, host, missing_hint) for host in choice.hosts or hosts]
        if not self._hosts:
            raise SettingsError(f"model '{choice.name}' needs a host", hint="set model.hosts")

    def reply(self, messages: Sequence[Message], schema: Mapping[str, Any], timeout_s: float) -> Reply:
        """What the first healthy host says; a host that goes away while it is asked is passed over as well."""
        end = monotonic() + timeout_s
        failed: ProviderError | None = None
        for place, host in enumerate(self._hosts):
            left = end - monotonic()
            if left <= 0:
                break
            last = place == len(self._hosts) - 1
            try:
                if not last:  # the last one is worth the request itself
                    self._say_health(host, min(left, self._probe_timeout_s))
                return self._ask(host, messages, schema, max(end - monotonic(), 0.001))
            except ProviderError as error:
                # What the most preferred host is missing is what the operator should hear of.
                failed = failed or error
        raise failed or ProviderUnavailable(f"model '{self.label}' had no time left to answer", UNANSWERED)

    def health(self) -> list[Health]:
        """The state of each host, asked one after another."""
        return [self._health(host) for host in self._hosts]

    def _health(self, host: Endpoint) -> Health:
        try:
            return Health(host.url, ok=True, said=self._say_health(host, self._probe_timeout_s))
        except ProviderError as error:
            return Health(host.url, ok=False, said=error.message, hint=error.hint)

    def _say_health(self, host: Endpoint, timeout_s: float) -> str:
        from muniment.endpoints.wire import call

        return call(replace(host, timeout_s=timeout_s), lambda options: self._probe(host, options))

    def _ask(self, host: Endpoint, messages: Sequence[Message], schema: Mapping[str, Any], timeout_s: float) -> Reply:
        from muniment.endpoints.wire import call

        limited = replace(host, timeout_s=min(timeout_s, host.timeout_s))
        text, finish = call(limited, lambda options: self._chat(host, Wording(tuple(messages), schema, options)))
        if not isinstance(text, str):
            raise host.unusable("answered without a message")
        return Reply(text, cut=finish == "length", host=host.url)


def _endpoint(choice: ModelChoice, host: str, missing_hint: str) -> Endpoint:
    endpoint = Endpoint(
        section="model",
        name=choice.name,
        url=host.rstrip("/"),
        model=choice.model,
        timeout_s=choice.timeout_s,
        missing_hint=missing_hint,
        fault_hint=UNANSWERED,
        url_key="hosts",
        window_key="context_tokens",
        proxy=choice.proxy,
        api_key=choice.api_key,
    )
    return check_endpoint(endpoint, choice.egress_ack)
