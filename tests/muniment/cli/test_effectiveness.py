"""`muniment effectiveness` as a person meets it."""

import json
import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.conftest import Ran, make_repo
from tests.tasks.effectiveness.logs import record

Muniment = Callable[..., Ran]


def fill(home: Path) -> None:
    now = datetime.now(UTC)
    for number in range(24):
        gathered = [("header", "PURPOSE"), ("header", "CONFIGURATION"), ("INTEL", "Harbour")]
        record(home, now - timedelta(hours=1), gathered, used=[0] if number % 3 else [0, 1])
        record(home, now - timedelta(hours=200), gathered, used=[2])
    record(home, now - timedelta(hours=1), [("doc", "")])


def test_the_table_is_sorted_by_ratio(muniment: Muniment, own_place: Path) -> None:
    fill(own_place)
    ran = muniment("effectiveness")
    assert (ran.code, ran.err) == (0, "")
    window, counts, blank, *table = ran.out.splitlines()
    assert window.endswith(" UTC, 168 hours")
    assert (counts, blank) == ("25 assemblies, 73 chunks assembled, 32 used", "")
    assert table == [
        "type    assemblies  assembled  used  ratio            95 % interval  before  trend",
        "header          24         48    32  0.667            0.525 - 0.783  0.000   up",
        "INTEL           24         24     0  0.000            0.000 - 0.138  1.000   down",
        "doc              1          1     0  not enough data",
    ]


def test_sections_and_kinds_are_counted_on_demand(muniment: Muniment, own_place: Path) -> None:
    fill(own_place)
    sections = muniment("effectiveness", "--by", "section").out.splitlines()[3:]
    assert [line.split()[0] for line in sections] == ["section", "PURPOSE", "CONFIGURATION", "Harbour", "-"]
    kinds = muniment("effectiveness", "--by", "kind").out.splitlines()[3:]
    assert [line.split()[0] for line in kinds] == ["kind", "header", "note", "doc"]


def test_json_holds_every_grouping_or_the_one_asked_for(muniment: Muniment, own_place: Path) -> None:
    fill(own_place)
    whole = muniment("effectiveness", "--json", "--window-hours", "1000").json
    assert (whole["window_hours"], whole["assemblies"], whole["unreadable"]) == (1000, 49, 0)
    assert {effect["by"] for effect in whole["effects"]} == {"type", "kind", "section"}
    few = muniment("effectiveness", "--json", "--by", "kind").json["effects"]
    assert {effect["by"] for effect in few} == {"kind"}
    assert few[0].keys() >= {"name", "assemblies", "assembled", "used", "ratio", "low", "high", "before", "trend"}


def test_long_tails_are_cut_short(muniment: Muniment, own_place: Path) -> None:
    record(own_place, datetime.now(UTC), [("doc", f"Heading {number}") for number in range(30)])
    lines = muniment("effectiveness", "--by", "section").out.splitlines()
    assert len(lines) == 25
    assert lines[-1] == "not enough data on 10 more; --json lists them"


def test_without_a_log_a_friendly_line_is_said(muniment: Muniment) -> None:
    ran = muniment("effectiveness")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith("nothing was searched or asked in the last 168 hours\n")
    assert muniment("effectiveness", "--json").json["effects"] == []


def test_lines_that_cannot_be_read_are_told_of(muniment: Muniment, own_place: Path) -> None:
    fill(own_place)
    today = own_place / "log" / f"assembly-{datetime.now(UTC):%Y-%m-%d}.jsonl"
    with today.open("ab") as file:
        file.write(b'{"assembly": "\x1b[31m\n' * 7)
    ran = muniment("effectiveness")
    assert ran.code == 0
    first, *samples, last = ran.err.splitlines()
    assert first.startswith("note: 7 of ")
    assert first.endswith(" lines could not be read")
    assert len(samples) == 5
    assert samples[0].endswith(": not JSON")
    assert last == "note: and 2 more"


def test_names_are_inert_on_a_terminal(muniment: Muniment, own_place: Path) -> None:
    record(own_place, datetime.now(UTC), [("\x1b[31mred\n", "")])
    assert "\n\\x1b[31mred\\n  " in muniment("effectiveness").out


@pytest.mark.parametrize("hours", ["0", "-1", "999999999"])
def test_a_window_out_of_bounds_is_refused(muniment: Muniment, hours: str) -> None:
    ran = muniment("effectiveness", "--window-hours", hours)
    assert ran.code == 2
    assert ran.err == f"error: --window-hours must be between 1 and 175680 (it is {hours})\n"


def test_a_plot_is_drawn(muniment: Muniment, own_place: Path, tmp_path: Path) -> None:
    png = tmp_path / "used.png"
    assert muniment("effectiveness", "--plot", png).code == 0
    empty = png.read_bytes()
    fill(own_place)
    for _ in range(20):
        record(own_place, datetime.now(UTC), [("$x^{港", "")])
    assert muniment("effectiveness", "--plot", png).code == 0
    assert png.read_bytes().startswith(b"\x89PNG")
    assert png.read_bytes() != empty
    ran = muniment("effectiveness", "--plot", tmp_path / "none" / "used.png")
    assert (ran.code, ran.err.splitlines()[-1]) == (2, "hint: name another file with --plot")


def test_without_the_extra_a_plot_names_it(muniment: Muniment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("matplotlib", "matplotlib.backends.backend_agg", "matplotlib.figure"):
        monkeypatch.setitem(sys.modules, name, None)
    ran = muniment("effectiveness", "--plot", tmp_path / "used.png")
    assert ran.code == 2
    assert ran.err.splitlines() == [
        "error: a plot needs 'matplotlib.backends.backend_agg', which is not installed",
        "hint: install the extra: muniment[eval]",
    ]


def test_another_log_is_imported_once(muniment: Muniment, tmp_path: Path) -> None:
    at = datetime.now(UTC).isoformat()
    lines = [{"at": at, "content": f"[ENT] Pier {n}\n\n[Intel] Ferry", "used": ["Ferry"]} for n in range(20)]
    theirs = tmp_path / "theirs.jsonl"
    theirs.write_text("\n".join(map(json.dumps, lines)) + "\n{\n")
    ran = muniment("effectiveness", "--import", theirs)
    assert (ran.code, ran.out) == (0, "imported: 20 added, 0 known before, 1 not read\n")
    assert ran.err == "note: 1 of 21 lines could not be read\nnote: theirs.jsonl:21: not JSON\n"
    assert muniment("effectiveness", "--import", theirs, "--json").json["known"] == 20
    effects = muniment("effectiveness", "--json", "--by", "type").json["effects"]
    assert [(each["name"], each["assembled"], each["used"]) for each in effects] == [("Intel", 20, 20), ("ENT", 20, 0)]


def test_a_mapping_says_what_their_fields_mean(muniment: Muniment, tmp_path: Path) -> None:
    theirs, mapping = tmp_path / "theirs.jsonl", tmp_path / "mapping.toml"
    theirs.write_text(json.dumps({"ts": datetime.now(UTC).timestamp(), "hits": [{"t": "ENT"}]}) + "\n")
    mapping.write_text('at = "ts"\nitems = "hits"\ntype = "t"\n')
    assert muniment("effectiveness", "--import", theirs, "--mapping", mapping).out.startswith("imported: 1 added")
    assert muniment("effectiveness", "--mapping", mapping).code == 2


def test_a_search_and_its_feedback_are_counted(muniment: Muniment, tmp_path: Path, words_only: None) -> None:
    muniment("index", make_repo(tmp_path / "repo", {"README.md": "# Pier\n\nThe pier is closed.\n"}))
    found = muniment("search", "pier", "--json").json
    muniment("feedback", found["assembly"], "--used", found["hits"][0]["chunk_id"])
    (effect,) = muniment("effectiveness", "--json", "--by", "type").json["effects"]
    assert (effect["name"], effect["assembled"], effect["used"]) == ("readme", 1, 1)
