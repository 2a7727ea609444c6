"""What full-text search reads for a chunk."""

import re

_CAMEL = re.compile(r"[A-Za-z][a-z0-9]+(?:[A-Z][a-z0-9]*)+")
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def search_terms(path: str, context: str, text: str) -> str:
    """The chunk's path and titles, the parts of its camelCase words, and the text.

    LanceDB's tokenizer splits at punctuation and underscores and leaves camelCase whole (measured, 0.40).
    """
    humps = dict.fromkeys(word for part in (path, context, text) for word in _CAMEL.findall(part))
    return "\n".join(filter(None, (path, context, " ".join(_HUMP.sub(" ", word) for word in humps), text)))
