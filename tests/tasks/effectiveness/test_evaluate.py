"""What a log says of how much was used: windows and their borders, feedback, zones, and lines that can't be read."""

import json
import os
import shutil
from datetime import timedelta, timezone
from pathlib import Path

import pytest

from muniment.assembly import record_feedback
from muniment.errors import UsageError
from schemas.columns import EFFECTIVENESS, arrow_schema
from schemas.effectiveness import Effect, EffectivenessReport
from tasks.effectiveness.evaluate import as_rows, evaluate_effectiveness
from tasks.effectiveness.lines import BLOCK
from tests.tasks.effectiveness.logs import NOW, WEEK, ago, record

HEADER, INTEL = ("header", "PURPOSE"), ("INTEL", "Harbour")


def evaluate(home: Path, hours: int = WEEK) -> EffectivenessReport:
    return evaluate_effectiveness(home / "log", NOW, hours)


def effect(report: EffectivenessReport, name: str) -> Effect:
    (found,) = [each for each in report.effects if each.name == name and each.by != "kind"]
    return found


def write(home: Path, *lines: bytes, day: str = "2026-03-14") -> None:
    (home / "log").mkdir(parents=True, exist_ok=True)
    with (home / "log" / f"assembly-{day}.jsonl").open("ab") as file:
        file.writelines(line + b"\n" for line in lines)


def test_used_is_counted_by_type_kind_and_section(tmp_path: Path) -> None:
    for number in range(20):
        record(tmp_path, ago(1), [HEADER, HEADER, INTEL], used=[0] if number < 10 else [0, 2])
    report = evaluate(tmp_path)
    assert (report.assemblies, report.assembled, report.used) == (20, 60, 30)
    assert [
        (each.by, each.name, each.assemblies, each.assembled, each.used, each.ratio) for each in report.effects
    ] == [
        ("type", "header", 20, 40, 20, 0.5),
        ("type", "INTEL", 20, 20, 10, 0.5),
        ("kind", "header", 20, 40, 20, 0.5),
        ("kind", "note", 20, 20, 10, 0.5),
        ("section", "PURPOSE", 20, 40, 20, 0.5),
        ("section", "Harbour", 20, 20, 10, 0.5),
    ]
    low, high = report.effects[0].low, report.effects[0].high
    assert low is not None
    assert high is not None
    assert low < 0.5 < high


def test_under_twenty_assemblies_there_is_no_ratio(tmp_path: Path) -> None:
    for _ in range(19):
        record(tmp_path, ago(1), [HEADER] * 50, used=[0])
    few = effect(evaluate(tmp_path), "header")
    assert (few.assemblies, few.assembled, few.used) == (19, 950, 19)
    assert (few.ratio, few.low, few.high, few.trend) == (None, None, None, "not enough data")
    record(tmp_path, ago(1), [HEADER])
    assert effect(evaluate(tmp_path), "header").ratio == 19 / 951


def test_the_window_holds_its_end_and_not_its_begin(tmp_path: Path) -> None:
    blink = 1 / 3_600_000  # a millisecond in hours
    for hours in (-blink, 0, WEEK - blink, WEEK, 2 * WEEK - blink, 2 * WEEK):
        record(tmp_path, ago(hours), [HEADER])
    assert evaluate(tmp_path).assemblies == 2
    assert evaluate(tmp_path, 1).assemblies == 1
    assert evaluate(tmp_path, 3 * WEEK).assemblies == 5


def test_times_of_any_zone_are_compared_as_moments(tmp_path: Path) -> None:
    record(tmp_path, ago(WEEK - 1).astimezone(timezone(timedelta(hours=14))), [HEADER])
    record(tmp_path, ago(WEEK + 1).astimezone(timezone(timedelta(hours=14))), [HEADER])
    record(tmp_path, ago(1).astimezone(timezone(timedelta(hours=-12))), [HEADER])
    assert evaluate(tmp_path).assemblies == 2
    there = evaluate_effectiveness(tmp_path / "log", NOW.astimezone(timezone(timedelta(hours=5, minutes=45))), WEEK)
    assert there == evaluate(tmp_path)


def test_later_feedback_counts_as_used(tmp_path: Path) -> None:
    for _ in range(20):
        told = record(tmp_path, ago(30), [HEADER, INTEL], used=[1])
        record_feedback(tmp_path, ago(2), told, ["header-PURPOSE-0"])
        record_feedback(tmp_path, ago(1), told, ["header-PURPOSE-0", "INTEL-Harbour-1"])
        record_feedback(tmp_path, ago(-1), record(tmp_path, ago(30), [HEADER]), ["header-PURPOSE-0"])
    report = evaluate(tmp_path)
    assert (report.assemblies, report.assembled, report.used) == (40, 60, 40)


def test_a_window_knows_only_the_feedback_given_until_its_end(tmp_path: Path) -> None:
    for _ in range(20):
        told = record(tmp_path, ago(WEEK + 5), [HEADER, INTEL])
        record_feedback(tmp_path, ago(WEEK + 1), told, ["header-PURPOSE-0"])
        record_feedback(tmp_path, ago(1), told, ["INTEL-Harbour-1"])
        record(tmp_path, ago(5), [HEADER, INTEL])
    report = evaluate(tmp_path)
    assert (effect(report, "header").before, effect(report, "INTEL").before) == (1.0, 0.0)
    earlier = evaluate_effectiveness(tmp_path / "log", ago(WEEK), WEEK)
    assert [effect(earlier, name).ratio for name in ("header", "INTEL")] == [1.0, 0.0]


def test_the_trend_is_against_the_window_before(tmp_path: Path) -> None:
    for _ in range(40):
        record(tmp_path, ago(WEEK + 5), [HEADER, INTEL, ("doc", "")], used=[1])
        record(tmp_path, ago(5), [HEADER, INTEL, ("doc", "")], used=[0])
    report = evaluate(tmp_path)
    trends = {each.name: each.trend for each in report.of("type")}
    assert trends == {"header": "up", "INTEL": "down", "doc": "no clear change"}


def test_an_assembly_told_of_twice_counts_once_and_as_last_told(tmp_path: Path) -> None:
    record(tmp_path, ago(1), [HEADER, INTEL], used=[0])
    log = tmp_path / "log" / "assembly-2026-03-14.jsonl"
    shutil.copy(log, log.with_name("assembly-copy.jsonl"))
    write(tmp_path, *(json.dumps(json.loads(log.read_bytes()) | {"used": []}).encode(),) * 2, day="copy")
    report = evaluate(tmp_path)
    assert (report.assemblies, report.assembled, report.used, report.lines) == (1, 2, 0, 4)


def test_a_search_without_hits_is_an_assembly_of_nothing(tmp_path: Path) -> None:
    record(tmp_path, ago(1), [])
    report = evaluate(tmp_path)
    assert (report.assemblies, report.assembled, report.effects) == (1, 0, ())


WHOLE = (
    b'"at":"2026-03-14T11:00:00.000+00:00","chunk_ids":["a"],"types":["t"],"kinds":["k"],"sections":["s"],"used":[]}'
)
BROKEN = {
    b'{"assembly": "20260314-00': "not JSON",
    b"\xff\xfe": "not JSON",
    b"[1]": "not a JSON object",
    b'"words"': "not a JSON object",
    b"[" * 100_000: "not JSON",
    b"{}": "no id or no time",
    b"{" + WHOLE: "no id or no time",
    b'{"assembly":"x","at":"yesterday","chunk_ids":[],"types":[],"kinds":[],"sections":[]}': "no id or no time",
    b'{"assembly":"x","at":"2026-03-14T11:00:00Z"}': "lists are missing or of unequal length",
    b'{"assembly":"x","types":[],' + WHOLE: "lists are missing or of unequal length",
    b'{"assembly":"x","at":"2026-03-14T11:00:00Z","act":"feedback"}': "lists are missing or of unequal length",
    b'{"assembly":"x","used":{"a":1},' + WHOLE: "a field is not what it should be",
    b'{"assembly":NaN,' + WHOLE: "a field is not what it should be",
}


@pytest.mark.parametrize(("line", "reason"), BROKEN.items())
def test_a_broken_line_is_counted_and_named(tmp_path: Path, line: bytes, reason: str) -> None:
    record(tmp_path, ago(1), [HEADER])
    write(tmp_path, b"", line)
    record(tmp_path, ago(1), [HEADER])
    report = evaluate(tmp_path)
    assert (report.assemblies, report.lines, report.unreadable) == (2, 4, 1)
    (sample,) = report.samples
    assert (sample.file, sample.line, sample.reason) == ("assembly-2026-03-14.jsonl", 3, reason)


def test_many_broken_lines_are_sampled(tmp_path: Path) -> None:
    write(tmp_path, *BROKEN, b'{"assembly":"x",' + WHOLE)
    report = evaluate(tmp_path)
    assert (report.assemblies, report.unreadable, len(report.samples)) == (1, len(BROKEN), 5)
    assert [sample.line for sample in report.samples] == [1, 2, 3, 4, 5]


def test_a_line_without_end_is_one_broken_line(tmp_path: Path) -> None:
    record(tmp_path, ago(1), [HEADER])
    write(tmp_path, b'{"assembly":"' + b"x" * (3 * BLOCK))
    record(tmp_path, ago(1), [HEADER])
    report = evaluate(tmp_path)
    assert (report.assemblies, report.lines, report.unreadable) == (2, 3, 1)


def test_lines_are_whole_across_blocks(tmp_path: Path) -> None:
    count = 2 * BLOCK // 500
    write(tmp_path, *(b'{"assembly":"%d","pad":"%s",%s' % (n, b"x" * 400, WHOLE) for n in range(count)))
    write(tmp_path, b"{")
    report = evaluate(tmp_path)
    assert (report.assemblies, report.unreadable, report.lines) == (count, 1, count + 1)
    assert report.samples[0].line == count + 1


def test_fields_of_a_later_version_are_passed_over(tmp_path: Path) -> None:
    write(tmp_path, b'{"assembly":"x","novel":{"deep":[1]},' + WHOLE)
    assert evaluate(tmp_path).assemblies == 1


def test_no_log_is_an_empty_one(tmp_path: Path) -> None:
    report = evaluate(tmp_path)
    assert (report.assemblies, report.effects, report.lines) == (0, (), 0)
    write(tmp_path)
    assert evaluate(tmp_path) == report


def test_a_forbidden_log_is_an_error_with_a_name(tmp_path: Path) -> None:
    write(tmp_path, b"{}")
    log = tmp_path / "log" / "assembly-2026-03-14.jsonl"
    log.chmod(0)
    if os.access(log, os.R_OK):
        pytest.skip("this user may read anything")
    with pytest.raises(UsageError, match="can't read"):
        evaluate(tmp_path)


def test_rows_have_the_tables_columns_and_keys_of_their_own(tmp_path: Path) -> None:
    for _ in range(20):
        record(tmp_path, ago(1), [HEADER, INTEL, ("header", "")], used=[0])
    rows = as_rows(evaluate(tmp_path))
    assert rows.schema.equals(arrow_schema(EFFECTIVENESS), check_metadata=True)
    assert rows.num_rows == len(set(rows["effect_id"].to_pylist())) == 7
    assert set(rows["last_eval_at"].to_pylist()) == {NOW}
    again = as_rows(evaluate_effectiveness(tmp_path / "log", NOW + timedelta(minutes=1), WEEK))
    assert again["effect_id"].to_pylist() == rows["effect_id"].to_pylist()
    shorter = as_rows(evaluate(tmp_path, 24))
    assert not {*shorter["effect_id"].to_pylist()} & {*rows["effect_id"].to_pylist()}
