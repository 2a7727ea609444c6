"""Markdown: which lines are headings, and what becomes of the others."""

import pytest

from tasks.chunk import document_title, documentation_lines, split
from tests.tasks.chunk.documents import document


def paths(text: str) -> list[str]:
    return [" > ".join(piece.heading_path) for piece in split(document("a.md", text))]


@pytest.mark.parametrize(
    "text",
    [
        "```\n# no\n```",
        "~~~sh\n# no\n~~~",
        "````\n```\n# no\n```\n````",
        "```\n# no, never closed",
        "```\n# no\n``",
        "    # no",
        "- item\n\n  # no",
        "> # no\n> no\n> ---",
        "<pre>\n# no\n</pre>",
        "<!--\n# no\n-->",
        "<script>\n# no\n</script>",
        "#no",
        "####### no",
        "\\# no",
        "| # no |\n|---|\n| # no |",
        "no\n\n---",
        "---\n# no\n---",
        "+++\n# no\n+++",
        "---\n# no\n...",
    ],
)
def test_these_are_no_headings(text: str) -> None:
    assert paths(text) == [""]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("---\n\n# Bells\n\nThey ring.\n\n---\n\n# Ropes\n\nThey hang.", ["Bells", "Ropes"]),
        ("+++\n\n# Bells\n\n+++\n\n# Ropes\n\nThey hang.", ["", "Bells", "Ropes"]),
        ("---\n\ntitle: Bells\n\n# no\n---\n\n# Ropes\n\nThey hang.", ["Ropes"]),
    ],
)
def test_a_text_between_rules_is_no_front_matter(text: str, found: list[str]) -> None:
    assert paths(text) == found


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("# Bells", "Bells"),
        ("  ## Bells ##", "Bells"),
        ("Bells\n===", "Bells"),
        ("Bells\nand ropes\n---", "Bells and ropes"),
        ("# `ring` the **bells**", "ring the bells"),
        ("# [Bells](bells.md)", "Bells"),
        ("# ![logo](a.png) Bells", "logo Bells"),
        ("# Bells {#bells}", "Bells"),
        ("# Bells &amp; ropes", "Bells & ropes"),
        ("# <b>Bells</b>", "Bells"),
        ("# {{ bells }}", "{{ bells }}"),
        ("# snake_case_name", "snake_case_name"),
        ("# 鐘", "鐘"),
        ("# " + "long " * 200, ("long " * 40)[:199] + "…"),
    ],
)
def test_a_heading_gives_its_words_as_title(text: str, title: str) -> None:
    [piece] = split(document("a.md", text + "\n\ntext"))
    assert piece.title == title


def test_sections_are_counted_below_the_only_first_level_heading() -> None:
    pieces = split(document("a.md", "# Tower\na\n## Bells\nb\n### Big\nc\n## Ropes\nd\n"))
    assert [piece.section for piece in pieces] == ["Tower", "Bells", "Bells", "Ropes"]


def test_without_a_title_sections_are_the_outermost_headings() -> None:
    pieces = split(document("a.md", "# Bells\na\n## Big\nb\n# Ropes\nc\n"))
    assert [piece.section for piece in pieces] == ["Bells", "Bells", "Ropes"]


def test_text_before_the_first_heading_is_a_piece() -> None:
    assert paths("before\n\n# Bells\n\ntext") == ["", "Bells"]


def test_a_heading_without_text_opens_its_first_child() -> None:
    pieces = split(document("a.md", "# Tower\n\n## Bells\n\n### Big\n\ntext\n"))
    assert [(piece.line_start, piece.line_end, piece.title) for piece in pieces] == [(1, 7, "Big")]


def test_an_empty_heading_stands_alone_before_its_sibling() -> None:
    assert paths("# A\n\n## B\n\n## C\n\ntext\n\n# D") == ["A > B", "A > C", "D"]


def test_levels_may_be_skipped() -> None:
    assert paths("# A\na\n#### B\nb\n## C\nc") == ["A", "A > B", "A > C"]


def test_front_matter_goes_with_what_follows() -> None:
    [piece] = split(document("a.md", "---\ntitle: Bells\n---\n\n# Ringing\n\ntext\n"))
    assert (piece.line_start, piece.line_end, piece.heading_path) == (2, 7, ("Ringing",))


def test_an_unclosed_front_matter_is_text() -> None:
    assert paths("---\ntitle: Bells\n\n# Ringing") == ["", "Ringing"]


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("---\ntitle: 'The bells'\n---\n# Ringing", "The bells"),
        ('+++\ntitle = "The bells"\n+++\n# Ringing', "The bells"),
        ("---\ntags: []\n---\n# Ringing", "Ringing"),
        ("## Small\n# Ringing", "Ringing"),
        ("## Small", ""),
        ("title: no front matter", ""),
    ],
)
def test_the_title_is_front_matters_or_the_first_level_heading(text: str, title: str) -> None:
    given = document("a.md", text)
    assert document_title(given, split(given)) == title


def test_a_thematic_break_is_at_no_piece_s_end() -> None:
    pieces = split(document("a.md", "# A\n\na\n\n---\n\n# B\n\nb\n\n* * *\n\nc\n\n---\n"))
    assert [(piece.line_start, piece.line_end) for piece in pieces] == [(1, 3), (7, 13)]


def test_blocks_inside_a_piece_may_be_split_apart_but_not_a_table() -> None:
    text = "# A\n\npara\n\n- one\n\n  two\n- three\n\n| a |\n|---|\n| b |\n\n```\nc\n\nd\n```\n"
    [piece] = split(document("a.md", text))
    assert piece.breaks == (3, 5, 7, 8, 10, 14)


@pytest.mark.parametrize("separator", ["\u2028", "\x85", "\x0b", "\x0c", "\x1c", "\r"])
def test_only_a_newline_ends_a_line(separator: str) -> None:
    given = document("a.md", f"a{separator}b\n# Bells\nc")
    assert documentation_lines(given) == [1, 2, 3]
    assert [piece.text for piece in split(given)] == [f"a{separator}b", "# Bells\nc"]


def test_text_that_looks_like_something_else_is_text() -> None:
    for text in ("https://example.org/a.md", "BM is a format", "%PDF-1.4", "ID3"):
        assert [piece.text for piece in split(document("a.md", text))] == [text]
