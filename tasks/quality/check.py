"""Checks expectations with Arrow alone: cheap enough for every index run."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from muniment.errors import Refused
from schemas.expectations import Expectation, Holds, Limits, NotNull, OneOf, Test, Unique, Within, expectations
from schemas.quality import NO_VALUE, SAMPLED, Offender, Outcome, QualityReport
from tasks.quality.measures import KEY, PLACE, Facts, measure

if TYPE_CHECKING:
    import pyarrow as pa


def check_before_publish(tables: Mapping[str, pa.Table], facts: Facts) -> QualityReport:
    """What becomes of the blocking expectations in tables that are about to be published.

    `tables` holds rows of stored tables by name: all of them, or of a run's changed documents all rows of each table,
    since chunks are checked against their documents. Chunks without a vector column go with a dimension of 0.
    """
    measured = measure(tables, facts)
    # No blocking one depends on a limit.
    wanted = [one for one in expectations(Limits()) if one.severity == "blocking"]
    return report(check(measured, wanted), measured, facts.now)


def refuse_faults(found: QualityReport) -> None:
    """Raises Refused where a blocking expectation does not hold; the message names the first."""
    if not found.blocking:
        return
    first = found.blocking[0]
    more = f"; and {len(found.blocking) - 1} more" if len(found.blocking) > 1 else ""
    where = f" ({first.sample[0].place})" if first.sample else ""
    raise Refused(
        f"not published: in {first.table}, expected that {first.says}; not so in {first.observed}{where}{more}",
        "the last published generation still answers; rebuild with 'muniment index --force', and report it as a bug"
        " when it comes back",
    )


def report(
    outcomes: Sequence[Outcome], measured: Mapping[str, pa.Table], now: datetime, generation: int = 0
) -> QualityReport:
    """The outcomes as a report."""
    rows = {name: table.num_rows for name, table in measured.items() if name != "columns"}
    return QualityReport(now.isoformat(timespec="seconds"), tuple(outcomes), generation, rows)


def check(measured: Mapping[str, pa.Table], wanted: Sequence[Expectation]) -> list[Outcome]:
    """The outcome of each expectation about one of these tables."""
    return [_outcome(one, measured[one.table]) for one in wanted if one.table in measured]


def has_column(expectation: Expectation, table: pa.Table) -> bool:
    """Whether the table has what the expectation is about: an index without vectors has no measures of them."""
    return expectation.test.column in table.column_names


def unasked(expectation: Expectation) -> Outcome:
    """The outcome of an expectation that has nothing to look at."""
    return Outcome(expectation.table, expectation.name, expectation.severity, expectation.says, ok=True, rows=0)


def _outcome(expectation: Expectation, table: pa.Table) -> Outcome:
    if not has_column(expectation, table):
        return unasked(expectation)
    column = expectation.test.column
    offends = offenders(expectation.test, table[column])
    rows = table.select(list(dict.fromkeys((KEY, PLACE, column)))).filter(offends)
    return Outcome(
        expectation.table,
        expectation.name,
        expectation.severity,
        expectation.says,
        ok=not rows.num_rows,
        rows=table.num_rows,
        unexpected=rows.num_rows,
        sample=tuple(
            Offender(_shown(row[KEY]), _shown(row[PLACE]), _shown(row[column]))
            for row in rows.slice(0, SAMPLED).to_pylist()
        ),
    )


def offenders(test: Test, values: Any) -> Any:
    """A mask of the rows that do not meet the test; rows without a value meet all tests but NotNull."""
    import pyarrow as pa
    import pyarrow.compute as pc

    no = pa.scalar(value=False)
    match test:
        case NotNull():
            return pc.is_null(values)
        case Unique():
            return pc.and_(pc.is_in(values, value_set=_repeated(values)), pc.is_valid(values))
        case OneOf(values=known):
            return pc.and_(pc.invert(pc.is_in(values, value_set=pa.array(known, values.type))), pc.is_valid(values))
        case Holds():
            return pc.fill_null(pc.invert(values), no)
        case Within(low=low, high=high):
            under = pc.less(values, pa.scalar(-math.inf if low is None else low))
            over = pc.greater(values, pa.scalar(math.inf if high is None else high))
            return pc.fill_null(pc.or_(under, over), no)


def _repeated(values: Any) -> Any:
    import pyarrow as pa
    import pyarrow.compute as pc

    counts = pc.value_counts(values)
    return counts.filter(pc.greater(counts.field("counts"), pa.scalar(1))).field("values")


def _shown(value: object) -> str:
    return NO_VALUE if value is None else str(value).lower() if isinstance(value, bool) else str(value)
