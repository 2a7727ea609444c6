"""A repository's own muniment.toml with a slip in it: what it meant to hide must not be indexed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.conftest import make_repo

pytestmark = pytest.mark.usefixtures("words_only")


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("[index]\nexcludes = ['private/']\n", "index.exclude"),
        ("[index]\nexlude = ['private/']\n", "index.exclude"),
        ("[index]\nExclude = ['private/']\n", "index.exclude"),
        ("[index]\nignore = ['private/']\n", "index.exclude"),
        ("[index]\nincludes = ['docs/']\n", "index.include"),
        ("[index]\nmax_byte = 2000\n", "index.max_bytes"),
        ("[index]\nsecret = 'withhold'\n", "index.secrets"),
        ("exclude = ['private/']\n", "index.exclude"),
        ("excluded = ['private/']\n", "index.exclude"),
        ("[indexing]\nexclude = ['private/']\n", "index"),
        ("[Index]\nexclude = ['private/']\n", "index"),
    ],
)
@pytest.mark.parametrize("command", ["index", "drift"])
def test_a_slip_in_a_key_hides_all(muniment: Any, tmp_path: Path, command: str, text: str, meant: str) -> None:
    repo = make_repo(tmp_path / "repo", {"muniment.toml": text, "private/a.md": "# A\n\nNot for all.\n"})
    ran = muniment(command, repo)
    assert (ran.code, ran.out) == (2, "")
    assert "muniment.toml in source" in ran.err
    assert " has no key " in ran.err
    assert f"did you mean '{meant}'?" in ran.err


def test_settings_of_the_operator_are_no_slips(muniment: Any, tmp_path: Path) -> None:
    text = "home = 'x'\n[index]\non_pull = 'off'\nkeep_generations = 3\n[serve]\nport = 1\n[ask]\nenabled = true\n"
    repo = make_repo(tmp_path / "repo", {"muniment.toml": text, "a.md": "# A\n\nText.\n"})
    ran = muniment("index", repo)
    assert (ran.code, ran.err.count("ignored, a repository may only narrow what is indexed")) == (0, 1)
