"""What a bucket holds, against the list of what was pushed to it."""

from __future__ import annotations

from muniment.errors import ForeignIndex
from muniment.store.bucket import CHECKING, Bucket, BucketChoice
from muniment.store.pushed import POINTER, Published, find_damage, need_published, refuse_schema
from muniment.verify.found import Finding, Verified

REBUILD = "muniment index --force"
"""On the machine that writes; pushing again is not enough, since it sends only what the bucket never had."""
ANEW = "muniment index"
"""To another prefix."""
ELSEWHERE = "'muniment verify' does that where the index is written; the same bytes hold the same rows"


def verify_pushed(choice: BucketChoice, *, deep: bool = False) -> Verified:
    """What is wrong with the generation that a bucket names; with `deep` the SHA-256 of every object is compared.

    Raises NoIndex where nothing was ever pushed, IndexMismatch for another schema, ProviderError.
    """
    bucket = Bucket(choice, CHECKING)
    while True:
        try:
            published = need_published(bucket)
        except ForeignIndex as error:
            return Verified(0, deep, [Finding("pointer", POINTER, f"{error.message}: {error.hint}", mend=ANEW)])
        refuse_schema(bucket, published)
        found = _verify(bucket, published, deep=deep)
        if found.ok or need_published(bucket, published) is published:
            return found
        # Collected while it was looked at: a newer one is published.


def _verify(bucket: Bucket, published: Published, *, deep: bool) -> Verified:
    damage = find_damage(bucket, published, deep=deep)
    found = Verified(published.generation.number, deep)
    found.findings += [Finding("files", one.path, one.said, mend=REBUILD) for one in damage]
    found.looked |= {"files": len(published.sums), "bytes": sum(one.size for one in published.sums.values())}
    found.unchecked["rows, vectors and sources"] = ELSEWHERE
    return found
