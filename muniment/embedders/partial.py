"""Embedding in which one bad text never costs its siblings their vectors."""

from dataclasses import dataclass

import numpy as np

from muniment.embedders import Embedder, Role, Vectors
from muniment.endpoints.endpoint import NoAnswer
from muniment.errors import ProviderReply

PROBE = "a plain sentence that any embedder can read"
MAX_SILENCES = 8
"""Each may last as long as a request is allowed to; to find one bad text in a hundred takes seven."""


@dataclass(frozen=True, slots=True)
class Partial:
    """What came of a batch: every text is either kept or failed."""

    vectors: Vectors
    """Unit vectors of the texts kept, float32 of shape (len(kept), dimension)."""
    kept: tuple[int, ...]
    """Positions of those texts in the batch, ascending."""
    failures: dict[int, str]
    """Position of each other text -> why it can't be embedded; the same text would fail again."""


def embed_each(embedder: Embedder, texts: list[str], role: Role = "document") -> Partial:
    """Vectors of all texts that can be embedded, and a reason for each that can't.

    A batch with a bad text is halved until that text stands alone. First a plain sentence is tried, so that an
    endpoint that refuses everything is asked twice and not twice per text. A request that is left without an answer
    is one that its texts may have crashed or kept too busy. Raises what `embed` raises when the endpoint itself is at
    fault: when the plain sentence fares no better, or it says that it can't serve now; and ProviderReply, since the
    same would happen again, when too many requests are left without an answer.
    """
    try:
        return Partial(embedder.embed(texts, role), tuple(range(len(texts))), {})
    except (ProviderReply, NoAnswer) as fault:
        embedder.embed([PROBE], role)
        suspects = [(range(len(texts)), fault.message)]
    silences = 0
    found: dict[int, Vectors] = {}
    failures: dict[int, str] = {}
    while suspects:
        at, why = suspects.pop()
        if len(at) == 1:
            failures[at[0]] = why
            continue
        for half in (at[: len(at) // 2], at[len(at) // 2 :]):
            try:
                found.update(zip(half, embedder.embed([texts[i] for i in half], role), strict=True))
            except (ProviderReply, NoAnswer) as smaller:
                silences += isinstance(smaller, NoAnswer)
                if silences == MAX_SILENCES:
                    raise ProviderReply(f"{smaller.message}, {silences} times", smaller.hint) from smaller
                suspects.append((half, smaller.message))
    kept = sorted(found)
    vectors = np.stack([found[i] for i in kept]) if kept else np.empty((0, embedder.dimension), np.float32)
    return Partial(vectors, tuple(kept), failures)
