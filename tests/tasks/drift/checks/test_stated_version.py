"""Stated versions of the package and of what it needs, against the project's own files."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemas.claims import Finding
from tasks.drift.checks import CHECKS
from tests.tasks.drift.trees import tree_of

PYPROJECT = '[project]\nname = "bellfry"\nversion = "2.4.1"\nrequires-python = ">=3.11,<4"\n'


def found(readme: str, path: str = "README.md") -> list[Finding]:
    return list(CHECKS["stated-version"](tree_of({"pyproject.toml": PYPROJECT, path: readme})))


def versions(readme: str, path: str = "README.md") -> list[str]:
    return [finding.documented for finding in found(readme, path)]


def test_a_finding_names_both_places_and_both_versions() -> None:
    (finding,) = found("# Bellfry\n\nBellfry requires Python 3.9+.\n")
    assert (finding.path, finding.line, finding.option) == ("README.md", 3, "Python")
    assert (finding.documented, finding.actual) == ("3.9", "3.11")
    assert finding.message == "Python 3.9 is documented as the lowest, pyproject.toml requires 3.11"
    assert finding.truth is not None
    assert (finding.truth.path, finding.truth.line) == ("pyproject.toml", 4)
    assert finding.edit is not None
    assert finding.edit.new == "Bellfry requires Python 3.11+."


STALE = [
    "Requires Python 3.9+.",
    "Requires Python >= 3.9",
    "requires **Python 3.9** or newer.",
    "It requires [Python](https://python.example) 3.9+.",
    "bellfry needs Python 3.9 or later.",
    "It rings bells. You need Python 3.9 or higher installed.",
    "Python 3.9+ is required.",
    "Python 3.9 or newer is required, 3.12 recommended.",
    "This project supports Python 3.9 and above.",
    "It is small, and it works with Python 3.9+.",
    "It is small and requires Python 3.9+.",
    "Bellfry requires Python 3.9 or later (if you can choose, take the newest).",
    "Requirements: Python 3.9+",
    "## Requirements\n\n- Python 3.9+",
    "## Installation\n\n1. Python version 3.9 or greater",
    "Prerequisites\n-------------\n\n* Python (>= 3.9)",
    "Requires at least Python 3.9+",
    "It requires Python 3.9+ to\nrun.",
    "Requires an installation of Python 3.9+",
    "Bellfry builds with Python 3.9 (stable) or newer.",
    "We require Python 2.7+",
]  # fmt: skip


@pytest.mark.parametrize("text", STALE)
def test_a_lower_minimum_is_found(text: str) -> None:
    assert versions(text) in (["3.9"], ["2.7"])


FINE = [
    "Requires Python 3.11+.",
    "Requires Python 3+.",
    "Requires Python 3.11.2+ today.",
    "Requires Python 3.9.",
    "Supports Python 3.9, 3.10 and 3.11.",
    "Requires Python 3.9+ if you ring by hand.",
    "Requires Python 3.9+ or 3.10 with a rope.",
    "The rope plugin requires Python 3.9+.",
    "On Python 3.9+, ring twice.",
    "## Python 3.9+\n\nRing twice.",
    "- Python 3.9+",
    "## Bells\n\n- Python 3.9+ bells are louder",
    "![Python 3.9+](https://img.shields.io/badge/python-3.9%2B)",
    "Earlier releases: requires Python 3.9+.",
    "## Upgrading\n\nIt requires Python 3.9+.",
    "```\nRequires Python 3.9+.\n```",
    "It requires Node 12+.",
    "",
]


@pytest.mark.parametrize("text", FINE)
def test_anything_else_is_left_alone(text: str) -> None:
    assert versions(text) == []


@pytest.mark.parametrize(
    "path", ["CHANGELOG.md", "docs/changes.md", "docs/upgrading.md", "docs/v1.2/a.md", "blog/a.md", "HISTORY.rst"]
)
def test_documents_about_other_versions_are_left_alone(path: str) -> None:
    assert versions("Requires Python 3.9+.", path) == []


def test_only_a_readme_may_not_ask_for_more() -> None:
    assert versions("Requires Python 3.13+.") == ["3.13"]
    assert versions("Requires Python 3.13+.", "docs/rope.md") == []


MANIFESTS = {
    "setup.cfg": ("[metadata]\nname = b\n[options]\npython_requires = >=3.8\n", "Python", "3.8"),
    "setup.py": ("from setuptools import setup\nsetup(name='b', python_requires='>=3.8')\n", "Python", "3.8"),
    "package.json": (json.dumps({"name": "b", "engines": {"node": "^18.17 || >=20"}}), "Node.js", "18.17"),
    "Cargo.toml": ('[package]\nname = "b"\nrust-version = "1.70"\n', "Rust", "1.70"),
    "composer.json": (json.dumps({"name": "a/b", "require": {"php": "^8.1"}}), "PHP", "8.1"),
    "go.mod": ("module b\n\ngo 1.21\n", "Go", "1.21"),
    "pyproject.toml": ('[tool.poetry]\nname = "b"\n[tool.poetry.dependencies]\npython = "^3.8"\n', "Python", "3.8"),
}


@pytest.mark.parametrize("name", MANIFESTS)
def test_each_manifest_decides(name: str) -> None:
    text, of, version = MANIFESTS[name]
    tree = tree_of({name: text, "README.md": f"Requires {of} 1.2+.\n\nRequires {of} {version}+.\n"})
    (finding,) = CHECKS["stated-version"](tree)
    assert (finding.option, finding.documented, finding.actual) == (of, "1.2", version)


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "[project\n", "a" * 500_000, "[" * 5_000, '{"name": 5, "engines": 5}', "setup("]
)
@pytest.mark.parametrize("name", MANIFESTS)
def test_a_broken_manifest_decides_nothing(name: str, text: str) -> None:
    assert not list(CHECKS["stated-version"](tree_of({name: text, "README.md": "Requires Python 3.9+."})))


PINS = {"Dockerfile": "FROM --platform=x python:3.11-slim AS base\n", ".python-version": "3.11.4\n"}


@pytest.mark.parametrize("name", PINS)
def test_what_is_in_use_can_only_be_too_low(name: str) -> None:
    tree = tree_of({name: PINS[name], "README.md": "Requires Python 3.9+.\n\nRequires Python 3.12+.\n"})
    assert [finding.documented for finding in CHECKS["stated-version"](tree)] == ["3.12"]


def test_the_nearest_manifest_decides() -> None:
    inner = '[project]\nname = "rope"\nrequires-python = ">=3.9"\n'
    tree = {"pyproject.toml": PYPROJECT, "rope/pyproject.toml": inner, "docs/pyproject.toml": inner}
    documents = dict.fromkeys(("rope/docs/a.md", "docs/b.md"), "Requires Python 3.9+.")
    findings = CHECKS["stated-version"](tree_of(tree | documents))
    assert [finding.path for finding in findings] == ["docs/b.md"]


@pytest.mark.parametrize(
    "text",
    [
        "Current version: 2.3.0",
        "The latest release is 2.3.0.",
        "Version: 2.3.0 (current)",
        "```\npip install bellfry==2.3.0\n```",
        "Run `uv add 'bellfry[rope]==2.3.0'`.",
    ],
)
def test_another_version_of_the_package_is_found(text: str) -> None:
    (finding,) = found(text)
    assert (finding.option, finding.documented, finding.actual) == ("bellfry", "2.3.0", "2.4.1")
    assert finding.message == "version 2.3.0 is documented, pyproject.toml says 2.4.1"


@pytest.mark.parametrize(
    "text",
    [
        "Current version: 2.4.1",
        "The latest release is 2.4.",
        "pip install bellfry",
        "pip install rope==1.0",
        "To pin an older one: `pip install bellfry==2.3.0`",
        "pip install bellfry==2.5.0a1",
        "Version 2.3.0 was loud.",
        "Since version 2.3.0",
    ],
)
def test_other_words_about_versions_are_left_alone(text: str) -> None:
    assert not found(text)


def test_a_version_under_development_is_none() -> None:
    developed = PYPROJECT.replace("2.4.1", "2.5.0.dev0")
    assert not list(
        CHECKS["stated-version"](tree_of({"pyproject.toml": developed, "README.md": "Current version: 2.4.1"}))
    )


NAMES = ["\ud800", "a" * 5_000, "(", "\\", "[a", 5, None, ["a"], {}, "ä"]


@pytest.mark.parametrize("name", NAMES, ids=[f"name {number}" for number in range(len(NAMES))])
def test_strange_names_and_versions_are_survived(name: object) -> None:
    manifest = json.dumps({"name": name, "version": name, "engines": {"node": name}})
    readme = "npm install a@1.2\n\nRequires Node 12+.\n"
    assert not list(CHECKS["stated-version"](tree_of({"package.json": manifest, "README.md": readme})))


WORDS = [
    "Requires ",
    "Python ",
    "3.9",
    "+",
    "\n",
    "# Requirements\n",
    "- ",
    "pip install ",
    "bellfry==",
    "1.2 ",
    "`",
    "](",
]


@settings(max_examples=80)
@given(text=st.lists(st.sampled_from(WORDS) | st.text(max_size=4), max_size=20).map("".join))
def test_no_document_raises(text: str) -> None:
    assert all(finding.actual in ("3.11", "2.4.1") for finding in found(text))


@pytest.mark.parametrize(
    "part", ["requires ", "Python ", "[", "]( ", "`", "Python 3.", ">= ", "pip install ", "*", "- ", "1. "]
)
def test_long_lines_are_passed_over(part: str) -> None:
    assert not found(part * 30_000 + "\n" + part * 100)
