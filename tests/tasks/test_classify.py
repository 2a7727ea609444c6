"""Which files are documentation, of what kind, and which of them the operator wants."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.chunks import KINDS
from schemas.files import SKIP_REASONS, Skipped
from tasks.chunk import FORMATS
from tasks.classify import RULES, Unsure, kind_from_content, kind_of

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


@given(path=st.text(min_size=1))
def test_every_path_has_an_outcome(path: str) -> None:
    found = kind_of(path)
    if isinstance(found, Unsure):
        found = kind_from_content(path, path.encode())
    assert found in KINDS if isinstance(found, str) else found.reason in SKIP_REASONS
