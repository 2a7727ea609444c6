"""Hostile texts: no splitter raises, hangs, or does work that grows faster than the text."""

import sys
from types import FrameType

import pytest

from tasks.chunk import document_title, split
from tests.tasks.chunk.documents import document
from tests.tasks.chunk.test_laws import PATHS

LINES = {
    "headings": "# h\n",
    "bare headings": "#\n",
    "setext headings": "a\n=\n",
    "underlines": "abc\n---\n\n",
    "overlines": "===\nabc\n===\n\n",
    "deep quotes": "> " * 40 + "x\n",
    "deep lists": "- " * 40 + "x\n",
    "fences": "```\n~~~~\n",
    "link definitions": '[a]: x "t\n',
    "open comments": "<!--\n",
    "open tags": "<div>\n",
    "table rows": "| a |\n|---|\n",
    "sections": "# PURPOSE\n# Title\n#  text\n",
    "open quotes": 'usage="\n',
    "open heredocs": "usage=$(cat <<EOF\n",
    "open functions": "usage() {\n  echo '\n",
    "printed lines": "usage() {\n  echo 'a b c'\n",
    "settings": "# text\n\nkey: value\n  key: value\n",
    "macros": ".TH a\n.SH\n",
    "pods": "=head1 a\n\n=cut\n\n",
    "stars": " * text\n",
    "blank lines": " \n",
    "callouts": "- > [!note]\n  > x\n\n",
    "formulas": "$$ a\n",
    "marks": "$$ a\n%% b\n",
}
SHAPES = {
    "hashes": "#" * 200_000,
    "brackets": "# " + "[" * 200_000,
    "quotes": ">" * 200_000,
    "stars": "*" * 200_000,
    "backticks": "`" * 200_000,
    "blanks": " " * 200_000 + "x",
    "one word": "x" * 200_000,
    "one line": "word " * 40_000,
    "escaped quotes": 'usage="' + '\\"' * 100_000,
    "docstring": '"""' + '\\"""' * 50_000,
    "comment": "/*" + "*" * 200_000,
    "link": "# https://" + "!" * 200_000 + " a",
    "setting": "#" + "a " * 100_000 + "=",
    "assignment": "a" + " " * 200_000 + "= b",
    "brace": "a" + " " * 200_000 + "{",
    "colours": 'usage="' + "${RED}" * 30_000 + '"',
    "steps": "\n".join(" " * (2 * depth) + "- x" for depth in range(400)),
    "rule": "# " + "- " * 100_000 + "x",
    "regex": "usage" * 7 + "!",
    "unclosed": "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa=",
}


def steps(path: str, text: str) -> int:
    """How many functions are called, in Python and in C, to split a text."""
    calls = 0

    def count(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    given = document(path, text, PATHS[path])
    before = sys.getprofile()
    sys.setprofile(count)
    try:
        split(given)
    finally:
        sys.setprofile(before)
    return calls


@pytest.mark.parametrize("path", PATHS)
def test_work_grows_with_the_lines_and_no_faster(path: str) -> None:
    split(document(path, "warm up", PATHS[path]))
    for name, line in LINES.items():
        few, many = steps(path, line * 60), steps(path, line * 240)
        assert many <= 5 * few + 1000, name


@pytest.mark.parametrize("path", PATHS)
def test_one_huge_line_is_no_trouble(path: str) -> None:
    for text in SHAPES.values():
        given = document(path, text, PATHS[path])
        document_title(given, split(given))


def test_titles_are_bounded() -> None:
    for path, kind in PATHS.items():
        for text in (
            "# " + "a" * 10_000,
            "a" * 10_000 + "\n" + "=" * 10_000,
            "[" + "a" * 10_000 + "]",
            "a" * 10_000 + "=1",
        ):
            given = document(path, f"{text}\n\ntext\n", kind)
            pieces = split(given)
            assert all(len(title) <= 200 for piece in pieces for title in piece.heading_path)
            assert len(document_title(given, pieces)) <= 200
