"""docs/muniment.1: complete, and readable by what reads manual pages."""

from __future__ import annotations

import re
import shutil
import subprocess

import pytest

from docs.manpage import manpage
from muniment.cli.parser import make_parser
from muniment.errors import EXIT_CODES
from tests.conftest import ROOT


def test_every_command_and_exit_code_is_in_it() -> None:
    text = manpage().replace("\\", "")
    (commands,) = (action for action in make_parser()._actions if action.dest == "command")
    assert commands.choices
    for name in [*commands.choices, "token create", "hook install"]:
        assert f"'muniment {name}'" in text
    codes = text.partition(".SH EXIT STATUS")[2].partition(".SH")[0]
    assert [int(code) for code in re.findall(r"^\.B (\d+)$", codes, re.M)] == list(EXIT_CODES)


def test_it_holds_no_date_and_no_place() -> None:
    text = manpage()
    assert not re.search(r"20\d\d", text.splitlines()[0])
    assert str(ROOT) not in text


@pytest.mark.skipif(not shutil.which("groff"), reason="groff is not installed")
def test_it_is_set_without_a_warning() -> None:
    command = ["groff", "-man", "-Tascii", "-ww", "-z"]
    done = subprocess.run(command, input=manpage(), capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
