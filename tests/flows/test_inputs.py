"""Files of every make and size: each ends in one outcome, and none costs the others theirs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from muniment.store.reader import open_reader
from tests.conftest import commit_all, git, make_repo, write
from tests.flows.held import paths, rows, section

pytestmark = pytest.mark.usefixtures("words_only")


def test_one_western_file_among_many_is_read(muniment: Any, tmp_path: Path, own_place: Path) -> None:
    files: dict[str, str | bytes] = {f"{n}.md": section(f"part {n}") for n in range(99)}
    repo = make_repo(tmp_path / "repo", files | {"menu.md": b"# Menu\n\ncaf\xe9 and th\xe9\n"})
    ran = muniment("index", repo, "--json")
    assert (ran.code, ran.json["documents"]) == (0, 100)
    assert [row["text"] for row in rows(own_place) if row["path"] == "menu.md"] == ["# Menu\n\ncafé and thé"]
    with open_reader(own_place / "index") as reader:
        encodings = {row["path"]: row["encoding"] for row in reader.rows("documents", ["path", "encoding"]).to_pylist()}
    assert encodings["menu.md"] == "cp1252"


def test_what_is_skipped_is_counted_and_named(muniment: Any, tmp_path: Path) -> None:
    repo = make_repo(
        tmp_path / "repo",
        {
            "a.md": section("a"),
            "big.md": section("big") + "word " * 200_000,
            "broken.md": b"# T\n\n\x00\x01\x02\x03" * 50,
            "empty.md": "",
            "image.png": b"\x89PNG\r\n\x1a\n",
            ".env": "PASSWORD=hunter2\n",
            "main.c": "int main;\n",
        },
    )
    (repo / "link.md").symlink_to("/etc/hostname")
    commit_all(repo)
    ran = muniment("index", repo)
    assert ran.code == 0
    assert "8 files: 1 indexed, 0 unchanged, 7 skipped" in ran.out
    shown = dict(line.removeprefix("skipped: ").split(": ", 1) for line in ran.err.splitlines())
    assert shown.keys() == {"big.md", "broken.md", ".env", "link.md"}
    assert shown["big.md"].startswith("too large")
    assert shown["broken.md"] == "binary"
    assert shown["link.md"].startswith("symlink")
    assert "hunter2" not in ran.out + ran.err


def test_the_size_cap_is_a_setting(
    muniment: Any, tmp_path: Path, own_place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo = make_repo(tmp_path / "repo", {"big.md": section("big") + "word " * 200_000})
    muniment("index", repo)
    assert paths(own_place) == []
    monkeypatch.setenv("MUNIMENT_INDEX__MAX_BYTES", "2000000")
    muniment("index", repo)
    assert paths(own_place) == ["big.md"]


def test_skipped_files_are_not_read_again(muniment: Any, tmp_path: Path, own_place: Path) -> None:
    repo = make_repo(tmp_path / "repo", {"a.md": section("a"), "bare.sh": "#!/bin/sh\nexit 0\n", "noise": b"\x00\x01"})
    muniment("index", repo)
    commit_all(repo)
    ran = muniment("index", repo, "--json")
    assert ran.json["sources"][0]["skipped"] == {"no documentation": 1, "not documentation": 1}
    with open_reader(own_place / "index") as reader:
        kept = {row["path"]: row["reason"] for row in reader.rows("skipped", ["path", "reason"]).to_pylist()}
    assert kept == {"bare.sh": "no documentation", "noise": "not documentation"}
    write(repo, {"bare.sh": "#!/bin/sh\n# PURPOSE\n#   Ends well, every time it is run.\nexit 0\n"})
    commit_all(repo)
    muniment("index", repo)
    assert paths(own_place) == ["a.md", "bare.sh"]
    with open_reader(own_place / "index") as reader:
        assert reader.rows("skipped", ["path"])["path"].to_pylist() == ["noise"]


def test_a_whole_folder_and_the_last_of_a_kind_can_go(muniment: Any, tmp_path: Path, own_place: Path) -> None:
    files = {f"docs/{n}.md": section(f"doc {n}") for n in range(3)} | {
        f"top{n}.md": section(f"top {n}") for n in range(5)
    }
    repo = make_repo(tmp_path / "repo", files | {"app.conf.template": "# Grace in seconds.\nGRACE=5\n"})
    muniment("index", repo)
    git(repo, "rm", "-qr", "docs", "app.conf.template")
    commit_all(repo)
    muniment("index", repo)
    assert paths(own_place) == [f"top{n}.md" for n in range(5)]
    assert muniment("search", "grace", "--kind", "template", "--json").json["hits"] == []


def test_every_hit_exists_at_head(muniment: Any, tmp_path: Path) -> None:
    repo = make_repo(tmp_path / "repo", {f"{n}.md": section(f"part {n}") for n in range(10)})
    muniment("index", repo)
    git(repo, "mv", "3.md", "moved.md")
    git(repo, "rm", "-q", "4.md")
    commit_all(repo)
    muniment("index", repo)
    there = set(git(repo, "ls-files").split())
    hits = muniment("search", "all about part", "--limit", 50, "--json").json["hits"]
    assert {hit["path"] for hit in hits} == there


def test_names_that_differ_by_little_stay_apart(muniment: Any, tmp_path: Path, own_place: Path) -> None:
    names = [
        "README.md",
        "readme.md",
        "a b.md",
        "a_b.md",
        "a-b.md",
        "a%b.md",
        "Überblick.md",
        "日本.md",
        'q"uote.md',
        "tab\t.md",
    ]
    repo = make_repo(tmp_path / "repo", {name: section(f"about {n}") for n, name in enumerate(names)})
    muniment("index", repo)
    assert paths(own_place) == sorted(names)
    assert len({row["chunk_id"] for row in rows(own_place)}) == len(names)


@pytest.mark.parametrize(
    "text",
    [
        "# T\n\n" + "x" * 5_000_000 + "\n",
        "| a | b |\n| --- | --- |\n| " + "cell " * 200_000 + "| b |\n",
        "".join(f"# Heading {n}\n\nText {n}.\n\n" for n in range(20_000)),
        "# T\n\n" + "words without a heading go on and on \n" * 100_000,
        "> " * 3_000 + "deep\n",
    ],
    ids=["one line", "one row", "headings", "no heading", "nested"],
)
@pytest.mark.slow
def test_a_huge_file_is_cut_whole(
    muniment: Any, tmp_path: Path, own_place: Path, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    monkeypatch.setenv("MUNIMENT_INDEX__MAX_BYTES", "20000000")
    repo = make_repo(tmp_path / "repo", {"huge.md": text, "small.md": section("small")})
    ran = muniment("index", repo, "--json")
    assert (ran.code, ran.json["documents"]) == (0, 2)
    cut = sorted(
        (row["line_start"], row["line_end"], row["text"]) for row in rows(own_place) if row["path"] == "huge.md"
    )
    lines = text.split("\n")
    for start, end, shown in cut:
        assert shown == "\n".join(lines[start - 1 : end])
    covered = [number for start, end, _ in cut for number in range(start, end + 1)]
    assert len(covered) == len(set(covered))
    assert {number for number, line in enumerate(lines, 1) if line.strip()} <= set(covered)


@pytest.mark.slow
def test_twenty_thousand_files_are_indexed(muniment: Any, tmp_path: Path) -> None:
    repo = make_repo(tmp_path / "repo", {f"d{n % 100}/{n}.md": section(f"part {n}") for n in range(20_000)})
    ran = muniment("index", repo, "--json")
    assert (ran.code, ran.json["documents"], ran.json["chunks"]) == (0, 20_000, 20_000)
    assert muniment("search", "part 12345", "--json").json["hits"][0]["path"] == "d45/12345.md"


def test_the_size_cap_holds_for_what_is_already_indexed(muniment: Any, tmp_path: Path, own_place: Path) -> None:
    """The repository's own cap comes and goes with its commits; the file itself stays as it was."""
    repo = make_repo(
        tmp_path / "repo", {"a.md": section("a"), "b.md": section("b"), "big.md": section("big") + "x " * 2000}
    )
    for cap, there in (("", True), ("[index]\nmax_bytes = 1000\n", False), ("[index]\n", True)):
        write(repo, {"muniment.toml": cap})
        commit_all(repo)
        assert muniment("index", repo).code == 0
        assert ("big.md" in paths(own_place)) is there


def test_an_index_of_an_older_schema_is_built_anew_beside_it(
    muniment: Any, tmp_path: Path, own_place: Path, words_only: None
) -> None:
    repo = make_repo(tmp_path / "repo", {"a.md": "# A\n\n- `HTTP_PORT` (default: `80`): where it listens\n"})
    muniment("index", repo)
    index = own_place / "index"
    for path in (index / "current.json", index / "generations" / "00000001.json"):
        old = json.loads(path.read_text())
        kept = {name: old["tables"][name] for name in ("documents", "chunks", "skipped")}
        # The digest of what decides an index holds the schema's number too.
        sources = {name: source | {"inputs": "another"} for name, source in old["sources"].items()}
        # Nor did an older muniment sum up what it wrote.
        del old["sum"], old["files"]
        path.write_text(json.dumps(old | {"schema": 1, "tables": kept, "sources": sources}))
    ran = muniment("index", "--json")
    assert (ran.code, ran.json["generation"], ran.json["chunks"]) == (0, 2, 1)
    assert muniment("search", "HTTP_PORT", "--json").json["hits"][0]["path"] == "a.md"
