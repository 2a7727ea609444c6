"""Models: what words an answer from excerpts, one file per member, and the table of their names."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, Literal, Protocol

from muniment.errors import SettingsError

MODELS: dict[str, str] = {
    "none": "no model: answers are sentences of the documents, word for word (the default)",
    "ollama": "a chat model of an Ollama server",
    "openai": "any server with an OpenAI-compatible /v1/chat/completions",
}
"""Each name is a module of this package with a function `make(choice)`."""


@dataclass(frozen=True, slots=True)
class ModelChoice:
    """Which model to use, and how, as plain values."""

    name: str = "none"
    """A key of `MODELS`."""
    model: str = ""
    """As the servers name it."""
    hosts: tuple[str, ...] = ()
    """Addresses in order of preference; none means the member's default."""
    context_tokens: int = 8192
    """The window that prompt and reply have to fit into."""
    max_tokens: int = 400
    """The most tokens of a reply."""
    timeout_s: float = 60.0
    """For one request from start to end, however slowly its reply drips."""
    probe_timeout_s: float = 2.0
    """For the question whether a host is there and has the model."""
    keep_alive: str = "10m"
    """How long Ollama keeps the model loaded."""
    api_key: str = field(default="", repr=False)
    proxy: str = ""
    """The only proxy ever used: those of the environment are not."""
    egress_ack: bool = False
    """Texts may be sent to another machine."""


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of a conversation."""

    role: Literal["system", "user", "assistant"]
    content: str


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model said: text that nobody has checked yet."""

    text: str
    cut: bool
    """It ran into the limit of tokens: whatever it holds is not all."""
    host: str
    """The address that served."""


@dataclass(frozen=True, slots=True)
class Health:
    """Whether one host could serve, and why."""

    host: str
    ok: bool
    said: str
    hint: str = ""


class Model(Protocol):
    """Replies to messages with JSON of a schema, from the first host that is healthy."""

    @property
    def label(self) -> str:
        """Member and model, as `ollama:qwen3`."""
        ...

    def reply(self, messages: Sequence[Message], schema: Mapping[str, Any], timeout_s: float) -> Reply:
        """What the model says, within `timeout_s` over all hosts that are tried.

        Nothing guarantees that it follows the schema. Raises ProviderUnavailable when no host serves (worth a retry),
        or another ProviderError (not).
        """
        ...

    def health(self) -> list[Health]:
        """The state of each host, in order of preference; the first that is ok serves."""
        ...


def make_model(choice: ModelChoice) -> Model | None:
    """The model chosen, with nothing contacted yet; None for `none`.

    Raises SettingsError for a name, address or key that can't be used, and Refused for an address on another
    machine that was not acknowledged.
    """
    if choice.name not in MODELS:
        raise SettingsError(f"no model '{choice.name}'", hint=f"choose one of {', '.join(MODELS)}")
    made: Model | None = import_module(f"{__name__}.{choice.name}").make(choice)
    return made
