"""No text makes a pattern of ours go back and forth without end: every `re` use, on what its own repeats take.

Nothing is timed: the kernel ends a process that needs more CPU for one text than it may. Texts are of 36 characters, on
which a pattern that doubles its work with each needs hours, and of 12,000, on which one that squares it needs twice
what it may, and one whose work grows with the text a tenth.
"""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from muniment.ranking.words import identifiers_of
from tasks.chunk.comments import SYNTAXES, leading_blocks, syntax_of
from tasks.drift.claims import find_claims
from tasks.drift.tree import TextFile, text_file
from tests.attack.pumps import attacks
from tests.conftest import ROOT


def stopped_at(length: int, milliseconds: int) -> str:
    """The pattern on which a text of this length used up so much CPU; nothing where none did."""
    command = [sys.executable, "-m", "tests.attack.pumps", str(length), str(milliseconds)]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert ran.stderr == ""
    assert ran.stdout
    return ran.stdout.rpartition("\n")[0].rpartition("\n")[2] if ran.returncode else ""


def test_patterns_are_found_in_every_layer() -> None:
    """In a process of its own: what it loads must not stay in that of the other tests."""
    command = [sys.executable, "-m", "tests.attack.pumps"]
    found = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
    assert {line.partition(".")[0] for line in found} == {"muniment", "tasks", "flows"}
    assert len(found) > 500


def test_a_catastrophic_pattern_would_be_seen() -> None:
    assert any(text.startswith("aaaa") and not text.endswith("a") for text in attacks(re.compile(r"(?:a+)+$"), 36))
    assert any(text.startswith("-A a____") for text in attacks(re.compile(r"-A ([a-z](?:[._]\w{1,40}){1,6})"), 36))


@pytest.mark.slow
@pytest.mark.parametrize(("length", "milliseconds"), [(36, 100), (12_000, 150)])
def test_no_pattern_of_ours_goes_without_end(length: int, milliseconds: int) -> None:
    assert stopped_at(length, milliseconds) == ""


def claims_of(text: str) -> int:
    file = text_file("docs/a.md", text.encode())
    assert isinstance(file, TextFile)
    return len(find_claims(file))


def test_a_row_of_underscores_is_no_option() -> None:
    """Took minutes at a hundred of them: each could end a part of the name or stand in it."""
    assert claims_of(f"# a\n\n- `-A a{'_' * 150}!`: the x (default: 5)\n") == 0
    assert claims_of("# a\n\n- `-o server.max_size`: the x (default: 5)\n") == 1


def test_a_name_in_a_question_is_read_at_once() -> None:
    assert len(identifiers_of("a" + "_" * 5_000 + "\0")) == 1
    assert identifiers_of("what is a_b.c?") == ("a_b.c",)


@pytest.mark.parametrize("language", ["", *SYNTAXES])
def test_a_comment_of_blanks_is_read_at_once(language: str) -> None:
    """Half a megabyte of blanks in one line took a quarter of an hour."""
    for mark in syntax_of(language).line:
        lines = [f"{mark} copy it {' ' * 500_000}x", f"{mark} the second line of it"]
        blocks = leading_blocks(lines, syntax_of(language))
        assert len(blocks) == 1
        (boxed,) = leading_blocks([f"{mark} in a box     ##", f"{mark} line two       #"], syntax_of(language))
        assert boxed.texts == ("in a box", "line two") or mark != "#"
