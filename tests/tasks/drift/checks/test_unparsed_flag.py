"""Documented flags against what scripts parse."""

import pytest

from schemas.claims import Finding
from tasks.drift.checks import CHECKS
from tests.tasks.drift.trees import tree_of

ARMS = """\
while (($#)); do
  case $1 in
    --dry-run) dry=1 ;;
    -q | --quiet) quiet=1 ;;
    *) exit 2 ;;
  esac
  shift
done
"""
HEADER = """\
#!/bin/bash
# ring.sh - rings the bells
#
# OPTIONS
# -------
# --dry-run
#   Say what would ring.
#
# {}
#   More.
#
"""


def found(**files: str) -> list[Finding]:
    return list(CHECKS["unparsed-flag"](tree_of({name.replace("_DOT_", "."): text for name, text in files.items()})))


def flags(**files: str) -> list[str]:
    return [finding.option for finding in found(**files)]


def test_a_flag_of_a_header_that_is_not_parsed_is_found() -> None:
    (finding,) = found(ring_DOT_sh=HEADER.format("--dry-ran") + ARMS)
    assert (finding.path, finding.line, finding.option, finding.actual) == ("ring.sh", 9, "--dry-ran", "--dry-run")
    assert finding.message == "ring.sh does not parse --dry-ran; it parses --dry-run"


@pytest.mark.parametrize("flag", ["--quiet", "-q, --quiet", "--help", "-h"])
def test_a_parsed_or_customary_flag_is_left_alone(flag: str) -> None:
    assert flags(ring_DOT_sh=HEADER.format(flag) + ARMS) == []


OPEN = {
    "hands all on": ARMS + 'exec /usr/bin/ring "$@"\n',
    "hands all on in a function": 'main() {\n  exec ring "$@"\n}\n' + ARMS + 'main "$@"\n',
    "parses nothing": "echo ding\n",
}


@pytest.mark.parametrize("name", OPEN)
def test_a_program_with_unseen_options_is_not_judged(name: str) -> None:
    assert flags(ring_DOT_sh=HEADER.format("--loud") + OPEN[name]) == []


def test_a_function_of_its_own_may_get_all_arguments() -> None:
    code = 'log() {\n  echo "$@"\n}\n' + ARMS + 'log "$@"\n'
    assert flags(ring_DOT_sh=HEADER.format("--loud") + code) == ["--loud"]


def test_a_sourced_file_may_parse_for_it() -> None:
    lib = "case $1 in\n  --loud) loud=1 ;;\nesac\n"
    assert flags(ring_DOT_sh=HEADER.format("--loud") + ". ./lib.sh\n" + ARMS, lib_DOT_sh=lib) == []


def test_getopts_says_exactly_which_letters() -> None:
    code = "while getopts d:hr opt; do :; done\necho -n x\n"
    usage = "#!/bin/bash\n# ring.sh - rings the bells of the tower\n#\n# USAGE: ./ring.sh [-hr] [-d secs] [-n name]\n\n"
    assert flags(ring_DOT_sh=usage + code) == ["-n"]


def test_a_command_line_in_a_document_is_checked() -> None:
    readme = "```bash\n$ ./ring.sh --dry-run --loud | tee --append log\n```\n\nOr `ring.sh --slow`.\n"
    assert flags(ring_DOT_sh="#!/bin/bash\n" + ARMS, README_DOT_md=readme) == ["--loud", "--slow"]


def test_flags_listed_under_a_scripts_name_are_checked() -> None:
    readme = "## ring.sh\n\n- `--dry-run` says it\n- `--loud` shouts\n\n## other\n\n- `--any` is not ours\n"
    assert flags(ring_DOT_sh="#!/bin/bash\n" + ARMS, README_DOT_md=readme) == ["--loud"]


def test_a_manual_page_of_a_script_is_checked() -> None:
    page = ".TH ring 8\n.SH OPTIONS\n.TP\n.B \\-\\-dry\\-run\nSays it.\n.TP\n.B \\-\\-loud\nShouts.\n"
    found_flags = [
        finding.option
        for finding in CHECKS["unparsed-flag"](tree_of({"ring": "#!/bin/bash\n" + ARMS, "man/ring.8": page}))
    ]
    assert found_flags == ["--loud"]


PYTHON = "#!/usr/bin/env python3\n{}\nparser = argparse.ArgumentParser()\nparser.add_argument('--dry-run')\n"


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ("import argparse", ["--loud"]),
        ("import argparse\nadd_more(parser)", []),
        ("import argparse\nrest = parser.parse_known_args()", []),
        ("import argparse\nparser.add_argument(*names)", []),
        ("import argparse\nparser.add_argument('--loud')", []),
        ("import argparse\nbroken(", []),
    ],
)
def test_python_is_judged_where_its_options_are_literals(more: str, expected: list[str]) -> None:
    readme = "```\npython3 ring.py --dry-run --loud\n```\n"
    assert flags(ring_DOT_py=PYTHON.format(more), README_DOT_md=readme) == expected


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("ring.pl", "#!/usr/bin/perl\nuse Getopt::Long;\nGetOptions('dry-run|n' => \\$dry);\n"),
        ("ring.php", "#!/usr/bin/php\n<?php\n$o = getopt('', ['dry-run']);\n"),
    ],
)
def test_perl_and_php_are_read_by_their_parsers(path: str, code: str) -> None:
    tree = tree_of({path: code, "README.md": f"```\n./{path} --dry-run --loud\n```\n"})
    assert [finding.option for finding in CHECKS["unparsed-flag"](tree)] == ["--loud"]
