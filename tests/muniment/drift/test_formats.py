"""What every format of the drift report must hold to, and what each looks like.

After a change that is meant, `UPDATE_GOLDENS=1 pytest tests/muniment/drift/test_formats.py` writes the goldens anew.
"""

import os
from dataclasses import replace
from pathlib import Path

import pytest

from muniment import __version__
from muniment.cli.parser.checking import CHECK_NAMES, FORMAT_NAMES
from muniment.drift import FORMATS
from muniment.drift.view import View
from muniment.inert import inert
from schemas.claims import CHECKS
from tests.muniment.drift.reports import NASTY, ORDINARY, REPORTS, VIEW

GOLDENS = Path(__file__).parent / "goldens"


@pytest.fixture(params=FORMATS)
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.mark.parametrize("report", REPORTS)
def test_a_document_ends_in_a_line_break_or_is_empty(name: str, report: str) -> None:
    document = FORMATS[name](REPORTS[report], VIEW)
    assert not document or document.endswith("\n")
    assert not document.endswith("\n\n")


@pytest.mark.parametrize("everything", [False, True])
def test_nothing_from_a_repository_is_alive(name: str, everything: bool) -> None:
    document = FORMATS[name](REPORTS["hostile"], View(everything))
    assert document
    assert inert(document) == document


def test_no_line_is_a_command_of_a_workflow(name: str) -> None:
    document = FORMATS[name](REPORTS["hostile"], View(everything=True))
    commands = [line for line in document.splitlines() if line.lstrip().startswith(("::", "##["))]
    assert len(commands) == (2 if name == "github" else 0)


def test_the_same_report_makes_the_same_document(name: str) -> None:
    assert FORMATS[name](ORDINARY, VIEW) == FORMATS[name](ORDINARY, VIEW)


def test_a_report_of_nothing_can_be_made(name: str) -> None:
    FORMATS[name](replace(ORDINARY, commit="", files=0, judgements=(), findings=()), View())


@pytest.mark.parametrize("report", ["ordinary", "clean"])
def test_a_document_is_as_its_golden_shows(name: str, report: str) -> None:
    document = FORMATS[name](REPORTS[report], VIEW).replace(f'"{__version__}"', '"VERSION"')
    golden = GOLDENS / f"{report}.{name}"
    if os.environ.get("UPDATE_GOLDENS"):
        golden.write_text(document, encoding="utf-8")
    assert document == golden.read_text(encoding="utf-8")


def test_the_command_line_knows_every_format_and_check() -> None:
    assert tuple(FORMATS) == FORMAT_NAMES
    assert tuple(CHECKS) == CHECK_NAMES


def test_the_hostile_text_would_be_alive() -> None:
    assert inert(NASTY) != NASTY
