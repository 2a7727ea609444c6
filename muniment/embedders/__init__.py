"""Embedders: what turns text into vectors, one file per member, and the table of their names."""

from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Literal, Protocol, cast

from muniment.errors import SettingsError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vectors = NDArray[np.float32]
else:
    # numpy costs 150 ms of the no-op path, which needs only a fingerprint.
    Vectors = object

Role = Literal["document", "query"]

EMBEDDERS: dict[str, str] = {
    "bundled": "all-MiniLM-L6-v2 on this machine, nothing to set up (the default)",
    "ollama": "a model of an Ollama server",
    "openai": "any server with an OpenAI-compatible /v1/embeddings",
    "none": "no vectors: lexical search only",
}
"""Each name is a module of this package with a function `make(choice)`."""


@dataclass(frozen=True, slots=True)
class EmbedderChoice:
    """Which embedder to use, and how, as plain values."""

    name: str = "bundled"
    """A key of `EMBEDDERS`."""
    model: str = ""
    """As the server names it; empty means the member's default."""
    url: str = ""
    """Where the server listens; empty means the member's default."""
    dimension: int = 0
    """The width every vector must have; 0 means what the model is known for, else what the first answer shows."""
    max_tokens: int = 0
    """The model's window; 0 means what the model is known for, else 512."""
    timeout_s: float = 60.0
    """For one request from start to end, however slowly its answer drips."""
    batch: int = 32
    """The most texts in one request."""
    document_prefix: str | None = None
    """None means what the model is known to need."""
    query_prefix: str | None = None
    api_key: str = field(default="", repr=False)
    proxy: str = ""
    """The only proxy ever used: those of the environment are not."""
    egress_ack: bool = False
    """Texts may be sent to another machine."""
    threads: int = 0
    """Of the bundled model; 0 means one per core, at most 8."""


class Embedder(Protocol):
    """Turns texts into unit vectors; safe to call from several threads, and again after any error.

    As a string it is what messages call it.
    """

    @property
    def fingerprint(self) -> str:
        """Names model, weights, dimension and prefix rule: equal fingerprints give comparable vectors.

        Known without contacting or loading anything. It changes once at most: when an unknown dimension is learned, to
        what it would be with that dimension in the settings.
        """
        ...

    @property
    def dimension(self) -> int:
        """Width of a vector; 0 where there are no vectors, or where only the first answer will tell."""
        ...

    @property
    def max_tokens(self) -> int:
        """The most tokens of one text, counted by `count_tokens`, that the model reads."""
        ...

    @property
    def fixed(self) -> bool:
        """Whether the fingerprint tells the weights, so that equal fingerprints can't stand for two models."""
        ...

    def count_tokens(self, texts: list[str]) -> list[int]:
        """Tokens of each text by the model's own tokenizer where there is one, else an upper estimate."""
        ...

    def embed(self, texts: list[str], role: Role = "document") -> Vectors:
        """Unit vectors, float32 of shape (len(texts), dimension), in the order of the texts.

        All or nothing: see `partial.embed_each` for what one bad text must not cost its siblings.
        Raises ProviderUnavailable (worth a retry) or another ProviderError (not); never returns a vector that is
        short, zero, or not finite.
        """
        ...


def make_embedder(choice: EmbedderChoice) -> Embedder:
    """The embedder chosen, with nothing contacted or loaded yet.

    Raises SettingsError for a name, address or key that can't be used, and Refused for an address on another
    machine that was not acknowledged.
    """
    if choice.name not in EMBEDDERS:
        raise SettingsError(f"no embedder '{choice.name}'", hint=f"choose one of {', '.join(EMBEDDERS)}")
    return cast(Embedder, import_module(f"{__name__}.{choice.name}").make(choice))
