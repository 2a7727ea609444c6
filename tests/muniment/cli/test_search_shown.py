"""`search` as it looks on a terminal."""

from pathlib import Path
from typing import Any

from tests.conftest import make_repo


def test_a_line_without_end_is_shown_in_part(muniment: Any, tmp_path: Path, words_only: None) -> None:
    line = "heron " + "x" * 100_000
    assert muniment("index", make_repo(tmp_path / "repo", {"a.md": f"# Bird\n\n{line}\n"})).code == 0
    out = muniment("search", "heron").out
    assert max(map(len, out.splitlines())) < 2_100
    assert "more characters\n" in out
    assert len(muniment("search", "heron", "--json").json["hits"][0]["text"]) > 10_000
