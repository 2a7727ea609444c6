"""The embedder that the settings name, as the seam takes it, and as questions are asked with it."""

from dataclasses import replace

from muniment.embedders import Embedder, EmbedderChoice, make_embedder
from muniment.errors import IndexMismatch
from muniment.generation import Generation
from muniment.settings import Settings


def embedder_choice(settings: Settings) -> EmbedderChoice:
    """The embedder of the settings, as plain values."""
    own = settings.embedder
    return EmbedderChoice(
        **own.model_dump(exclude={"api_key"}), api_key=own.api_key.get_secret_value(), egress_ack=settings.egress_ack
    )


def question_embedder(settings: Settings, generation: Generation, mode: str) -> Embedder | None:
    """The settings' embedder, where its vectors can be compared with the index's; None where words are enough.

    Raises IndexMismatch when the settings name another model than the index was made with.
    """
    if mode == "lexical" or not generation.dimension:
        return None
    choice = embedder_choice(settings)
    embedder = make_embedder(replace(choice, dimension=choice.dimension or generation.dimension))
    if embedder.fingerprint != generation.fingerprint:
        raise IndexMismatch(
            f"the index was made with '{generation.fingerprint}', the settings ask for '{embedder.fingerprint}'",
            "search by words with --mode lexical, or rebuild with 'muniment index --force'",
        )
    return embedder
