"""What a repair mends where it stands, without a source; the caller says what verification found."""

from __future__ import annotations

from collections.abc import Collection
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from muniment.generation import read_current
from muniment.verify.found import Verified
from schemas.generations import Generation

if TYPE_CHECKING:
    from muniment.verify.index import Place


def mend_in_place(place: Place, found: Verified, done: list[str]) -> Generation | None:
    """Mends pointer, marks, cache and what runs keep; returns what is published then. What was done goes into `done`.

    None where nothing that was published can be read any more.
    """
    from muniment.store import mend
    from muniment.store.torn import mend_versions
    from muniment.store.writer import write_lock

    index, wanted = place.index, found.remedies
    with write_lock(index):
        if "pointer" in wanted:
            done += filter(None, [mend.mend_pointer(index)])
        published = read_current(index)
        if published and "marks" in wanted and (dropped := mend.mend_tags(index, published)):
            done.append(f"{dropped} marks on versions that could not be read are dropped; runs set their own")
        if published:
            done += [_given_up(number) for number in mend_versions(index, published)]
        if published and wanted & {"cache", "documents", "table"}:
            filled = mend.mend_cache(index, published, found.extent.documents.keys())
            if filled or "cache" in wanted:
                done.append(f"the cache of vectors is sound again; {filled} vectors came from whole chunks")
    if "seen" in wanted:
        _drop_seen(place.seen)
        done.append("what was seen of the sources is dropped: the next run reads more of them")
    for finding in found.findings:
        if finding.remedy == "record":
            (place.runs.parent / finding.place).unlink(missing_ok=True)
            done.append(f"{finding.place} is dropped")
    return published


def _drop_seen(seen: Path) -> None:
    for path in seen.iterdir():
        path.unlink()


def publish_again(index: Path, keep: int, *, search_indexes: bool) -> str:
    """Publishes the tables as they are, with new checksums or new search indexes; returns what was done."""
    from muniment.store.mend import republish
    from muniment.store.writer import open_writer

    now = datetime.now(UTC).isoformat(timespec="seconds")
    with open_writer(index) as writer:
        republish(writer, keep, now, search_indexes=search_indexes)
    what = "the search indexes are made anew" if search_indexes else "the checksums are taken anew"
    return f"{what}, and the tables published again"


def _given_up(number: int) -> str:
    return f"generation {number}, which was damaged, is given up"


def clean_up(index: Path, keep: int, damaged: Collection[int], done: list[str]) -> None:
    """Gives up generations that are damaged and removes what nobody needs; what was given up goes into `done`."""
    from muniment.store.mend import give_up
    from muniment.store.sweep import collect
    from muniment.store.writer import write_lock

    with write_lock(index):
        gone, still_read = give_up(index, damaged)
        collect(index, keep, dry=False)
    done += map(_given_up, gone)
    done += [f"generation {number} is damaged, and somebody still reads it" for number in still_read]
