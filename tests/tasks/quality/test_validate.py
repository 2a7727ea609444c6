"""Great Expectations and our own quick check read one table of expectations, and must come to one result."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from functools import reduce
from pathlib import Path

import pytest

from tasks.quality.check import check, report
from tasks.quality.pages import write_pages
from tasks.quality.validate import Validated, validate
from tests.browser import open_page
from tests.tasks.quality.faults import FAULTS, repeated_keys
from tests.tasks.quality.world import World

LIVE = '<script>document.title="taken"</script><img src=x onerror=alert(1)> $missing ${missing} {{ 7*7 }} &amp; 1 < 2'


@pytest.fixture(scope="module")
def ruined(sound: World) -> World:
    """A world with every fault that the rules know, and with live markup wherever a text can hold it."""
    faults = (*FAULTS, *repeated_keys())
    world = reduce(lambda world, fault: fault.change(world), faults, sound)
    world = world.put("chunks", 6, section=None, title=None).put("claims", 6, reason=None)
    for table, column in (
        ("documents", "kind"),
        ("chunks", "kind"),
        ("chunks", "path"),
        ("chunks", "text"),
        ("skipped", "reason"),
        ("claims", "verdict"),
        ("claims", "option"),
        ("effectiveness", "by"),
    ):
        world = world.put(table, 1, **{column: LIVE})
    return world


@pytest.fixture(scope="module")
def validated(ruined: World) -> Validated:
    """What Great Expectations makes of it: its import and its run, once for all tests here."""
    return validate(ruined.measured(), ruined.wanted, docs=True)


def test_both_executors_find_the_same(ruined: World, validated: Validated) -> None:
    quick = check(ruined.measured(), ruined.wanted)
    assert {one.ok for one in quick} == {True, False}
    assert list(validated.outcomes) == quick
    assert sum(not one.ok for one in quick) > 35


def test_every_table_gets_a_page(ruined: World, validated: Validated) -> None:
    assert set(validated.pages) == {*ruined.tables, "columns", "generation", "sources", "canaries"}


def test_no_live_cell_reaches_a_page(validated: Validated) -> None:
    for page in validated.pages.values():
        assert '<script>document.title="taken"' not in page
        assert "<img src=x" not in page
    assert "&lt;img src=x onerror=alert(1)&gt;" in validated.pages["chunks"]


def test_what_is_reported_is_not_escaped(validated: Validated) -> None:
    values = {offender.value for one in validated.outcomes for offender in one.sample}
    assert LIVE in values


def test_a_rule_that_cannot_be_run_is_not_met(sound: World) -> None:
    """Great Expectations does not raise: it reports an expectation that broke like one that does not hold."""
    from schemas.expectations import Within

    wanted = [replace(one, test=Within("path", 1)) for one in sound.wanted if one.name == "size_positive"]
    (found,) = validate(sound.measured(), wanted, docs=False).outcomes
    assert not found.ok
    assert found.observed.startswith("could not be checked: ")


@pytest.mark.slow
def test_a_browser_opens_the_pages_inert(ruined: World, validated: Validated, tmp_path: Path) -> None:
    """The page as Great Expectations renders it wants something from a dozen hosts; ours wants nothing."""
    raw = tmp_path / "raw.html"
    raw.write_text(validated.pages["chunks"])
    assert len(open_page(raw, tmp_path / "profile").asked) > 3
    made = report(validated.outcomes, ruined.measured(), ruined.now)
    write_pages(tmp_path / "quality", made, validated.pages)
    for name in ("index", "chunks", "documents", "claims"):
        opened = open_page(tmp_path / "quality" / f"{name}.html", tmp_path / "profile")
        assert opened.title.lower().endswith("data quality")
        assert opened.asked == set()
        assert "<script" not in opened.dom


WATCHED = """
import sys

def watch(event, args):
    if event in {"socket.connect", "socket.sendto", "socket.sendmsg", "socket.getaddrinfo", "socket.gethostbyname"}:
        raise SystemExit(f"{event} {args}")

sys.addaudithook(watch)
import pyarrow as pa
from datetime import UTC, datetime
from schemas.columns import TABLES, arrow_schema
from schemas.expectations import Limits, expectations
from tasks.quality.measures import Facts, measure
from tasks.quality.validate import validate

tables = {name: arrow_schema(TABLES[name], 2).empty_table() for name in ("documents", "chunks", "claims")}
found = validate(measure(tables, Facts(datetime.now(UTC), 2)), expectations(Limits()), docs=True)
print(sum(one.ok for one in found.outcomes), len(found.pages))
"""


@pytest.mark.slow
def test_nothing_is_sent_anywhere() -> None:
    done = subprocess.run([sys.executable, "-c", WATCHED], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split()[1] == "4"
