"""Other assemblers' logs: what is taken over, that it is taken over once, and that no text comes with it."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.errors import UsageError
from tasks.effectiveness.evaluate import evaluate_effectiveness
from tasks.effectiveness.foreign import read_record
from tasks.effectiveness.load import Imported, import_log
from tasks.effectiveness.mapping import PREFIXED, Mapping, read_mapping
from tasks.effectiveness.unusable import Unusable
from tests.tasks.effectiveness.logs import NOW, WEEK

OBJECTS = """
at = "meta.when"
assembly = "request"
items = "context.documents"
id = "doc"
type = ["doc_type", "class"]
section = "heading"
used = "cited"
"""
LISTS = """
at = "epoch"
id = "ids"
type = "labels"
used_ids = "answer.sources"
"""
TEXTS = """
at = "t"
time = "%d.%m.%Y %H:%M"
zone = "Europe/Berlin"
items = "passages"
types = ["ENT", "Mission Brief"]
used_ids = "quoted"
"""


def mapping(tmp_path: Path, text: str) -> Mapping:
    path = tmp_path / "mapping.toml"
    path.write_text(text)
    return read_mapping(path)


def write(tmp_path: Path, *records: object) -> Path:
    path = tmp_path / "their.jsonl"
    path.write_text("".join(line if isinstance(line, str) else json.dumps(line) + "\n" for line in records))
    return path


def logged(home: Path) -> list[Any]:
    return [
        json.loads(line) for path in sorted((home / "log").iterdir()) for line in path.read_text().splitlines() if line
    ]


def test_a_list_of_objects_is_read_through_a_mapping(tmp_path: Path) -> None:
    theirs = {
        "request": 7,
        "meta": {"when": "2026-03-14T11:30:00+02:00"},
        "context": {
            "documents": [
                {"doc": "a", "doc_type": "ENT", "heading": "Harbour  works", "cited": True, "body": "never kept"},
                {"doc": "b", "class": "Intel"},
            ]
        },
    }
    import_log(tmp_path, write(tmp_path, theirs), mapping(tmp_path, OBJECTS))
    (line,) = logged(tmp_path)
    assert line["at"] == "2026-03-14T09:30:00.000+00:00"
    assert (line["surface"], line["types"], line["sections"]) == ("import", ["ENT", "Intel"], ["Harbour works", ""])
    assert (line["kinds"], line["ranks"]) == (["note", "note"], [1, 2])
    assert line["used"] == line["chunk_ids"][:1]
    assert line["assembly"].startswith("20260314-")


@pytest.mark.parametrize("unit", [1, 1e3, 1e6, 1e9])
def test_lists_side_by_side_and_epochs_are_read(tmp_path: Path, unit: float) -> None:
    at = datetime(2026, 3, 14, 11, 0, 30, tzinfo=UTC)
    theirs = {"epoch": at.timestamp() * unit, "ids": [3, 4], "labels": ["x", "y"], "answer": {"sources": [4]}}
    import_log(tmp_path, write(tmp_path, theirs), mapping(tmp_path, LISTS))
    (line,) = logged(tmp_path)
    assert (line["at"], line["types"]) == ("2026-03-14T11:00:30.000+00:00", ["x", "y"])
    assert line["used"] == line["chunk_ids"][1:]


def test_own_formats_zones_and_texts_are_read(tmp_path: Path) -> None:
    theirs = {
        "t": "14.03.2026 11:30",
        "passages": ["[ENT] Pier 4\nIt is closed.", "[Mission Brief] Ice\nGo."],
        "quoted": "Ice",
    }
    import_log(tmp_path, write(tmp_path, theirs), mapping(tmp_path, TEXTS))
    (line,) = logged(tmp_path)
    assert (line["at"], line["types"]) == ("2026-03-14T10:30:00.000+00:00", ["ENT", "Mission Brief"])
    assert line["used"] == line["chunk_ids"][1:]


CONTENT = """[ENT] Pier 4
The pier is closed. [Intel] is a word here,
[Intel] and one that begins a line too.

[x] a ticked box
[link](somewhere)

---
[Intel] Night ferry
It leaves late.
---
[ENT] Ice house
"""


@pytest.mark.parametrize(
    ("said", "used"),
    [
        ({}, []),
        ({"used": ["Night ferry"]}, [1]),
        ({"cited": ["[ENT] Pier 4", "[ENT] Ice house"]}, [0, 2]),
        ({"used": True}, [0, 1, 2]),
        ({"used": False}, []),
        ({"used": ["Pier"]}, []),
    ],
)
def test_types_are_counted_from_the_prefix_of_each_block(
    tmp_path: Path, said: dict[str, object], used: list[int]
) -> None:
    import_log(tmp_path, write(tmp_path, {"ts": "2026-03-14T11:00:00Z", "context": CONTENT, **said}), PREFIXED)
    (line,) = logged(tmp_path)
    assert line["types"] == ["ENT", "Intel", "ENT"]
    assert line["used"] == [line["chunk_ids"][place] for place in used]


def test_no_text_and_no_title_is_kept(tmp_path: Path) -> None:
    import_log(tmp_path, write(tmp_path, {"at": "2026-03-14", "content": CONTENT, "used": ["Night ferry"]}), PREFIXED)
    kept = next((tmp_path / "log").iterdir()).read_text()
    assert not [word for word in ("Pier", "pier", "ferry", "Ice", "closed", "link") if word in kept]


def test_importing_again_adds_nothing(tmp_path: Path) -> None:
    lines = [{"at": f"2026-03-1{day}T10:00:00Z", "content": f"[ENT] {day}\n\n[Intel] y"} for day in range(5)]
    file = write(tmp_path, *lines)
    assert import_log(tmp_path, file, PREFIXED) == Imported(added=5)
    before = logged(tmp_path)
    assert import_log(tmp_path, file, PREFIXED) == Imported(known=5)
    grown = write(tmp_path, *lines, {"at": "2026-03-14T11:00:00Z", "content": "[ENT] new"})
    assert import_log(tmp_path, grown, PREFIXED) == Imported(added=1, known=5)
    assert [line for line in logged(tmp_path) if line in before] == before
    assert evaluate_effectiveness(tmp_path / "log", NOW, WEEK).assemblies == 6


def test_a_corrected_mapping_replaces_what_was_read_wrong(tmp_path: Path) -> None:
    file = write(tmp_path, {"at": "2026-03-14T10:00:00Z", "content": "[ENT] a\n\n[Intel] b", "chosen": ["a"]})
    import_log(tmp_path, file, PREFIXED)
    right = PREFIXED.model_copy(update={"used_ids": ("chosen",)})
    assert import_log(tmp_path, file, right) == Imported(added=1)
    assert import_log(tmp_path, file, right) == Imported(known=1)
    report = evaluate_effectiveness(tmp_path / "log", NOW, WEEK)
    assert (report.assemblies, report.assembled, report.used) == (1, 2, 1)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("{", "not JSON"),
        ("[" * 100_000, "not JSON"),
        ("[]", "not a JSON object"),
        ('{"content": "[ENT] a"}', "no time"),
        ('{"at": "noon", "content": "[ENT] a"}', "a time that can't be read"),
        ('{"at": NaN, "content": "[ENT] a"}', "a time that can't be read"),
        ('{"at": "0001-01-01T00:00:00+14:00", "content": "[ENT] a"}', "a time that can't be read"),
        ('{"at": "2026-03-14", "content": "no prefix"}', "no items"),
        ('{"at": "2026-03-14", "content": 5}', "no items"),
        ('{"at": "2026-03-14"}', "no items"),
    ],
)
def test_an_unreadable_line_is_sampled_without_its_text(tmp_path: Path, line: str, reason: str) -> None:
    good = {"at": "2026-03-14T10:00:00Z", "content": "[ENT] a"}
    done = import_log(tmp_path, write(tmp_path, good, "\n", line + "\n"), PREFIXED)
    assert (done.added, done.unreadable) == (1, 1)
    (sample,) = done.samples
    assert (sample.file, sample.line, sample.reason) == ("their.jsonl", 3, reason)


@pytest.mark.parametrize(
    ("record", "reason"),
    [
        ({"ids": [1, 2], "labels": ["x"]}, "lists of unequal length"),
        ({"ids": "a", "labels": ["x"]}, "a field holds no list"),
        ({"ids": [1], "labels": [5]}, "an item without a type"),
        ({"ids": [1]}, "an item without a type"),
        ({"ids": [1], "labels": ["x" * 101]}, "a type of more than 100 characters"),
        ({"ids": [], "labels": []}, "no items"),
        ({"ids": ["a"] * 1001, "labels": ["x"] * 1001}, "more than 1000 items"),
    ],
)
def test_a_record_of_another_shape_is_unusable(tmp_path: Path, record: dict[str, object], reason: str) -> None:
    with pytest.raises(Unusable, match=f"^{reason}$"):
        read_record(json.dumps({"epoch": 1_773_000_000, **record}).encode(), mapping(tmp_path, LISTS))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("at = ", "is not TOML"),
        ("type = 'a'", "at: field required"),
        ("at = 'a'", "mapping: type, content or items must be given"),
        ("at = 'a'\ntype = 'b'\nkinds = 'c'", "kinds: no such field"),
        ("at = 'a'\ntype = 'b'\nzone = '../etc'", "zone: no such time zone: '../etc'"),
        ("at = 5\ntype = 'b'", "at: input should be a valid tuple"),
        ("at = ''\ntype = 'b'", "at.0: string should have at least 1 character"),
    ],
)
def test_a_wrong_mapping_is_an_error_that_names_the_field(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(UsageError) as error:
        mapping(tmp_path, text)
    assert said in error.value.message


def test_a_file_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="can't read"):
        import_log(tmp_path, tmp_path / "none.jsonl", PREFIXED)
    with pytest.raises(UsageError, match="can't read"):
        read_mapping(tmp_path / "none.toml")


JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=5) | st.just("[ENT] a"),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abcd"), inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(st.sampled_from(["at", "content", "items", "used", "a"]), JSON), st.booleans())
def test_whatever_stands_in_a_line_it_is_read_or_unusable(record: dict[str, object], by_items: bool) -> None:
    names = Mapping(at=("at",), type=("a",), items=("items",), used_ids=("used",)) if by_items else PREFIXED
    try:
        assembly = read_record(json.dumps(record).encode(), names)
    except Unusable:
        return
    assert len(assembly.chunk_ids) == len(assembly.types) == len(assembly.sections) > 0
    assert set(assembly.used) <= set(assembly.chunk_ids)
