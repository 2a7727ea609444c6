"""Which embedder a run uses, and whether its chunks may go into the published tables."""

from dataclasses import dataclass, replace

from muniment.embedders import Embedder, EmbedderChoice, make_embedder
from muniment.errors import IndexMismatch, ProviderError
from muniment.runner import Runner
from schemas.generations import Generation
from schemas.versions import SCHEMA_VERSION
from tasks.chunk.files import chunker_name
from tasks.embed import ask_dimension


@dataclass(frozen=True, slots=True)
class Settled:
    """The embedder of a run."""

    embedder: Embedder
    unknown: str = ""
    """Why its dimension could not be learned; without one the run makes words only."""


def settle_embedder(choice: EmbedderChoice, published: Generation | None, run: Runner) -> Settled:
    """The embedder with its dimension: from settings or model, else as published, else by asking the endpoint."""
    embedder = make_embedder(choice)
    if embedder.dimension or choice.name == "none":
        return Settled(embedder)
    if published and published.dimension:
        as_published = make_embedder(replace(choice, dimension=published.dimension))
        if as_published.fingerprint == published.fingerprint:
            return Settled(as_published)
    try:
        run(ask_dimension, embedder)
    except ProviderError as error:
        return Settled(embedder, error.message)
    return Settled(embedder)


def must_rebuild(published: Generation | None, embedder: Embedder, name: str) -> bool:
    """Whether the published tables can't take this run's chunks, through nobody's choice.

    True after an upgrade of muniment, and when an endpoint whose dimension was unknown has told it. Raises
    IndexMismatch when the operator chose another embedder: embedding everything again is then theirs to start.
    """
    if published is None:
        return False
    if published.fingerprint == embedder.fingerprint:
        return (published.chunker, published.schema) != (chunker_name(embedder), SCHEMA_VERSION)
    if published.embedder == name and not published.dimension:
        return True
    raise IndexMismatch(
        f"the index was made with '{published.fingerprint}', the settings ask for '{embedder.fingerprint}'",
        "'muniment index --force' builds the new one beside it and then swaps; until then the old one answers",
    )
