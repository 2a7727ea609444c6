"""Which files are documentation, of what kind, and which of them the operator wants."""

import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from muniment.errors import SettingsError
from schemas.chunks import KINDS
from schemas.files import SKIP_REASONS, Skipped
from tasks.chunk import FORMATS
from tasks.classify import RULES, Unsure, admits, kind_from_content, kind_of

BY_PATH = {
    "header": "a.sh a.bash a.zsh a.ksh a.dash a.fish a.php a.py a.pl a.pm a.rb a.awk a.ps1 a.lua a.tcl a.R"
    " bin/A.SH man/make.py",
    "readme": "README readme.md docs/Readme.rst a/README.de.md README-docker.adoc readme.txt manual/README.md",
    "manual": "man/a.md manual/a/b.rst docs/Manuals/a.adoc MANUAL.md manual-admin.txt",
    "template": "a.template a.conf.tmpl a.example a.sample a.dist a.defaults .env.example .env.production.sample"
    " .env-example a.conf a.cnf a.cfg a.ini a.service roles/x/defaults/main.yml chart/values.yaml"
    " values-prod.yml docker-compose.yml docker-compose.prod.yaml compose.yaml a.example.yml"
    " secrets.yml.example",
    "doc": "a.md a.markdown a.mdx a.rst a.adoc a.asciidoc a.txt CHANGELOG.md CHANGELOG docs/credentials.md"
    " FAQ licensing.md",
}
SKIPPED = {
    "may hold secrets": ".env a/.env .env.local .env.production a.pem a.key id_rsa id_ed25519.pub .netrc .htpasswd"
    " a.kdbx .npmrc credentials credentials.json aws-credentials.ini secrets.yml secret.txt"
    " passwords.txt prod.vault.yml .my.cnf A.PEM",
    "not documentation": "a.png a.c a.js a.yml .github/workflows/ci.yml LICENSE LICENCE.txt LICENSE-MIT COPYING NOTICE"
    " requirements.txt dev-requirements.txt CMakeLists.txt node_modules/a/README.md vendor/a.md"
    " a/third_party/b.md .venv/a.py dist/a.md Makefile a.html README.png",
}


@pytest.mark.parametrize(("kind", "path"), [(kind, path) for kind, paths in BY_PATH.items() for path in paths.split()])
def test_the_path_says_the_kind(kind: str, path: str) -> None:
    assert kind_of(path) == kind


@pytest.mark.parametrize(
    ("reason", "path"), [(reason, path) for reason, paths in SKIPPED.items() for path in paths.split()]
)
def test_the_path_says_why_not(reason: str, path: str) -> None:
    found = kind_of(path)
    assert isinstance(found, Skipped)
    assert (found.path, found.reason) == (path, reason)


@pytest.mark.parametrize(
    ("path", "raw", "kind"),
    [
        ("bin/tool", b"#!/bin/sh\n", "header"),
        ("bin/tool", b"#!/usr/bin/env -S python3.11 -u\n", "header"),
        ("bin/tool", b"#!/usr/bin/gawk -f\n", "header"),
        ("bin/tool", b"\x7fELF\x02\x01", ""),
        ("bin/tool", b"#!/usr/bin/env node\n", ""),
        ("notes", b"just text\n", ""),
        ("empty", b"", ""),
        ("man/bell.8", b'.\\" licence\n.TH BELL 8\n', "manual"),
        ("bell.1", b".Dd today\n.Dt BELL 1\n", "manual"),
        ("app.log.1", b"12:00 started\n", ""),
        ("lib.so.1", b"\x7fELF", ""),
        ("mail.env", b"# First day.\nDAY=1\n\n# Last day.\nEND=\nDB_PASSWORD=\n", "template"),
    ],
)
def test_the_content_says_what_the_path_leaves_open(path: str, raw: bytes, kind: str) -> None:
    assert isinstance(kind_of(path), Unsure)
    found = kind_from_content(path, raw)
    assert found == kind if kind else isinstance(found, Skipped) and found.reason == "not documentation"


@pytest.mark.parametrize(
    "raw",
    [
        b"DAY=1\n",
        b"",
        b"# The database.\n# It is large.\nDB_PASSWORD=hunter2\n",
        b"# Key.\nAPI_KEY='abc'\n",
        b"# t\nexport GITHUB_TOKEN=abc\n",
        b"# t\nauth_secret=abc\n",
    ],
)
def test_a_settings_file_in_use_may_hold_secrets(raw: bytes) -> None:
    found = kind_from_content("prod.env", raw)
    assert isinstance(found, Skipped)
    assert found.reason == "may hold secrets"


def test_the_table_uses_only_words_of_the_house() -> None:
    for rule in RULES:
        assert rule.kind in KINDS or rule.reason in SKIP_REASONS or not (rule.kind or rule.reason)
        assert not (rule.kind and rule.reason)


def test_every_document_format_has_a_splitter() -> None:
    [documents] = [rule.suffixes for rule in RULES if rule.kind == "doc" and not rule.patterns]
    assert {f".{suffix}" for suffix in documents.split()} <= set(FORMATS)


@settings(deadline=None)
@given(path=st.text(min_size=1))
def test_every_path_has_an_outcome(path: str) -> None:
    found = kind_of(path)
    if isinstance(found, Unsure):
        found = kind_from_content(path, path.encode())
    assert found in KINDS if isinstance(found, str) else found.reason in SKIP_REASONS


@pytest.mark.parametrize(
    ("include", "exclude", "admitted", "refused"),
    [
        ([], [], "a.md a/b.sh", ""),
        (["*.md"], [], "a.md a/b.md", "a.sh"),
        (["/docs/"], [], "docs/a.md docs/a/b.md", "a/docs/b.md docs"),
        (["docs/"], [], "docs/a.md a/docs/b.md", "docs"),
        (["docs/*.md"], [], "docs/a.md", "docs/a/b.md a/docs/b.md"),
        (["docs/**/*.md"], [], "docs/a.md docs/a/b/c.md", "a.md"),
        (["**/docs/a.md"], [], "docs/a.md x/docs/a.md", "docs/b.md"),
        (["*.md", "!draft.md"], [], "a.md", "draft.md a/draft.md"),
        ([], ["*.md", "!/README.md"], "README.md a.sh", "a.md a/README.md"),
        ([], ["/a/**", "b?.md", "[cd].md"], "b.md x/a/y.md e.md", "a/x.md b1.md c.md"),
        (["\\#a.md", "\\!b.md"], [], "#a.md !b.md", "a.md"),
        (["*.MD"], [], "A.MD", "a.md"),
        (["Überblick.md"], [], "Überblick.md", "berblick.md"),
    ],
)
def test_patterns_mean_what_gitignore_means(
    include: list[str], exclude: list[str], admitted: str, refused: str
) -> None:
    wanted = admits(include, exclude)
    assert [path for path in admitted.split() if not wanted(path)] == []
    assert [path for path in refused.split() if wanted(path)] == []


PARTS = st.sampled_from(["a", "b", "ab", "*", "**", "a*", "?", "[ab]", "[!a]", "*.md", "a.md"])
PATTERNS = st.builds(
    lambda negated, anchored, parts, folder: f"{negated}{anchored}{'/'.join(parts)}{folder}",
    st.sampled_from(["", "", "!"]),
    st.sampled_from(["", "/"]),
    st.lists(PARTS, min_size=1, max_size=3),
    st.sampled_from(["", "", "/"]),
).filter(lambda pattern: not pattern.endswith("**/"))  # which pathspec reads as the folder with all that is in it
FILES = [f"{folder}{name}" for folder in ("", "a/", "b/", "a/b/", "ab/a/") for name in ("a.md", "c", "ab.md")]


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("ignoring")
    subprocess.run(["git", "init", "-q", folder], check=True)
    return folder


@settings(max_examples=60, deadline=None)
@given(patterns=st.lists(PATTERNS, min_size=1, max_size=3))
def test_exclusion_agrees_with_git(repository: Path, patterns: list[str]) -> None:
    if all(pattern.startswith("!") for pattern in patterns):
        patterns = ["*.md", *patterns]
    (repository / ".gitignore").write_text("\n".join(patterns))
    command = [
        "git",
        "-C",
        str(repository),
        "-c",
        "core.excludesFile=/dev/null",
        "check-ignore",
        "--no-index",
        "--stdin",
    ]
    ignored = subprocess.run(
        command, input="\n".join(FILES), capture_output=True, text=True, check=False
    ).stdout.split()
    wanted = admits([], patterns)
    assert [path for path in FILES if not wanted(path)] == ignored


@pytest.mark.parametrize("key", ["include", "exclude"])
@pytest.mark.parametrize(
    "pattern",
    [
        "",
        "  ",
        "/",
        "!",
        "[z-a]",
        "a[",
        "[]",
        "a\\",
        "# a",
        "[[:alpha:]]",
        "*.md,*.rst",
        "*.md, *.rst",
        "./docs",
        "../a",
        "~/a",
        "*a*a*a*a*b",
    ],
)
def test_a_malformed_pattern_is_refused(key: str, pattern: str) -> None:
    patterns = {"include": (), "exclude": (), key: ("*.md", pattern)}
    with pytest.raises(SettingsError) as refused:
        admits(patterns["include"], patterns["exclude"])
    assert f"{key} pattern '{pattern}'" in refused.value.message
    assert refused.value.hint


def test_exceptions_alone_are_refused() -> None:
    with pytest.raises(SettingsError, match="only exceptions"):
        admits(["!draft.md"], [])
