"""What every reader of truths must do, over the whole table."""

from typing import get_args

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from schemas.claims import ValueKind
from tasks.drift.tree import TextFile
from tasks.drift.truths import READERS, TruthReader, read_truths
from tasks.drift.truths.value import MAX_OPTION
from tests.tasks.drift.truths.examples import EXAMPLES, Expected

BY_NAME = {reader.name: reader for reader in READERS}
KINDS = frozenset(get_args(ValueKind))

WRITTEN = sorted({line for _, text, _ in EXAMPLES.values() for line in text.split("\n")})
PIECES = st.sampled_from(
    [*WRITTEN, "\\", '"', "'", "{", "}", "[", "${A:-", "$((", "<<EOF", "{{ a |", "\0", "\x0c", "\u2028"]
)
TEXTS = st.lists(PIECES | st.text(max_size=10), max_size=25).flatmap(
    lambda parts: st.sampled_from(["\n", "", " "]).map(lambda by: by.join(parts))
)
HOSTILE = (
    "[",
    "{",
    "(",
    "- ",
    "{a: ",
    "${A:-",
    "1+",
    "f(",
    '"default":[',
    "a.",
    "x = [",
    '"\\',
    "'",
    "<<EOF\n",
    "if x:\n ",
    "&a ",
    "`",
    "()",
    "[[a]]\n",
    "a=1\n",
)


def found(name: str, text: str) -> list[Expected]:
    path = EXAMPLES[name][0]
    truths = BY_NAME[name].read(TextFile(path, text))
    return sorted(((one.option, one.value, one.kind, one.line) for one in truths), key=lambda one: (one[3], one[0]))


def test_every_reader_has_an_example() -> None:
    assert list(EXAMPLES) == [reader.name for reader in READERS]


@pytest.mark.parametrize("name", EXAMPLES)
def test_options_values_kinds_and_lines_are_right(name: str) -> None:
    _, text, expected = EXAMPLES[name]
    assert found(name, text) == sorted(expected, key=lambda one: (one[3], one[0]))


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_reader_knows_its_files(name: str) -> None:
    path, text, _ = EXAMPLES[name]
    reading = [reader.name for reader in READERS if reader.reads(TextFile(path, text))]
    assert reading == [name]


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_spelled_out_value_stands_on_its_line(name: str) -> None:
    path, text, _ = EXAMPLES[name]
    lines = text.split("\n")
    for truth in BY_NAME[name].read(TextFile(path, text)):
        if truth.kind in ("string", "number") and truth.value.isalpha():
            assert truth.value in lines[truth.line - 1]


@pytest.mark.parametrize("reader", READERS, ids=lambda reader: reader.name)
@settings(max_examples=60)
@given(text=TEXTS)
@example(text="")
@example(text="\n")
@example(text="=''{\U000f0ea1")
def test_any_text_is_read_without_an_error(reader: TruthReader, text: str) -> None:
    file = TextFile(EXAMPLES[reader.name][0], text)
    truths = list(reader.read(file))
    for truth in truths:
        assert truth.path == file.path
        assert truth.reader == reader.name
        assert truth.kind in KINDS
        assert 0 < len(truth.option) <= MAX_OPTION
        assert 1 <= truth.line <= len(file.lines)
        assert not truth.value or truth.kind != "null"
    assert list(reader.read(file)) == truths


@pytest.mark.parametrize("reader", READERS, ids=lambda reader: reader.name)
@pytest.mark.parametrize("piece", HOSTILE)
def test_hostile_nesting_is_read_in_bounded_time(reader: TruthReader, piece: str) -> None:
    text = piece * (60_000 // len(piece))
    assert len(list(reader.read(TextFile(EXAMPLES[reader.name][0], text)))) <= len(text)


@pytest.mark.parametrize("name", EXAMPLES)
def test_truths_come_by_line_and_only_once(name: str) -> None:
    path, text, _ = EXAMPLES[name]
    truths = read_truths(TextFile(path, text + "\n" + text))
    assert [one.line for one in truths] == sorted(one.line for one in truths)
    said = [(one.option, one.value, one.reader, one.commented) for one in truths]
    assert len(said) == len(set(said))


@pytest.mark.parametrize(
    "path", ["tests/oven.conf", "a/fixtures/values.yaml", ".github/oven.env", "test_bake.py", "a/migrations/0001.py"]
)
def test_what_is_not_shipped_decides_nothing(path: str) -> None:
    assert read_truths(TextFile(path, "OVEN = 1\n")) == ()
