"""A model that was replaced under its name: told by a text whose vector is known from before."""

from dataclasses import dataclass, field

from muniment.embedders import Embedder, Vectors
from muniment.errors import ProviderError

# Another quantisation of the same weights may pass: it finds the same passages.
MIN_LIKENESS = 0.999


class ModelChanged(ProviderError):
    """The endpoint has another model now than the one that the known vectors are of."""


@dataclass(frozen=True, slots=True)
class KnownText:
    """A text, and the vector that it has in the index."""

    text: str = field(repr=False)
    vector: Vectors = field(repr=False)


def check_model(embedder: Embedder, known: KnownText) -> None:
    """Nothing, when the known text still gets its vector.

    Raises ModelChanged when it gets another one, and what `embed` raises.
    """
    now = embedder.embed([known.text])[0]
    if now.shape != known.vector.shape or float(now @ known.vector) < MIN_LIKENESS:
        raise ModelChanged(
            f"{embedder} gives a text another vector than before: there is another model under that name now, and"
            " 'muniment index --force' embeds everything anew with it",
            "bring the old model back, or embed everything anew with 'muniment index --force'",
        )
