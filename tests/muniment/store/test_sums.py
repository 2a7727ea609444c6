"""Checksums of files and of cached vectors."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from muniment.errors import ForeignIndex
from muniment.generation import read_current
from muniment.store.audit import cached_sums
from muniment.store.cache import VectorCache, cache_name
from muniment.store.sums import find_damage, read_sums
from muniment.store.tables import connect
from schemas.generations import Generation
from tests.muniment.store.test_store import published

EYE = np.eye(4, dtype=np.float32)


def current(index: Path) -> Generation:
    found = read_current(index)
    assert found
    return found


def test_every_publication_lists_its_files(tmp_path: Path) -> None:
    published(tmp_path, {"a.md": ["one"]})
    published(tmp_path, {"b.md": ["two"]})
    sums = read_sums(tmp_path, current(tmp_path))
    assert sums
    assert all((tmp_path / name).stat().st_size == one.size for name, one in sums.items())
    assert not list(find_damage(tmp_path, sums, deep=True))


def test_damage_is_never_taken_for_what_was_written(tmp_path: Path) -> None:
    """A later run that keeps the file keeps its checksum too."""
    published(tmp_path, {f"{n}.md": [f"text {n}"] for n in range(50)})
    sums = read_sums(tmp_path, current(tmp_path))
    (damaged,) = [name for name in sums if "documents_" in name and "/data/" in name]
    raw = bytearray((tmp_path / damaged).read_bytes())
    raw[len(raw) // 2] ^= 1
    (tmp_path / damaged).write_bytes(raw)
    published(tmp_path, {})
    again = read_sums(tmp_path, current(tmp_path))
    assert again[damaged] == sums[damaged]
    assert [one.path for one in find_damage(tmp_path, again, deep=True)] == [damaged]


def test_a_list_of_another_generation_is_refused(tmp_path: Path) -> None:
    published(tmp_path, {"a.md": ["one"]})
    published(tmp_path, {"b.md": ["two"]})
    lists = sorted((tmp_path / "generations").glob("*.files"))
    lists[1].write_bytes(lists[0].read_bytes())
    with pytest.raises(ForeignIndex, match="is torn"):
        read_sums(tmp_path, current(tmp_path))


def test_a_damaged_vector_is_as_good_as_none(tmp_path: Path) -> None:
    cache = VectorCache(connect(tmp_path), "model", 4)
    cache.remember(["a", "b"], EYE[:2])
    _set(tmp_path, "a", EYE[2])
    assert cached_sums(tmp_path, "model")[1] == 1
    again = VectorCache(connect(tmp_path), "model", 4)
    assert again.find(pa.array(["a", "b"]))["embed_hash"].to_pylist() == ["b"]


def test_a_vector_under_the_hash_of_another_text_is_damaged(tmp_path: Path) -> None:
    cache = VectorCache(connect(tmp_path), "model", 4)
    cache.remember(["a"], EYE[:1])
    _table(tmp_path).update(values={"embed_hash": "b"})
    assert cached_sums(tmp_path, "model") == ({}, 1)


def test_a_vector_computed_anew_takes_the_place_of_a_damaged_one(tmp_path: Path) -> None:
    VectorCache(connect(tmp_path), "model", 4).remember(["a"], EYE[:1])
    _set(tmp_path, "a", EYE[2])
    cache = VectorCache(connect(tmp_path), "model", 4)
    cache.remember(["a"], EYE[:1])
    assert cache.find(pa.array(["a"]))["vector"].to_pylist() == [EYE[0].tolist()]
    assert (cached_sums(tmp_path, "model")[1], _table(tmp_path).count_rows()) == (0, 1)


def test_a_cache_without_checksums_gets_them(tmp_path: Path) -> None:
    """An earlier muniment made it."""
    rows = pa.table({"embed_hash": ["a", "b"], "vector": pa.array(EYE[:2].tolist(), pa.list_(pa.float32(), 4))})
    connect(tmp_path).create_table(cache_name("model"), rows)
    cache = VectorCache(connect(tmp_path), "model", 4)
    assert cache.find(pa.array(["b"]))["vector"].to_pylist() == [EYE[1].tolist()]
    assert cached_sums(tmp_path, "model")[0].keys() == {"a", "b"}


def _table(index: Path):  # type: ignore[no-untyped-def]
    return connect(index).open_table(cache_name("model"))


def _set(index: Path, key: str, vector: np.ndarray) -> None:
    _table(index).update(where=f"embed_hash = '{key}'", values={"vector": vector.tolist()})
