"""Conf templates: what is a setting, and what goes with it."""

import pytest

from tasks.chunk import split
from tests.tasks.chunk.documents import document


def cut(text: str, path: str = "a.conf") -> list[tuple[str, str]]:
    """Heading path and text of each piece."""
    return [(" > ".join(piece.heading_path), piece.text) for piece in split(document(path, text, "template"))]


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("KEY=value", "KEY"),
        ("export KEY=value", "KEY"),
        ("key = value", "key"),
        ("key: value", "key"),
        ("key value", "key"),
        ("a.b-c = value", "a.b-c"),
        ('"key" = value', "key"),
        ("key {\n  inner value\n}", "key"),
        ("server web {\n  inner value\n}", "server web"),
        ("<Directory /srv>\n  inner value\n</Directory>", "Directory /srv"),
        ("key = a \\\nb", "key"),
        ("#KEY=value", "KEY"),
        ("#key = value   # why", "key"),
        (";key = value", "key"),
        ("# KEY=", "KEY"),
        ("# An example in prose.\n#key value", "key"),
        ("# An example in prose.\n#key", "key"),
    ],
)
def test_a_setting_is_titled_by_its_key(text: str, key: str) -> None:
    assert cut("# Said of the setting.\n" + text) == [(key, "# Said of the setting.\n" + text)]


@pytest.mark.parametrize("text", ["# empty => no", "#Written without a blank", "# key of the tower = the big one", "}"])
def test_these_are_no_settings(text: str) -> None:
    assert [path for path, _ in cut(text)] == [""]


def test_a_comment_goes_with_the_setting_below() -> None:
    text = "a = 1\n# About b,\n#\n# at length.\nb = 2\n\n# About c.\n\nc = 3\n"
    assert cut(text) == [
        ("a", "a = 1"),
        ("b", "# About b,\n#\n# at length.\nb = 2"),
        ("c", "# About c.\n\nc = 3"),
    ]


def test_a_comment_that_touches_only_the_setting_above_belongs_to_it() -> None:
    assert cut("a = 1\n# That was a.\n\n# About b.\nb = 2\n") == [
        ("a", "a = 1\n# That was a."),
        ("b", "# About b.\nb = 2"),
    ]


def test_the_first_comment_speaks_for_the_file() -> None:
    assert cut("# All settings.\n\na = 1\n") == [("", "# All settings."), ("a", "a = 1")]


def test_tiny_settings_without_comments_are_grouped() -> None:
    assert cut("a = 1\nb = 2\n\nc = 3\n") == [("a", "a = 1\nb = 2\n\nc = 3")]


def test_a_commented_setting_is_grouped_only_with_those_that_touch_it() -> None:
    assert cut("# About a.\na = 1\nb = 2\n\nc = 3\n") == [("a", "# About a.\na = 1\nb = 2"), ("c", "c = 3")]


def test_a_group_does_not_grow_without_end() -> None:
    pieces = cut("\n".join(f"key{number} = value" for number in range(200)))
    assert len(pieces) > 3
    assert all(len(text) <= 600 for _, text in pieces)


def test_a_large_setting_joins_no_group() -> None:
    assert [path for path, _ in cut("a = 1\nb = " + "x" * 300 + "\nc = 3\nd = 4\n")] == ["a", "b", "c"]


@pytest.mark.parametrize(
    "banner",
    ["[bells]", "[[bells]]", "# --- bells ---", "#######\n# bells\n#######", "### bells\n", "# BELLS"],
)
def test_a_section_opens_the_piece_of_its_first_setting(banner: str) -> None:
    pieces = split(document("a.conf", f"# The file.\n\n{banner}\na = 1\n", "template"))
    assert [(piece.section.lower(), piece.title) for piece in pieces] == [("", ""), ("bells", "a")]


def test_banners_are_comments_where_there_are_sections() -> None:
    assert [path for path, _ in cut("[bells]\n# --- big ones ---\na = 1\n")] == ["bells > a"]


def test_nested_settings_of_yaml_have_pieces_of_their_own() -> None:
    text = "web:\n  # Where it listens.\n  port: 80\n  # Who may come.\n  allow:\n    - all\n  a: 1\n  b: 2\ntop: 1\n"
    assert cut(text, "values.yaml") == [
        ("web > port", "web:\n  # Where it listens.\n  port: 80"),
        ("web > allow", "  # Who may come.\n  allow:\n    - all"),
        ("web > a", "  a: 1\n  b: 2"),
        ("top", "top: 1"),
    ]


def test_only_yaml_has_nested_settings() -> None:
    assert [path for path, _ in cut("web:\n  port: 80\n")] == ["web"]


def test_licence_and_author_at_the_top_document_nothing() -> None:
    assert cut("# Author: A\n# License: MIT\n\n# -----\n\na = 1\n") == [("a", "a = 1")]


def test_rules_stand_at_no_piece_s_border() -> None:
    assert cut("# ======\n# a file\n# ======\n\na = 1\n# ------\n") == [("a file > a", "# a file\n# ======\n\na = 1")]
