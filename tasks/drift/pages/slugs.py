"""The anchors that renderers give to headings."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from unicodedata import normalize

_DROPPED = re.compile(r"[^\w\- ]")
_EXPLICIT = re.compile(r"(?<!\s)\s*\{:?\s*#([\w:.-]{1,200})[^{}]{0,200}\}\s*$")


def slug(title: str) -> str:
    """GitHub's anchor of a heading's visible text."""
    return _DROPPED.sub("", title.strip().lower()).replace(" ", "-")


def slugs(titles: Iterable[str]) -> Iterator[str]:
    """The anchors of a page's headings, in order: `-1`, `-2` for those that come again, `{#id}` as it stands."""
    seen: Counter[str] = Counter()
    for title in titles:
        explicit = _EXPLICIT.search(title[-400:])
        if explicit:
            yield explicit[1]
        made = slug(title.removesuffix(explicit[0]) if explicit else title)
        yield f"{made}-{seen[made]}" if seen[made] else made
        seen[made] += 1


def loose(anchor: str) -> str:
    """Letters without accents, and digits: what all renderers' anchors of one heading have in common."""
    return "".join(filter(str.isalnum, normalize("NFKD", anchor.lower())))
