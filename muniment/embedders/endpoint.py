"""An HTTP endpoint as the settings name it, and how its faults are worded; light, because it contacts nothing."""

import re
from dataclasses import dataclass, field

from muniment.embedders import EmbedderChoice
from muniment.embedders.address import check_address
from muniment.errors import ProviderError, ProviderReply, ProviderUnavailable, SettingsError

PENDING = "what could not be embedded stays pending, and the next run tries again"


class TextTooLong(ProviderReply):
    """The endpoint says that a text is longer than its model's window."""


class BatchCorrupted(ProviderError):
    """The endpoint gives a text another vector among others than alone.

    No ProviderReply: a batch that gets one is halved, and a smaller one could pass by luck.
    """


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where texts are sent, and on what terms."""

    name: str
    url: str
    model: str
    timeout_s: float
    missing_hint: str
    """What to do when the endpoint does not have the model."""
    proxy: str = ""
    api_key: str = field(default="", repr=False)

    def __str__(self) -> str:
        return f"embedder '{self.name}' at '{self.url}'"

    @property
    def asked(self) -> str:
        """Who is to blame for an unusable answer."""
        return f"{self} (model '{self.model}')"

    def unavailable(self, what: str, hint: str = PENDING) -> ProviderUnavailable:
        """The error for an endpoint that did not answer."""
        return ProviderUnavailable(f"{self} {what}", hint)

    def unusable(self, what: str, hint: str = PENDING) -> ProviderReply:
        """The error for an answer that can't be used, and would be no better next time."""
        return ProviderReply(f"{self.asked} {what}", hint)


def choose_endpoint(choice: EmbedderChoice, url: str, model: str, missing_hint: str) -> Endpoint:
    """The endpoint of an HTTP member, where the choice's own url and model go before those given.

    Raises SettingsError for an address, model or key that can't be sent, and Refused for one on another machine.
    """
    url, model = (choice.url or url).rstrip("/"), choice.model or model
    check_address(url, "embedder.url", choice.egress_ack)
    if choice.proxy:
        check_address(choice.proxy, "embedder.proxy", choice.egress_ack)
    if not model:
        raise SettingsError(f"embedder '{choice.name}' needs a model", hint="set embedder.model")
    if not re.fullmatch(r"[!-~]*", choice.api_key):
        raise SettingsError("embedder.api_key holds a character that no key has", hint="look for a space or line end")
    return Endpoint(choice.name, url, model, choice.timeout_s, missing_hint, choice.proxy, choice.api_key)
