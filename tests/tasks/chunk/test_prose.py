"""reStructuredText, AsciiDoc, plain text and manual pages: which lines are headings."""

import pytest

from tasks.chunk import document_title, format_of, split
from tests.tasks.chunk.documents import document


def titles(path: str, text: str) -> list[str]:
    """The title of each heading that has text."""
    pieces = split(document(path, text, "manual" if path.endswith(".8") else "doc"))
    return [title for piece in pieces for title in piece.heading_path[-1:]]


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.rst", "Bells\n=====\n\ntext"),
        ("a.rst", "Bells\n~~~~\n\ntext"),
        ("a.rst", "=======\n Bells\n=======\n\ntext"),
        ("a.rst", ".. comment\n\nBells\n-----\ntext"),
        ("a.adoc", "= Bells\n\ntext"),
        ("a.adoc", "== Bells ==\n\ntext"),
        ("a.adoc", "# Bells\n\ntext"),
        ("a.adoc", "Bells\n-----\ntext"),
        ("a.adoc", "[[id]]\n.title\n== Bells\ntext"),
        ("a.txt", "Bells\n-----\ntext"),
        ("a.txt", "BELLS\n\ntext"),
        ("a.txt", "1.2. BELLS\n\ntext"),
        ("a.8", ".TH A 8\n.SH Bells\ntext"),
        ("a.8", ".TH A 8\n.SH\nBells\ntext"),
        ("a.8", ".Dd today\n.Ss \\fBBells\\fR\ntext"),
        ("a.8", '.TH A 8\n.SS "Bells"\ntext'),
    ],
)
def test_these_are_headings(path: str, text: str) -> None:
    assert [title.title().removeprefix("1.2. ") for title in titles(path, text)] == ["Bells"]


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.rst", "::\n\n    Bells\n    =====\n"),
        ("a.rst", "text\nBells\n=====\n"),
        ("a.rst", "=====  ===\nBells  big\n=====  ===\n"),
        ("a.rst", "text\n\n-----\n\ntext"),
        ("a.rst", "Bells\n==\n"),
        ("a.adoc", "----\ncode\n\n== Bells\n----"),
        ("a.adoc", "....\ncode\n\n== Bells\n...."),
        ("a.adoc", "|===\n\n== Bells\n|==="),
        ("a.adoc", "```sh\n\n# Bells\n```"),
        ("a.adoc", "text\n== Bells"),
        ("a.adoc", "Bells ring in the tower\n----\ncode\n----"),
        ("a.adoc", "==Bells"),
        ("a.txt", "Bells\n\ntext"),
        ("a.txt", "text\nBELLS\n\ntext"),
        ("a.txt", "BELLS  ROPES\n\ntext"),
        ("a.txt", "BELLS=8\n\ntext"),
        ("a.txt", "RING THE BELLS.\n\ntext"),
        ("a.txt", "text\n\n1. Bells\n\n2. Ropes\n"),
        ("a.txt", "  BELLS\n\ntext"),
        ("a.8", ".TH A 8\n.B Bells\ntext"),
    ],
)
def test_these_are_none(path: str, text: str) -> None:
    assert titles(path, text) == []


def test_levels_follow_the_order_of_looks() -> None:
    text = "Tower\n-----\na\n\nBells\n=====\nb\n\nRopes\n=====\nc\n\nYard\n-----\nd\n"
    for path in ("a.rst", "a.txt"):
        paths = [piece.heading_path for piece in split(document(path, text))]
        assert paths == [("Tower",), ("Tower", "Bells"), ("Tower", "Ropes"), ("Yard",)]


def test_a_wide_title_needs_only_four_marks() -> None:
    assert titles("a.rst", "鐘樓の鐘\n====\n\ntext") == ["鐘樓の鐘"]


@pytest.mark.parametrize(
    ("path", "text", "title"),
    [
        ("a.rst", "Tower\n=====\n\nBells\n-----\n\ntext", "Tower"),
        ("a.rst", "Tower\n=====\n\nBells\n=====\n\ntext", ""),
        ("a.adoc", "= Tower\n\n== Bells\n", "Tower"),
        ("a.adoc", "== Bells\n", ""),
        ("a.txt", "THE TOWER\n\ntext", "THE TOWER"),
        ("a.txt", "The tower.\n\ntext and\nmore text", "The tower"),
        ("a.txt", "The tower\nhas bells", ""),
        ("a.8", ".TH TOWER 8\n.SH NAME\ntower \\- a tower\n", "tower - a tower"),
        ("a.8", ".Dd today\n.Dt TOWER 8\n.Sh NAME\n.Nm tower\n.Nd a tower\n", "tower - a tower"),
        ("a.8", ".TH TOWER 8\n.SH OPTIONS\n", "TOWER"),
    ],
)
def test_the_title_comes_from_the_text(path: str, text: str, title: str) -> None:
    given = document(path, text, "manual" if path.endswith(".8") else "doc")
    assert document_title(given, split(given)) == title


def test_what_stands_before_a_manual_s_title_documents_nothing() -> None:
    [piece] = split(document("a.8", '.\\" A licence\n.de X\n..\n.TH A 8\n.\\" a comment\n.SH NAME\na\n', "manual"))
    assert (piece.line_start, piece.line_end) == (4, 7)


@pytest.mark.parametrize(
    ("path", "kind", "text", "name"),
    [
        ("README", "readme", "text", "plain"),
        ("README.md", "readme", "text", "markdown"),
        ("docs/manual/bell", "manual", ".TH BELL 8", "roff"),
        ("docs/manual/bell.RST", "manual", "text", "rst"),
        ("bell.8", "manual", "'\\\" t\n.TH BELL 8", "roff"),
        ("bell.md.template", "template", "text", "markdown"),
        ("bell.conf.template", "template", "text", "template"),
        ("bell.txt", "header", "text", "header"),
    ],
)
def test_kind_suffix_and_content_choose_the_splitter(path: str, kind: str, text: str, name: str) -> None:
    assert format_of(document(path, text, kind)) == name
