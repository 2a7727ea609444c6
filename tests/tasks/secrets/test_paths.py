"""Which names of files look like holding a key, and what becomes of such files."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from schemas.files import Source
from tasks.enumerate.listing import list_sources, remember_files
from tasks.enumerate.seen import is_as_seen
from tasks.enumerate.stats import GRANULARITY_NS
from tasks.secrets.paths import key_in_name
from tests.attack.planted import Made, bare
from tests.conftest import make_repo

ORDINARY = (
    "docs/2024-01-02-how-to-rotate-tokens.md",
    "docs/password-reset.md",
    "docs/secrets/api-key.md",
    "assets/9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08.png",
    "assets/main.5f4dcc3b5aa765d61d83.js",
    "notes/20240102T030405Z.md",
    "notes/123e4567-e89b-12d3-a456-426614174000.md",
    "src/HTTPServerConfigurationV2/README.md",
    "k8s/kustomization-v1beta1-ingress2gateway.md",
    "googleaf254801a5285c31.html",
    "docs/Überblick-2024.md",
)


@pytest.mark.parametrize("path", ORDINARY)
def test_an_ordinary_name_is_none(path: str) -> None:
    assert key_in_name(path) == ""


def test_nearly_all_keys_are_seen_in_names() -> None:
    keys = {kind: key for kind, key in bare(Made(5)).items() if "/" not in key}
    for place in ("docs/{}.md", "{}/readme.md", "docs/my {} here.md"):
        missed = [kind for kind, key in keys.items() if not key_in_name(place.format(key))]
        assert len(missed) <= len(keys) // 20, missed


def test_what_a_run_has_seen_holds_no_such_name(tmp_path: Path) -> None:
    """And the next run knows all the same that nothing has changed."""
    key = bare(Made(5))["github"]
    repo = make_repo(tmp_path / "repo", {"a.md": "# A\n", f"{key}.md": "# B\n"})
    source = Source("ops", str(repo), worktree=True)
    (listed,) = list_sources((source,), tmp_path)
    assert [entry.path for entry in listed.listing.entries] == ["a.md"]
    assert [skipped.path for skipped in listed.listing.skipped] == ["[secret].md"]
    assert len(list(listed.files.read_files(listed.listing.entries))) == 1
    remember_files([replace(listed, at_ns=listed.at_ns + 3 * GRANULARITY_NS)], tmp_path)
    assert key not in "".join(path.read_text() for path in tmp_path.glob("*.json"))
    assert is_as_seen(tmp_path, source)
