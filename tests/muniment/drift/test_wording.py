"""How findings read, and how GitHub and Markdown escape them."""

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from muniment.drift import github, markdown, wording
from muniment.drift.view import View
from muniment.inert import one_line
from schemas.claims import Place
from tests.muniment.drift.reports import CLEAN, FLAG, GRACE, NASTY, ORDINARY, hostile


@pytest.mark.parametrize(
    ("text", "shown"),
    [("300", "300"), ("", "nothing"), ("5 minutes", "'5 minutes'"), ("a\nb", "a\\nb"), ("it's", "'it's'")],
)
def test_a_value_shows_where_it_ends(text: str, shown: str) -> None:
    assert wording.value(text) == shown


def test_a_very_long_value_is_cut() -> None:
    assert len(wording.value("x" * 10_000)) == wording.MAX_VALUE
    assert len(markdown.render(hostile(), View())) < 10_000


@pytest.mark.parametrize(
    ("since", "note", "said"),
    [
        ("", "", ""),
        ("4f1c2d3e5a6b", "", "since 4f1c2d3e5a"),
        ("4f1c2d3e5a6b", "or earlier", "since 4f1c2d3e5a (or earlier)"),
        ("", "shallow clone", "since when is not known (shallow clone)"),
    ],
)
def test_an_unknown_beginning_is_said(since: str, note: str, said: str) -> None:
    assert wording.since(replace(GRACE, since=since, since_note=note)) == said


def test_of_many_places_some_are_named() -> None:
    many = replace(GRACE, agreeing=tuple(Place("values.yml", line) for line in range(1, 31)), differing=())
    assert "also agrees: values.yml:1, values.yml:2, values.yml:3, values.yml:4, 26 more)" in wording.whole(many)
    assert "`values.yml:4`, 26 more |" in markdown.render(replace(ORDINARY, findings=(many,)), View())


def test_the_verdict_counts_places_and_files() -> None:
    assert wording.verdict(ORDINARY) == "3 places in 2 files disagree with the repository"
    assert wording.verdict(replace(ORDINARY, findings=(FLAG,))) == "1 place in 1 file disagrees with the repository"
    assert wording.verdict(CLEAN) == "nothing disagrees with the repository"
    assert wording.verdict(replace(CLEAN, silenced=1)).endswith("but what the baseline knows")


def parse_command(line: str) -> tuple[dict[str, str], str]:
    """A workflow command as GitHub's runner reads it."""
    found = re.fullmatch(r"::warning (.*?)::(.*)", line)
    assert found
    pairs = (pair.partition("=") for pair in found[1].split(","))
    return {name: _unescape(value, "%3A:", "%2C,") for name, _, value in pairs}, _unescape(found[2])


def _unescape(text: str, *more: str) -> str:
    for code in ("%0D\r", "%0A\n", *more, "%25%"):
        text = text.replace(code[:3], code[3:])
    return text


@given(st.text(max_size=40), st.text(max_size=40))
def test_a_workflow_command_is_read_as_it_was_meant(path: str, message: str) -> None:
    report = replace(ORDINARY, findings=(replace(FLAG, path=path, message=message),), judgements=())
    (line,) = github.render(report, View()).split("\n")[:-1]
    properties, said = parse_command(line)
    assert properties == {"file": one_line(path), "line": "40", "title": "drift: unparsed-flag"}
    assert said == one_line(message)


GFM = MarkdownIt("commonmark", {"html": True}).enable("table")


def cells_of(document: str) -> list[list[str]]:
    """The text of each cell of each row of the tables, as a reader of the page sees it; only code and words."""
    rows: list[list[str]] = []
    for token in GFM.parse(document):
        if token.type == "tr_open":
            rows.append([])
        if token.type == "inline" and rows:
            assert {child.type for child in token.children or ()} <= {
                "text",
                "text_special",
                "code_inline",
                "html_inline",
                "em_open",
                "em_close",
            }
            assert {child.content for child in token.children or () if child.type == "html_inline"} <= {
                "<code>",
                "</code>",
            }
            shown = (child for child in token.children or () if child.type != "html_inline")
            rows[-1].append("".join(child.content for child in shown))
    return rows


@given(st.one_of(st.text(max_size=30), st.text("|\\`*_[]()<>&#@!-~ \tab", max_size=12), st.just(NASTY)))
def test_a_cell_shows_the_text_as_it_is(option: str) -> None:
    document = markdown.render(replace(ORDINARY, findings=(replace(GRACE, option=option),), notes=()), View())
    cell = cells_of(document)[1][1]
    shown = one_line(option) or "nothing"
    assert cell == f"{shown} says 300, conf/kestrel.conf.template:7 has 600"
