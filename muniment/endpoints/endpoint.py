"""An HTTP endpoint as the settings name it, and how its faults are worded; light, because it contacts nothing."""

import re
from dataclasses import dataclass, field

from muniment.endpoints.address import check_address
from muniment.errors import ProviderReply, ProviderUnavailable, SettingsError


class TextTooLong(ProviderReply):
    """The endpoint says that a text is longer than its model's window."""


class AskLater(ProviderUnavailable):
    """The endpoint has too much to do, and may say when it will have less."""

    seconds: float = 0.0
    """From its answer on; 0 where it does not say."""


class NoAnswer(ProviderUnavailable):
    """The endpoint took a request and never answered it in full: what was in the request may be why."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where texts are sent, and on what terms."""

    section: str
    """The settings that name it, which is also what it is called: embedder or model."""
    name: str
    url: str
    model: str
    timeout_s: float
    missing_hint: str
    """What to do when the endpoint does not have the model."""
    fault_hint: str
    """What becomes of a request that failed."""
    url_key: str = "url"
    """The key of its section that holds the url."""
    window_key: str = "max_tokens"
    """The key of its section that holds the model's window."""
    proxy: str = ""
    api_key: str = field(default="", repr=False)

    def __str__(self) -> str:
        return f"{self.section} '{self.name}' at '{self.url}'"

    @property
    def asked(self) -> str:
        """What messages call it: where it is, and which model it was asked for."""
        return f"{self} (model '{self.model}')"

    @property
    def url_setting(self) -> str:
        """The setting that holds the url, for hints."""
        return f"{self.section}.{self.url_key}"

    @property
    def window_setting(self) -> str:
        """The setting that holds the model's window, for hints."""
        return f"{self.section}.{self.window_key}"

    def unavailable(self, what: str, hint: str = "") -> ProviderUnavailable:
        """The error for an endpoint that can't serve now."""
        return ProviderUnavailable(f"{self.asked} {what}", hint or self.fault_hint)

    def silent(self, what: str) -> NoAnswer:
        """The error for an endpoint that left a request without an answer."""
        return NoAnswer(f"{self.asked} {what}", self.fault_hint)

    def unusable(self, what: str, hint: str = "") -> ProviderReply:
        """The error for an answer that can't be used, and would be no better next time."""
        return ProviderReply(f"{self.asked} {what}", hint or self.fault_hint)


def check_endpoint(endpoint: Endpoint, egress_ack: bool) -> Endpoint:
    """The endpoint, when it may be contacted.

    Raises SettingsError for an address, model or key that can't be sent, and Refused for one on another machine.
    """
    section = endpoint.section
    check_address(endpoint.url, endpoint.url_setting, egress_ack)
    if endpoint.proxy:
        check_address(endpoint.proxy, f"{section}.proxy", egress_ack)
    if not endpoint.model:
        raise SettingsError(f"{section} '{endpoint.name}' needs a model", hint=f"set {section}.model")
    if not re.fullmatch(r"[!-~]*", endpoint.api_key):
        raise SettingsError(f"{section}.api_key holds a character that no key has", hint="look for a space or line end")
    return endpoint
