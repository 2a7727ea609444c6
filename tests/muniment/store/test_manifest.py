"""Which files a version of a table is read from, by its manifest, against what LanceDB itself reads and keeps."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from muniment.errors import ForeignIndex
from muniment.generation import read_current
from muniment.store.manifest import manifest_name, version_files, version_of
from muniment.store.reader import Filter, open_reader
from muniment.store.sums import read_from, table_folder
from muniment.store.tables import connect, open_at
from schemas.generations import TableVersion
from tests.muniment.store.test_store import COLUMNS, published, texts


def edited(index: Path) -> dict[str, TableVersion]:
    """An index after edits and deletions: marks of deleted rows, several fragments, a search index of parts."""
    published(index, {f"{n}.md": [f"text {n}", f"carries {n}"] for n in range(400)})
    published(index, {"1.md": ["text 1", "another"]}, ("1.md",))
    published(index, {}, ("2.md",))
    found = read_current(index)
    assert found
    return found.tables


def test_a_generation_is_read_from_nothing_else(tmp_path: Path) -> None:
    """In a folder with those files alone everything is found that was found before."""
    tables = edited(tmp_path / "whole")
    wanted = [*(name for table in tables.values() for name in read_from(tmp_path / "whole", table)), "current.json"]
    for name in [*wanted, "generations/00000003.json"]:
        (tmp_path / "copy" / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(tmp_path / "whole" / name, tmp_path / "copy" / name)
    assert texts(tmp_path / "copy") == texts(tmp_path / "whole")
    with open_reader(tmp_path / "copy") as reader:
        found = reader.match("another carries", Filter(), 999, COLUMNS)
        assert reader.rows("documents", ["path"]).num_rows == 399
    assert found.num_rows == 399


@pytest.mark.parametrize("piece", ["/data/", "_docs.lance", "_versions/"])
def test_a_generation_is_read_from_each_of_them(tmp_path: Path, piece: str) -> None:
    tables = edited(tmp_path)
    names = [name for name in read_from(tmp_path, tables["chunks"]) if piece in name]
    assert names
    (tmp_path / names[0]).unlink()

    def read() -> None:
        with open_reader(tmp_path) as reader:
            reader.chunks(["text"])
            reader.match("text", Filter(), 100, COLUMNS)

    with pytest.raises(ForeignIndex):
        read()


def test_every_version_that_lance_lists_can_be_read(tmp_path: Path) -> None:
    named: list[str] = []
    for table in edited(tmp_path).values():
        folder = table_folder(tmp_path, table.name)
        versions = {entry["version"] for entry in open_at(connect(tmp_path), table).list_versions()}
        assert {version_of(path.name) for path in (folder / "_versions").glob("*.manifest")} == versions
        for version in versions:
            found = version_files(folder, version)
            assert found.manifest == manifest_name(version)
            named += found.files
            assert all((folder / name).exists() for name in (*found.files, *found.folders, found.transaction))
    assert any(name.startswith("_deletions/") for name in named)


@pytest.mark.parametrize("kept", [0, 3, 100, -1])
def test_a_manifest_that_is_cut_short_is_named(tmp_path: Path, kept: int) -> None:
    published(tmp_path, {"a.md": ["one"]})
    folder = table_folder(tmp_path, "chunks_00000001")
    (path, *_) = (folder / "_versions").glob("*.manifest")
    path.write_bytes(path.read_bytes()[:kept])
    with pytest.raises(ForeignIndex, match="is torn"):
        version_files(folder, version_of(path.name))


def test_a_version_that_is_gone_is_named(tmp_path: Path) -> None:
    published(tmp_path, {"a.md": ["one"]})
    with pytest.raises(ForeignIndex, match="has lost version 99"):
        version_files(table_folder(tmp_path, "chunks_00000001"), 99)
