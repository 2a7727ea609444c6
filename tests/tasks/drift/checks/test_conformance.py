"""What holds for every check in the table."""

import json
from collections.abc import Iterator
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemas.claims import CHECKS as RULES
from schemas.claims import Finding
from tasks.drift.checks import CHECKS
from tasks.drift.tree import TextFile, Tree, text_file
from tests.conftest import ROOT, SAMPLE
from tests.tasks.drift.trees import tree_of

FACTS = json.loads((ROOT / "tests" / "sample_facts.json").read_text(encoding="utf-8"))

SCRAPS = st.sampled_from([
    "`", "```\n", "```bash\n", "[a](", "b.md)", "](#", "#", "# ", "\n", "\n\n", "|", "---|---\n", "<!--", "-->",
    "<a href='",
    "--", "--flag", "$", "{{ x }}", "\\", ".. include:: ", ":ref:`", "xref:", "make ", "MAIL_HOST", "MAIL_", "=", ": ",
    "case $1 in\n", "esac\n", "-x) ;;", "#!/bin/sh\n", "include ", "getopts ab: x\n", "\x00", "é", "(", ")", "*", "  ",
])  # fmt: skip
PATHS = st.sampled_from(
    [
        "README.md",
        "docs/a.rst",
        "docs/b.adoc",
        "tool.sh",
        "tool.py",
        "Makefile",
        ".gitignore",
        "app.conf.template",
        "m.8",
    ]
)


@pytest.fixture(scope="module")
def sample() -> Tree:
    paths = {path.relative_to(SAMPLE).as_posix(): path for path in sorted(SAMPLE.rglob("*")) if path.is_file()}
    read = {name: text_file(name, path.read_bytes()) for name, path in paths.items()}
    files = {name: file for name, file in read.items() if isinstance(file, TextFile)}
    return Tree(files, frozenset(paths) - files.keys())


def findings(tree: Tree) -> Iterator[Finding]:
    for check in CHECKS.values():
        yield from check(tree)


def test_each_check_is_a_known_rule() -> None:
    assert CHECKS.keys() <= RULES.keys()


@pytest.mark.parametrize("rule", CHECKS)
def test_an_empty_tree_has_no_findings(rule: str) -> None:
    assert list(CHECKS[rule](tree_of({}))) == []


@pytest.mark.parametrize("rule", CHECKS)
def test_findings_come_by_path_and_line(rule: str, sample: Tree) -> None:
    places = [(finding.path, finding.line) for finding in CHECKS[rule](sample)]
    assert all(above <= below for above, below in pairwise(places))


@settings(max_examples=60)
@given(st.dictionaries(PATHS, st.lists(SCRAPS, max_size=40).map("".join), max_size=4))
def test_no_text_makes_a_check_fail(texts: dict[str, str]) -> None:
    tree = tree_of(texts)
    for finding in findings(tree):
        file = tree.files[finding.path]
        assert 1 <= finding.line <= len(file.lines)
        assert finding.edit is None or finding.edit.old == file.lines[finding.edit.line - 1]


HOSTILE = {
    "spaces": " " * 50_000 + "\n",
    "backticks": "`" * 20_000 + "\n",
    "brackets": "[" * 20_000 + "\n",
    "comments": "<!--" * 20_000 + "\n",
    "tags": "<a href='" * 10_000 + "\n",
    "blank lines": "\n" * 100_000 + "<a",
    "words": "MAIL_" * 20_000 + "\n",
    "flags": "--mail-host" * 5_000 + "\n",
    "fence": "```sh\n" + "make " * 20_000 + "\n```\n",
    "pipes": "| `A_B` " * 5_000 + "\n|" + "-|" * 5_000 + "\n",
}


@pytest.mark.timeout(60)
@pytest.mark.parametrize("path", ["README.md", "docs/a.rst", "docs/b.adoc", "tool.sh", "Makefile"])
@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_is_read_to_its_end(name: str, path: str) -> None:
    text = "#!/bin/sh\n# " + HOSTILE[name] if path == "tool.sh" else HOSTILE[name]
    assert list(findings(tree_of({path: text, "READ.md": "`make x`\n"}))) == []


def planted(kind: str, name: str, place: str = "doc") -> set[tuple[str, int, str]]:
    return {(fact[place]["path"], fact[place]["line"], fact[name]) for fact in FACTS[kind]}


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        ("unknown-option", planted("unknown_options", "option")),
        ("undocumented-setting", planted("undocumented_settings", "option", "truth")),
        ("dead-link", planted("dead_links", "target")),
        ("unparsed-flag", planted("unparsed_flags", "flag")),
        ("missing-command", set()),
    ],
)
def test_the_sample_has_what_was_planted_and_no_more(
    rule: str, expected: set[tuple[str, int, str]], sample: Tree
) -> None:
    assert {(finding.path, finding.line, finding.option) for finding in CHECKS[rule](sample)} == expected


def test_the_samples_slip_comes_with_the_name_that_was_meant(sample: Tree) -> None:
    meant = {fact["option"]: fact["did_you_mean"] or "" for fact in FACTS["unknown_options"]}
    assert {finding.option: finding.actual for finding in CHECKS["unknown-option"](sample)} == meant
