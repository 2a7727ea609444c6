"""The endpoint of an HTTP embedder, as its choice names it."""

from muniment.embedders import EmbedderChoice
from muniment.endpoints.endpoint import Endpoint, check_endpoint
from muniment.errors import ProviderError

PENDING = "what could not be embedded stays pending, and the next run tries again"


class BatchCorrupted(ProviderError):
    """The endpoint gives a text another vector among others than alone.

    No ProviderReply: a batch that gets one is halved, and a smaller one could pass by luck.
    """


def choose_endpoint(choice: EmbedderChoice, url: str, model: str, missing_hint: str) -> Endpoint:
    """The endpoint of an HTTP member, where the choice's own url and model go before those given.

    Raises SettingsError for an address, model or key that can't be sent, and Refused for one on another machine.
    """
    endpoint = Endpoint(
        section="embedder",
        name=choice.name,
        url=(choice.url or url).rstrip("/"),
        model=choice.model or model,
        timeout_s=choice.timeout_s,
        missing_hint=missing_hint,
        fault_hint=PENDING,
        proxy=choice.proxy,
        api_key=choice.api_key,
    )
    return check_endpoint(endpoint, choice.egress_ack)
