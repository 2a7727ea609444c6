"""Keys in the names of files and folders: such a file is withheld whole, and told of with `[secret]` for the key."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from muniment.patterns import admits
from schemas.files import Entry, Listing, Skipped, Source
from tasks.classifiers import CLASSIFIERS
from tasks.narrow import Narrowing
from tasks.secrets.keys import REASON, find_keys, without_keys

# Hardly a repository has such a part in a name, and then no rules are loaded: mixed like a key, and no digest; or what
# a provider puts before or behind a digest that is its key.
_PART = re.compile(r"[A-Za-z0-9]{12,}")
_NO_KEY = re.compile(
    r"[0-9a-f]+|[0-9A-F]+|[A-Za-z]*+[0-9]{0,8}+[A-Za-z]*+|[0-9]++T[0-9]++Z?|[A-Z]?[a-z]++[0-9]++[a-z]*+"
)
_MADE_OF_DIGEST = re.compile(
    r"[A-Za-z0-9]_[0-9a-f]{32}|(?:key|pul|sib|PMAK|v1\.0)-[0-9a-f]{24}|[0-9a-f]{32}-us[0-9]|pat[A-Za-z0-9]{14}\."
    r"|gl[a-z]{2,5}-[\w-]{20}|hf_[A-Za-z]{34}"
)


def key_in_name(path: str) -> str:
    """Of what kind the key is that a path seems to hold; nothing where it holds none."""
    if not (_MADE_OF_DIGEST.search(path) or any(not _NO_KEY.fullmatch(part) for part in _PART.findall(path))):
        return ""
    return next((key.kind for key in find_keys(path, template=True)), "")


def withhold_named(source: Source, narrowing: Narrowing, listing: Listing) -> Listing:
    """The listing without the files whose path seems to hold a key: each is skipped, under a path without the key.

    One that is no document has the reason that it would have anyway. No other step gets to know the path.
    """
    paths = [*(entry.path for entry in listing.entries), *(skipped.path for skipped in listing.skipped)]
    kinds = {path: kind for path in paths if (kind := key_in_name(path))}
    if not kinds:
        return listing
    entries = tuple(entry for entry in listing.entries if entry.path not in kinds)
    others = [replace(one, path=_masked(one.path)) if one.path in kinds else one for one in listing.skipped]
    withheld = _withheld(source, narrowing, [entry for entry in listing.entries if entry.path in kinds], kinds)
    return replace(listing, entries=entries, skipped=(*others, *withheld))


def _withheld(source: Source, narrowing: Narrowing, entries: list[Entry], kinds: dict[str, str]) -> Iterator[Skipped]:
    tests = (admits(source.include, source.exclude), admits(narrowing.include, narrowing.exclude))
    classifier = CLASSIFIERS[source.kind](source)
    for entry in entries:
        path, sensitivity = _masked(entry.path), entry.stated.sensitivity
        label = classifier.by_path(entry.path)
        if not all(test(entry.path) for test in tests):
            yield Skipped(path, "excluded")
        elif isinstance(label, Skipped):
            yield replace(label, path=path, sensitivity=sensitivity)
        else:
            yield Skipped(path, REASON, f"its name: {kinds[entry.path]}", sensitivity=sensitivity)


def _masked(path: str) -> str:
    return without_keys(path, template=True)
