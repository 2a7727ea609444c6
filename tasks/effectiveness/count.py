"""Counting a log: what was assembled and used in a window and in the one before, one block in memory at a time."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, NamedTuple

from schemas.effectiveness import BYS, SAMPLES, By, Unreadable
from tasks.effectiveness.lines import Block, Parsed, Part, cut_blocks, parse_block

if TYPE_CHECKING:
    import polars as pl

NOW, BEFORE = 1, 0
"""The two windows, as the column `window` names them."""
_LISTS = {"type": "types", "kind": "kinds", "section": "sections"}


class Count(NamedTuple):
    """How many assemblies, chunks and used chunks."""

    assemblies: int = 0
    assembled: int = 0
    used: int = 0

    def plus(self, other: Count) -> Count:
        """Both together."""
        return Count(*map(sum, zip(self, other, strict=True)))


@dataclass(slots=True)
class Tally:
    """What was counted so far."""

    groups: defaultdict[tuple[int, By, str], Count] = field(default_factory=lambda: defaultdict(Count))
    """By window, grouping and name."""
    whole: Count = field(default_factory=Count)
    """In the window itself."""
    lines: int = 0
    unreadable: int = 0
    samples: list[Unreadable] = field(default_factory=list)

    def read(self, block: Block, faults: dict[int, str]) -> None:
        """Adds the lines of a block, and what is wrong with some of them."""
        self.lines += block.data.count(b"\n") + 1
        self.unreadable += len(faults)
        room = SAMPLES - len(self.samples)
        self.samples += [Unreadable(block.path.name, *fault) for fault in sorted(faults.items())[:room]]


@dataclass(frozen=True, slots=True)
class Windows:
    """The window that ends with `until`, its end included and its begin not, and the one of equal length before."""

    until: datetime
    length: timedelta

    @property
    def since(self) -> datetime:
        """When the window begins, and the one before ends."""
        return self.until - self.length

    def number(self, moment: pl.Expr) -> pl.Expr:
        """NOW, BEFORE, or null for a moment in neither."""
        import polars as pl

        inside = (moment > self.since - self.length) & (moment <= self.until)
        return pl.when(inside).then(pl.when(moment > self.since).then(NOW).otherwise(BEFORE)).cast(pl.Int8)


def count_log(parts: Sequence[Part], windows: Windows) -> Tally:
    """What the files of a log hold of the two windows.

    Of two lines about the same assembly the later counts. A window knows of the feedback that was given until its end:
    else the one before would have had longer to be told.
    """
    told, superseded = _look_ahead(parts, windows)
    tally = Tally()
    for number, block in _blocks(parts):
        parsed = parse_block(block, _shape("chunk_ids", *_LISTS.values()))
        records = _placed(parsed, number, windows)
        tally.read(block, parsed.faults | _faults(records))
        _add(tally, records, told, superseded)
    return tally


def _blocks(parts: Sequence[Part]) -> Iterator[tuple[int, Block]]:
    return ((number, block) for number, part in enumerate(parts) for block in cut_blocks(part))


def _shape(*lists: str) -> pl.Struct:
    import polars as pl

    texts = dict.fromkeys(("assembly", "at", "act"), pl.String)
    return pl.Struct({**texts, **dict.fromkeys((*lists, "used"), pl.List(pl.String))})


def _placed(parsed: Parsed, file: int, windows: Windows) -> pl.DataFrame:
    """The records with their `place` in the log, their `window`, and whether they are `named` and are `feedback`."""
    import polars as pl

    moment = pl.col("at").str.to_datetime("%+", strict=False, time_zone="UTC", time_unit="us")
    return parsed.records.with_columns(
        place=pl.lit(file << 32, pl.UInt64) + pl.col("line"),
        window=windows.number(moment),
        named=pl.col("assembly").is_not_null() & moment.is_not_null(),
        feedback=pl.col("act").eq_missing(pl.lit("feedback")),
    )


def _sound() -> pl.Expr:
    """Whether a record holds the lists that it must."""
    import polars as pl

    count = pl.col("chunk_ids").list.len()
    alike = [(pl.col(name).list.len() == count).fill_null(value=False) for name in _LISTS.values()]
    return pl.when("feedback").then(pl.col("used").is_not_null()).otherwise(pl.all_horizontal(alike))


def _faults(records: pl.DataFrame) -> dict[int, str]:
    import polars as pl

    named = pl.col("named")
    reason = (
        pl.when(~named).then(pl.lit("no id or no time")).otherwise(pl.lit("lists are missing or of unequal length"))
    )
    return dict(records.filter(~(named & _sound())).select("line", reason).iter_rows())


def _look_ahead(parts: Sequence[Part], windows: Windows) -> tuple[pl.DataFrame, pl.Series]:
    """Which chunks of which assembly each window was told were used, and the places of assemblies told of again."""
    import polars as pl

    feedback = [pl.DataFrame(schema={"assembly": pl.String, "window": pl.Int8, "told": pl.List(pl.String)})]
    keys = [pl.DataFrame(schema={"place": pl.UInt64, "key": pl.UInt64})]
    for number, block in _blocks(parts):
        records = _placed(parse_block(block, _shape()), number, windows)
        known = records.filter(pl.col("named") & pl.col("window").is_not_null())
        feedback.append(known.filter("feedback").select("assembly", "window", told="used"))
        # Hashes, for their width: eight bytes an assembly, whatever its id is made of.
        keys.append(known.filter(~pl.col("feedback")).select("place", key=pl.col("assembly").hash()))
    given, seen = pl.concat(feedback), pl.concat(keys)
    late = given.with_columns(window=pl.lit(NOW, pl.Int8))
    told = pl.concat([late, given.filter(pl.col("window") == BEFORE)])
    again = seen.filter(~pl.col("key").is_last_distinct())["place"]
    return told.group_by("assembly", "window").agg(pl.col("told").explode()), again


def _add(tally: Tally, records: pl.DataFrame, told: pl.DataFrame, superseded: pl.Series) -> None:
    """Counts a block's assemblies into the tally."""
    import polars as pl

    ours = pl.col("named") & _sound() & ~pl.col("feedback") & pl.col("window").is_not_null()
    kept = (
        records.lazy()
        .filter(ours & ~pl.col("place").is_in(superseded.implode()))
        .join(told.lazy(), on=["assembly", "window"], how="left")
        .select("window", "line", "chunk_ids", used=pl.concat_list(pl.col("used", "told").fill_null([])), **_LISTS)
    )
    chunks = (
        # An assembly of nothing has no chunk, and no name to be counted under.
        kept.explode("chunk_ids", *_LISTS, empty_as_null=False).with_columns(used=pl.col("chunk_ids").is_in("used"))
    )
    here = pl.col("window") == NOW
    sizes = pl.len(), pl.col("used").sum()
    tables = pl.collect_all(
        [
            kept.filter(here).select(pl.len()),
            chunks.filter(here).select(*sizes),
            *(chunks.group_by("window", by).agg(pl.col("line").n_unique(), *sizes) for by in BYS),
        ]
    )
    tally.whole = tally.whole.plus(Count(*tables[0].row(0), *tables[1].row(0)))
    for by, table in zip(BYS, tables[2:], strict=True):
        for window, name, *counted in table.iter_rows():
            tally.groups[window, by, name or ""] = tally.groups[window, by, name or ""].plus(Count(*counted))
