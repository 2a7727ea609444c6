"""Scripts: where their documentation stands, and what of it counts."""

import pytest

from tasks.chunk import document_title, documentation_lines, split
from tests.tasks.chunk.documents import document


def cut(text: str, path: str = "bell.sh") -> list[tuple[str, str]]:
    """Heading path and text of each piece."""
    return [(" > ".join(piece.heading_path), piece.text) for piece in split(document(path, text, "header"))]


def header(*lines: str) -> str:
    return "#!/bin/sh\n" + "\n".join(f"# {line}".rstrip() for line in lines) + "\n\nset -e\n"


@pytest.mark.parametrize(
    "heading",
    [
        ["RUNTIME MODES"],
        ["RUNTIME MODES:"],
        ["Runtime modes:"],
        ["Runtime modes", "-------------"],
        ["=======", "Runtime modes", "======="],
        ["━━━ Runtime modes ━━━"],
        ["--- RUNTIME MODES ---"],
        ["╔═══════════════╗", "║ RUNTIME MODES ║", "╚═══════════════╝"],
    ],
)
def test_a_section_heading_may_look_many_ways(heading: list[str]) -> None:
    pieces = split(document("bell.sh", header("A bell.", "", *heading, "", "By hand.")))
    assert [piece.section for piece in pieces] == ["", "RUNTIME MODES"]
    assert pieces[1].text.endswith("By hand.")


def test_an_unknown_name_in_capitals_is_a_section() -> None:
    assert cut(header("A bell.", "", "BELFRY RULES", "", "No pigeons.")) == [
        ("", "A bell."),
        ("BELFRY RULES", "BELFRY RULES\n\nNo pigeons."),
    ]


@pytest.mark.parametrize("line", ["BELL_COUNT", "BELLS=8", "DO NOT RUN THIS.", "A1", "Bells ring"])
def test_other_lines_are_no_section(line: str) -> None:
    assert len(cut(header("A bell.", "", line, "", "Text."))) == 1


def test_the_first_line_is_a_title_and_no_section() -> None:
    assert cut(header("=========", "BIG BELLS", "=========", "", "They ring.")) == [
        ("", "BIG BELLS\n=========\n\nThey ring.")
    ]


def test_text_may_follow_the_name_of_a_section() -> None:
    assert cut(header("A bell.", "Usage: bell.sh [-q]", "-q   quiet")) == [
        ("", "A bell."),
        ("USAGE", "Usage: bell.sh [-q]\n-q   quiet"),
    ]


def test_a_title_in_small_letters_stays_below_sections_in_capitals() -> None:
    assert cut(header("PURPOSE", "", "Bells.", "", "Options:", "  -q  quiet")) == [
        ("PURPOSE", "PURPOSE\n\nBells.\n\nOptions:\n  -q  quiet")
    ]


def test_capitals_over_indented_text_are_a_named_paragraph() -> None:
    pieces = cut(header("SAFETY", "", "UPS", "  Waits for mains.", "", "RCD", "  Trips."))
    assert [path for path, _ in pieces] == ["SAFETY > UPS", "SAFETY > RCD"]


def test_capitals_over_indented_text_are_sections_in_a_manual_style() -> None:
    pieces = cut(header("NAME", "    bell", "", "BELFRY RULES", "    No pigeons."))
    assert [path for path, _ in pieces] == ["NAME", "BELFRY RULES"]


def test_text_after_a_named_paragraph_belongs_to_the_section() -> None:
    pieces = cut(header("SAFETY", "", "Latch", "  Holds.", "", "All of this is tested", "twice a year."))
    assert pieces == [
        ("SAFETY > Latch", "SAFETY\n\nLatch\n  Holds."),
        ("SAFETY", "All of this is tested\ntwice a year."),
    ]


@pytest.mark.parametrize("title", ["This ends in a full stop.", "Lead-in:", "- an item", "-q    quiet", "word " * 9])
def test_some_lines_name_no_paragraph(title: str) -> None:
    assert len(cut(header("SAFETY", "", title, "  indented"))) == 1


def test_options_name_paragraphs() -> None:
    pieces = cut(header("RUNTIME MODES", "", "--quiet", "  No sound.", "--loud N", "  N times."))
    assert [path for path, _ in pieces] == ["RUNTIME MODES > --quiet", "RUNTIME MODES > --loud N"]


@pytest.mark.parametrize(
    "boilerplate",
    [
        ["Author: A", "Date: 2020-01-01", "Version: 1"],
        ["vim:ts=4:sts=4", "shellcheck disable=SC1090"],
        ["Copyright (c) 2020 A", "All rights reserved."],
        ["SPDX-License-Identifier: MIT"],
        ["This program is free software: you can redistribute it and/or modify", "it as you like."],
        ["Permission is hereby granted, free of charge, to anybody."],
        ["https://example.org/bells"],
        ["Author: A", "", "https://example.org/bells"],
        ["#######################"],
        ["-*- mode: sh -*-"],
        ["20-Jul-2014 A Created this."],
    ],
)
def test_boilerplate_alone_is_no_documentation(boilerplate: list[str]) -> None:
    assert cut(header(*boilerplate)) == []


def test_boilerplate_between_texts_is_in_no_piece() -> None:
    assert cut(header("Rings the bell.", "", "Author: A", "License: MIT", "", "Twice at noon, see above.")) == [
        ("", "Rings the bell."),
        ("", "Twice at noon, see above."),
    ]


def test_a_link_among_text_is_kept() -> None:
    assert cut(header("Rings the bell.", "", "https://example.org/bells")) == [
        ("", "Rings the bell.\n\nhttps://example.org/bells")
    ]


def test_a_link_after_boilerplate_is_boilerplate() -> None:
    assert cut(header("Rings the bell.", "", "License: MIT", "", "https://example.org/mit")) == [
        ("", "Rings the bell.")
    ]


def test_several_comment_blocks_before_the_code_all_count() -> None:
    text = "#!/bin/sh\n# Author: A\n\n# Rings the bell of the tower.\n\nset -e\n# Not this: it is inside.\nring\n"
    assert cut(text) == [("", "Rings the bell of the tower.")]


def test_a_short_comment_right_above_code_explains_the_code() -> None:
    assert cut("# Rings the bell.\n\n# the bell to be struck first\nbell=1\n") == [("", "Rings the bell.")]


def test_a_comment_after_the_shell_s_options_explains_the_code() -> None:
    assert cut("#!/bin/sh\nset -eu\n# where the bells are\n. /etc/bells\n") == []


def test_a_short_docstring_may_stand_right_above_code() -> None:
    assert cut('# Copyright (c) A\n"""Rings the bell."""\nimport os\n', "a.py") == [("", "Rings the bell.")]


def test_code_switched_off_is_no_documentation() -> None:
    assert cut("# Rings the bell.\n\n#set -x and some other words\n#export LOUD=1\n\nring\n") == [
        ("", "Rings the bell.")
    ]


def test_a_framed_label_is_no_documentation() -> None:
    assert cut("# ===== #\n#  B e l l s  o f  t h e  t o w e r\n# ===== #\n\nring\n") == []


def test_script_bodies_are_not_indexed() -> None:
    text = header("Rings the bell.") + "# a comment in the body that is rather long\nring\n"
    assert documentation_lines(document("bell.sh", text)) == [2]


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.php", "<?php\n\n/**\n * Rings the bell.\n */\n\nring();\n"),
        ("a.php", "<?php\n// Rings the bell.\n\nring();\n"),
        ("a.php", "<?php\ndeclare(strict_types=1);\nnamespace A;\n/* Rings the bell. */\n"),
        ("a.py", '"""Rings the bell."""\n'),
        ("a.py", "#!/usr/bin/python\n'''\nRings the bell.\n'''\n"),
        ("a.py", 'r"""Rings the bell."""\nprint "python 2"\n'),
        ("a", '#!/usr/bin/env python3\n"""Rings the bell."""\n'),
        ("a.pl", "#!/usr/bin/perl\nuse strict;\n\n# Rings the bell.\n\nring();\n"),
        ("a.rb", "=begin\nRings the bell.\n=end\n"),
        ("a.awk", "#!/usr/bin/awk -f\n# Rings the bell.\n"),
        ("a.lua", "-- Rings the bell.\n"),
        ("a.lua", "--[[ Rings the bell. ]]\n"),
        ("a.ps1", "<# Rings the bell. #>\n"),
        ("a.r", "#' Rings the bell.\n"),
        ("a.tcl", "##\n## Rings the bell.\n##\n"),
    ],
)
def test_each_language_has_its_comments(path: str, text: str) -> None:
    assert cut(text, path) == [("", "Rings the bell.")]


def test_docstring_and_leading_comments_both_count() -> None:
    text = '# Needs a bell of bronze.\n\n"""Rings the bell.\n\nAt noon.\n"""\n'
    assert cut(text, "a.py") == [("", "Needs a bell of bronze."), ("", "Rings the bell.\n\nAt noon.")]


@pytest.mark.parametrize("text", ['"""never closed', "'", "def (:\n", "/*", "--[[", "<#"])
def test_what_is_never_closed_is_no_documentation(text: str) -> None:
    assert [cut(text, path) for path in ("a.py", "a.php", "a.lua", "a.ps1")] == [[], [], [], []]


@pytest.mark.parametrize(
    ("text", "title"),
    [
        (header("bell.sh - rings the bell"), "bell.sh - rings the bell"),
        (header("bell - rings the bell, and what is more,", "twice"), "bell - rings the bell, and what is more,"),
        (header("Rings the bell.", "", "At noon."), "Rings the bell"),
        (header("Rings the bell at noon, and then", "once more."), ""),
        (header("PURPOSE", "", "To ring."), ""),
        (header("Usage: bell.sh"), ""),
        (header("see https://example.org/bells"), ""),
        (header("word " * 40), ""),
    ],
)
def test_the_first_line_is_the_title_if_it_reads_like_one(text: str, title: str) -> None:
    given = document("bell.sh", text)
    assert document_title(given, split(given)) == title
