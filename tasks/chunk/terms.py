"""What full-text search reads for a chunk."""

import re

_WORD = re.compile(r"[A-Za-z0-9]+")
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
# LanceDB drops longer tokens.
_LONGEST = 40


def search_terms(path: str, context: str, text: str) -> str:
    """The chunk's path and titles, the parts of its camelCase words, and the text.

    LanceDB's tokenizer splits at punctuation and underscores and leaves camelCase whole (measured, 0.40).
    """
    words = dict.fromkeys(word for part in (path, context, text) for word in _WORD.findall(part))
    humps = [parts for word in words if len(word) <= _LONGEST and (parts := _HUMP.sub(" ", word)) != word]
    return "\n".join(filter(None, (path, context, " ".join(humps), text)))
