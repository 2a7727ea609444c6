"""What a format is given beside the report."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Original:
    """A document as the repository holds it."""

    name: bytes
    """Its path as git spells it."""
    raw: bytes


def _no_originals(_: Collection[str]) -> Mapping[str, Original]:
    return {}


@dataclass(frozen=True, slots=True)
class View:
    """How much is shown, and what else is known."""

    everything: bool = False
    """Also claims that agree or could not be judged, in formats for people."""
    elapsed_ms: float = 0.0
    originals: Callable[[Collection[str]], Mapping[str, Original]] = _no_originals
    """Reads documents by their paths; those that can't be read any more are left out."""
