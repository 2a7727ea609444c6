"""The one spelling of a fingerprint: readable in front, exact at the end."""

import hashlib
import json


def spell_fingerprint(name: str, model: str, dimension: int, max_tokens: int, rules: dict[str, str]) -> str:
    """`name:model:dimension:max_tokens:digest`, where the digest covers the rules and all that stands before it.

    `rules` holds whatever else changes a vector: hashes of weights and tokenizer, pooling, prefixes. An unknown
    dimension is spelled `unknown`.
    """
    head = f"{name}:{model}:{dimension or 'unknown'}:{max_tokens}"
    exact = json.dumps([head, sorted(rules.items())])
    return f"{head}:{hashlib.sha256(exact.encode()).hexdigest()[:12]}"
