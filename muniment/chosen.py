"""The embedder and the model that the settings name, as their seams take them."""

from dataclasses import replace
from pathlib import Path

from muniment.embedders import Embedder, EmbedderChoice, make_embedder
from muniment.embedders.questions import TIMEOUT_S
from muniment.errors import IndexMismatch, NoIndex, Refused, UsageError
from muniment.generation import POINTER
from muniment.models import MODELS, ModelChoice
from muniment.settings import Settings
from muniment.store.bucket import BucketChoice, bucket_choice
from muniment.store.generations import FolderGenerations, Generations
from schemas.generations import Generation


def embedder_choice(settings: Settings) -> EmbedderChoice:
    """The embedder of the settings, as plain values."""
    own = settings.embedder
    return EmbedderChoice(
        **own.model_dump(exclude={"api_key"}), api_key=own.api_key.get_secret_value(), egress_ack=settings.egress_ack
    )


def shared_bucket(settings: Settings) -> BucketChoice | None:
    """The bucket that the index is shared over, or None where none is set. Raises what `bucket_choice` raises."""
    options = {name: value.get_secret_value() for name, value in settings.scale.storage_options.items()}
    return bucket_choice(settings.scale.url, options, settings.egress_ack)


def generations_of(settings: Settings, home: Path) -> Generations:
    """What questions are answered from: the index in the home, or with scale.read_in_place the one in the bucket.

    Raises what `bucket_choice` raises.
    """
    if not settings.scale.read_in_place:
        return FolderGenerations(home / "index")
    from muniment.store.in_place import BucketGenerations

    choice = shared_bucket(settings)
    assert choice is not None  # the settings were checked
    return BucketGenerations(choice)


def need_folder(settings: Settings, index: Path) -> None:
    """Raises NoIndex for a command that works on files where the index is read in a bucket and none is here."""
    if settings.scale.read_in_place and not (index / POINTER).exists():
        raise NoIndex(
            f"no index at '{index}': it is read in place, in '{settings.scale.url}'",
            "run this where it is written, or take it here first with 'muniment pull'",
        )


def question_embedder(settings: Settings, generation: Generation, mode: str) -> Embedder | None:
    """The settings' embedder, where its vectors can be compared with the index's; None where words are enough.

    It is given up sooner than where documents wait, since words can answer instead. Raises IndexMismatch when the
    settings name another model than the index was made with.
    """
    if mode == "lexical" or not generation.dimension:
        return None
    choice = embedder_choice(settings)
    dimension, timeout_s = choice.dimension or generation.dimension, min(choice.timeout_s, TIMEOUT_S)
    embedder = make_embedder(replace(choice, dimension=dimension, timeout_s=timeout_s))
    if embedder.fingerprint != generation.fingerprint:
        raise IndexMismatch(
            f"the index was made with '{generation.fingerprint}', the settings ask for '{embedder.fingerprint}'",
            "search by words with --mode lexical, or rebuild with 'muniment index --force'",
        )
    return embedder


def model_choice(settings: Settings, asked: str = "") -> ModelChoice:
    """The model of the settings, or the one asked for as NAME or NAME:MODEL where the settings allow it.

    Raises Refused while generation is off, and UsageError for a name that the settings do not hold.
    """
    name, _, model = asked.partition(":")
    own = settings.model
    if name and name not in MODELS:
        raise UsageError(f"no model '{name}'", f"choose one of {', '.join(MODELS)}")
    if name == "none" or (not settings.ask.enabled and not name):
        return ModelChoice()
    if not settings.ask.enabled:
        raise Refused(f"model '{asked}' is not asked while generation is off", "set ask.enabled = true")
    if name and name != own.name:
        raise UsageError(f"the settings allow 'none' and '{own.name}', not '{name}'", "set model.name and model.hosts")
    return ModelChoice(
        name=own.name,
        model=model or own.model,
        hosts=own.hosts,
        context_tokens=own.context_tokens,
        max_tokens=settings.ask.max_tokens,
        timeout_s=settings.ask.timeout_s,
        probe_timeout_s=own.probe_timeout_s,
        keep_alive=own.keep_alive,
        api_key=own.api_key.get_secret_value(),
        proxy=own.proxy,
        egress_ack=settings.egress_ack,
    )
