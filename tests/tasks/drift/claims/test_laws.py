"""What holds for the claims of any text."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tasks.drift.claims import SHAPES, find_claims
from tasks.drift.tree import TextFile, text_file
from tests.tasks.drift.claims.examples import FOUND, NOT_FOUND, Example

PATHS = (
    "README.md", "x.rst", "x.adoc", "man/x.1", "x.txt", "x.py", "x.sh", "x.php", "x.conf", "x.env.example", "x.yaml",
)  # fmt: skip
EXAMPLES = [example for found in (FOUND, NOT_FOUND) for examples in found.values() for example in examples]
MARKS = """
    ''' | \"\"\" | |=== | <table> | <tr><td> | +---+---+ | === === | # | .TP | .RS | - | : | ``` | :: | // | /* | a = 1
"""
PIECES = ["", "    ", "\t", *MARKS.strip().split(" | "), *(line for one in EXAMPLES for line in one.file.lines)]
TEXTS = st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=40)), max_size=30).map("\n".join)


def file_of(path: str, text: str) -> TextFile | None:
    found = text_file(path, text.encode("utf-8", "replace"))
    return found if isinstance(found, TextFile) else None


@settings(max_examples=300)
@given(st.sampled_from(PATHS), TEXTS)
def test_any_text_can_be_read(path: str, text: str) -> None:
    if file := file_of(path, text):
        claims = find_claims(file)
        assert claims == find_claims(file)
        assert all(claim.shape in SHAPES and claim.option and claim.documented for claim in claims)


@settings(max_examples=300)
@given(st.sampled_from(PATHS), TEXTS)
def test_a_width_spans_the_value_in_its_line(path: str, text: str) -> None:
    if file := file_of(path, text):
        for claim in find_claims(file):
            span = file.lines[claim.line - 1][claim.column :][: claim.width]
            assert not claim.width or span == claim.documented


@settings(max_examples=300)
@given(st.sampled_from(PATHS), TEXTS)
def test_one_place_is_claimed_by_one_shape(path: str, text: str) -> None:
    """Several options may share a value; none has it twice."""
    if file := file_of(path, text):
        claims = find_claims(file)
        places = {(claim.line, claim.column): (claim.shape, claim.documented) for claim in claims}
        assert all(places[claim.line, claim.column] == (claim.shape, claim.documented) for claim in claims)
        assert len({(claim.line, claim.column, claim.option) for claim in claims}) == len(claims)


@settings(max_examples=100)
@given(st.sampled_from(PATHS), TEXTS)
def test_claims_come_by_line(path: str, text: str) -> None:
    if file := file_of(path, text):
        lines = [claim.line for claim in find_claims(file)]
        assert lines == sorted(lines)


FILLERS = (
    " ", "*", "`", "`a` ", "(default ", "a, ", "--a ", "[", "| ", "default: 5 ", "A_B ", "_", "'", "a.", "\\", "<", "#",
)  # fmt: skip


@pytest.mark.parametrize("path", PATHS)
def test_a_hostile_line_is_one_look(path: str) -> None:
    """Guards against patterns that start again at every character; pytest's time limit is the judge."""
    for filler in FILLERS:
        long = (filler * 4_000)[:3_800]
        ends = ("(default: 5)", "is 5 (default)", "is enabled by default", "defaults to 5", "=> default")
        lines = [f"# `a_b` {long} {end}" for end in ends] + [f"Default: {long} 5", f"| {long} | default 5 |"]
        find_claims(Example(path, "\n".join(lines)).file)


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize(
    "lines",
    [
        "| Key | Default |\n| - | - |\n",
        "# (default 5)\n",
        "  # default: 5\n",
        "  a:\n    # default: 5\n",
        "=== ===\na   default\n",
        "def f():\n    '''x (default 5)'''\n",
        "- `a`\n  default: 5\n",
        "<table><tr><th>Key</th><th>Default</th></tr>\n",
    ],
)
def test_a_hostile_file_is_one_look(path: str, lines: str) -> None:
    """Guards against looks that start again at every line; pytest's time limit is the judge."""
    find_claims(Example(path, lines * 1_000).file)
