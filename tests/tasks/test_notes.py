"""Of which type a note is, and whether it is wanted."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemas.files import SKIP_REASONS, Label, NoteRules, Skipped
from tasks.classify import Unsure
from tasks.notes import Notes

RULES = NoteRules(
    types=("ENT", "Docu", "MissionBrief", "IN"),
    type_keys=("type", "fcf_type"),
    namespace_keys=("mission", "namespace"),
    folders=(("people/", "ENT"), ("**/plans/*.md", "Plan")),
)
OPEN = NoteRules(types=("*", "Docu"), type_keys=("type",), namespace_keys=("mission",))


def sort(path: str, text: str = "words\n", rules: NoteRules = RULES) -> Label | Skipped:
    return Notes(rules).by_content(path, text.encode())


def front(*lines: str) -> str:
    return "\n".join(["---", *lines, "---", "words", ""])


@pytest.mark.parametrize(
    "lines",
    [
        ["type: Docu"],
        ["type: docu"],
        ["Type: 'Docu'"],
        ["title: x", "fcf_type: Docu"],
        ["type:", "fcf_type: Docu"],
        ["type: []", "fcf_type: Docu"],
        ["type: [LOG, Docu]"],
        ["type:", "  - Docu", "  - LOG"],
        ['type: "[[Docu]]"'],
        ['type: "[[types/Docu|a document]]"'],
        ['type: ["[[Docu#About]]"]'],
        ["type: [[Docu]]"],
        ["type: [[types/Docu]]", "other: [[x]]"],
        ["type: '#Docu'"],
        ["one: &a Docu", "type: *a"],
        ["type: !!str Docu"],
        ["type: Docu  # for now"],
    ],
)
def test_front_matter_gives_the_type(lines: list[str]) -> None:
    assert sort("a.md", front(*lines)) == Label("note", "Docu")


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("ENT - Ada.md", "ENT"),
        ("ent - Ada.md", "ENT"),
        ("ENT_Ada.md", "ENT"),
        ("[ENT] Ada.md", "ENT"),
        ("MissionBrief_north.md", "MissionBrief"),
        ("MissionBrief – north.md", "MissionBrief"),
        ("deep/er/[Docu] x - y_z.md", "Docu"),
    ],
)
def test_a_name_gives_the_type_where_front_matter_does_not(name: str, kind: str) -> None:
    assert sort(name) == Label("note", kind)
    assert sort(name, front("title: x")) == Label("note", kind)
    assert sort(name, front("type: IN")) == Label("note", "IN")


@pytest.mark.parametrize(
    "name", ["A day - and a night.md", "Ada_Lovelace.md", "2026-01-01 - log.md", "- x.md", "_x.md"]
)
def test_words_before_a_dash_are_no_type(name: str) -> None:
    assert sort(name) == Label("note", "note")


def test_a_folder_gives_the_type_where_nothing_else_does() -> None:
    assert sort("people/Ada.md") == Label("note", "ENT")
    assert sort("people/IN - call.md") == Label("note", "IN")
    assert sort("people/Ada.md", front("type: Docu")) == Label("note", "Docu")
    assert sort("x/plans/a.md") == Skipped("x/plans/a.md", "type left out", "Plan")


@pytest.mark.parametrize(
    ("path", "text", "counted"),
    [
        ("a.md", front("type: Log"), "Log"),
        ("a.md", front("type: [[Logs/Log]]"), "Log"),
        ("[draft] a.md", "words", "draft"),
        ("LOG - a.md", "words", "LOG"),
    ],
)
def test_what_is_left_out_is_told_by_its_type(path: str, text: str, counted: str) -> None:
    assert sort(path, text) == Skipped(path, "type left out", counted)
    assert "type left out" in SKIP_REASONS


def test_a_star_admits_every_type() -> None:
    assert sort("a.md", front("type: Log"), OPEN) == Label("note", "Log")
    assert sort("a.md", front("type: docu"), OPEN) == Label("note", "Docu")


def test_a_note_without_a_type_is_kept_unless_the_settings_say_otherwise() -> None:
    strict = NoteRules(types=("ENT",), untyped=False)
    assert sort("a.md") == Label("note", "note")
    assert sort("a.md", rules=strict) == Skipped("a.md", "type left out", "untyped")


BROKEN = [
    front("type: [ENT"),
    front("type: 'ENT"),
    front("\ttype: ENT"),
    front("just words"),
    front("type: ENT", "x: " + "[" * 5000),
    front("type: ENT", "x: " + "y" * 70_000),
    front("a: &a [x]", "b: &b [" + ", ".join(["*a"] * 50) + "]", "type: ENT"),
]


@pytest.mark.parametrize("text", BROKEN, ids=range(len(BROKEN)))
def test_broken_front_matter_costs_the_type_and_not_the_place(text: str) -> None:
    kept = sort("a.md", text, NoteRules(types=("IN",), untyped=False))
    assert isinstance(kept, Label)
    assert (kept.kind, kept.type, kept.broken) == ("note", "note", True)
    named = sort("IN - a.md", text)
    assert isinstance(named, Label)
    assert named.type == "IN"


def test_no_object_is_built_from_front_matter() -> None:
    text = front("type: !!python/object/apply:os.system ['exit 3']", "x: !!python/name:os.system")
    assert sort("a.md", text, OPEN) == Label("note", "exit 3")


def test_the_namespace_is_read() -> None:
    assert sort("a.md", front("type: ENT", 'mission: "[[missions/North]]"')) == Label("note", "ENT", "North")
    assert sort("a.md", front("namespace: [South, North]")) == Label("note", "note", "South")


@pytest.mark.parametrize("path", ["a.png", "a.txt", "notes.md/a.pdf", "a", ".hidden.md", "a.md.bak", "board.canvas"])
def test_only_markdown_is_a_note(path: str) -> None:
    assert Notes(OPEN).by_path(path) == Skipped(path, "not documentation", "no note")


@pytest.mark.parametrize("path", ["a.md", "LICENSE.md", "A.MD", "deep/a.markdown", "password.md"])
def test_of_markdown_the_content_decides(path: str) -> None:
    assert isinstance(Notes(OPEN).by_path(path), Unsure)


@settings(max_examples=200)
@given(st.text(max_size=40), st.lists(st.text(max_size=30), max_size=6))
def test_any_note_has_one_outcome(name: str, lines: list[str]) -> None:
    found = sort(f"{name}.md", front(*lines))
    assert isinstance(found, Label) == (getattr(found, "reason", "") != "type left out")
    assert isinstance(found, Skipped) or found.type
