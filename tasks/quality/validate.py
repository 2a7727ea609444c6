"""Checks expectations with Great Expectations, and renders its Data Docs: the only file that knows that library.

Its import takes seconds, so nothing but the quality step comes here.
"""

from __future__ import annotations

import html
import os
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from schemas.expectations import Expectation, Holds, NotNull, OneOf, Unique, Within
from schemas.quality import NO_VALUE, SAMPLED, Offender, Outcome
from tasks.quality.check import has_column, unasked
from tasks.quality.measures import KEY, PLACE

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

CLIPPED = 200
"""Characters of a text that reach the frame: enough to see it by, and memory stays flat."""


@dataclass(frozen=True, slots=True)
class Validated:
    """What Great Expectations found."""

    outcomes: tuple[Outcome, ...]
    """In the order of the expectations."""
    pages: Mapping[str, str]
    """Table -> its page of the Data Docs as rendered, which still loads from other hosts: see `pages.py`."""


def validate(measured: Mapping[str, pa.Table], wanted: Sequence[Expectation], *, docs: bool) -> Validated:
    """The outcome of each expectation about one of these tables, and where `docs` are wanted a page for each table."""
    found: dict[tuple[str, str], Outcome] = {}
    pages: dict[str, str] = {}
    context = _context()
    for name, table in measured.items():
        own = [one for one in wanted if one.table == name]
        found |= {(name, one.name): unasked(one) for one in own if not has_column(one, table)}
        asked = [one for one in own if has_column(one, table)]
        if asked:
            result = _validate_table(context, name, table, asked)
            found |= {(name, one.name): one for one in _outcomes(asked, result, table.num_rows)}
            if docs:
                pages[name] = _page(result)
    return Validated(tuple(found[one.table, one.name] for one in wanted if one.table in measured), pages)


def _context() -> Any:
    """A context in memory, which keeps no file and reports nothing to anybody."""
    os.environ["GX_ANALYTICS_ENABLED"] = "false"  # read when the library loads
    with warnings.catch_warnings():
        # It loads modules of Python that are on their way out: nothing that a reader of our output could mend.
        warnings.simplefilter("ignore", DeprecationWarning)
        import great_expectations as gx
        from great_expectations.data_context.types.base import (
            DataContextConfig,
            InMemoryStoreBackendDefaults,
            ProgressBarsConfig,
        )

    config = DataContextConfig(
        # Its own default leaves a folder for a site behind that nobody asked for.
        store_backend_defaults=InMemoryStoreBackendDefaults(init_temp_docs_sites=False),
        progress_bars=ProgressBarsConfig(globally=False, metric_calculations=False),
        analytics_enabled=False,
    )
    return gx.get_context(mode="ephemeral", project_config=config)


def _validate_table(context: Any, name: str, table: pa.Table, asked: Sequence[Expectation]) -> Any:
    import great_expectations as gx

    asset = context.data_sources.add_pandas(name).add_dataframe_asset(name)
    batch = asset.add_batch_definition_whole_dataframe("all").get_batch({"dataframe": _frame(table, asked)})
    suite = gx.ExpectationSuite(name=name, expectations=[_as_theirs(one) for one in asked])
    form = {
        "result_format": "SUMMARY",
        "partial_unexpected_count": SAMPLED,
        "unexpected_index_column_names": [KEY, PLACE],
    }
    return batch.validate(suite, result_format=form)


def _frame(table: pa.Table, asked: Sequence[Expectation]) -> pd.DataFrame:
    """The columns that are asked about as pandas takes them, every text escaped: the pages run what is not."""
    import pandas as pd
    import pyarrow as pa

    whole = {one.test.column for one in asked if not isinstance(one.test, NotNull)} | {KEY, PLACE}
    names = dict.fromkeys((KEY, PLACE, *(one.test.column for one in asked)))
    columns = {name: _escaped(table[name], clip=name not in whole) for name in names}
    return pa.table(columns).to_pandas(types_mapper=pd.ArrowDtype)


def _escaped(values: Any, *, clip: bool) -> Any:
    """Texts with markup spelled out as `html.escape` does, after what is too long was cut; other values as they are."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if not pa.types.is_string(values.type):
        return values
    if clip:
        values = pc.utf8_slice_codeunits(values, 0, CLIPPED)
    for character in "&<>\"'":
        values = pc.replace_substring(values, character, html.escape(character))
    return values


def _as_theirs(expectation: Expectation) -> Any:
    import great_expectations as gx

    theirs: Any = gx.expectations
    about: dict[str, Any] = {
        "column": expectation.test.column,
        "description": expectation.says,
        "severity": "critical" if expectation.severity == "blocking" else "warning",
        "meta": {"name": expectation.name},
    }
    match expectation.test:
        case NotNull():
            return theirs.ExpectColumnValuesToNotBeNull(**about)
        case Unique():
            return theirs.ExpectColumnValuesToBeUnique(**about)
        case OneOf(values=values):
            return theirs.ExpectColumnValuesToBeInSet(**about, value_set=list(values))
        case Holds():
            return theirs.ExpectColumnValuesToBeInSet(**about, value_set=[True])
        case Within(low=low, high=high):
            return theirs.ExpectColumnValuesToBeBetween(**about, min_value=low, max_value=high)


def _outcomes(asked: Sequence[Expectation], result: Any, rows: int) -> Iterator[Outcome]:
    """Theirs as ours; they come in another order than they were asked in."""
    by_name = {one.expectation_config.meta["name"]: one for one in result.results}
    for expectation in asked:
        one = by_name[expectation.name]
        yield Outcome(
            expectation.table,
            expectation.name,
            expectation.severity,
            expectation.says,
            ok=bool(one.success),
            rows=rows,
            unexpected=int(one.result.get("unexpected_count", 0)),
            sample=_sample(one.result.get("partial_unexpected_index_list") or (), expectation.test.column),
            # They don't raise: a rule that can't be run comes back as not met, with a traceback beside it.
            broken="" if one.result or one.success else _why(one.exception_info),
        )


def _sample(found: Sequence[Mapping[str, Any]], column: str) -> tuple[Offender, ...]:
    return tuple(Offender(_shown(row[KEY]), _shown(row[PLACE]), _shown(row[column])) for row in found[:SAMPLED])


def _shown(value: Any) -> str:
    import pandas as pd

    if value is pd.NA or value is None:
        return NO_VALUE
    return str(value).lower() if isinstance(value, bool) else html.unescape(str(value))


def _why(exception_info: Mapping[str, Any]) -> str:
    """The last line of the first exception."""
    inner = exception_info if "exception_message" in exception_info else next(iter(exception_info.values()), {})
    return str(inner.get("exception_message") or "no reason given").strip().rpartition("\n")[2]


def _page(result: Any) -> str:
    from great_expectations.render.renderer.page_renderer import ValidationResultsPageRenderer
    from great_expectations.render.view.view import DefaultJinjaPageView

    view: Any = DefaultJinjaPageView()
    page: str = view.render(ValidationResultsPageRenderer().render(result))
    return page
