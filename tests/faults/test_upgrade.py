"""Indexes of another muniment: an earlier one is refused by readers and upgraded by a run, a later one left alone."""

from __future__ import annotations

import re
import shutil
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest

from muniment.generation import publish, read_current
from schemas.versions import SCHEMA_VERSION
from tests.conftest import Ran, commit_all, make_repo
from tests.faults.editions import contents
from tests.faults.make_fixture import DOCUMENTS, FOLDER
from tests.muniment.http.doors import opened

Muniment = Callable[..., Ran]
STORED = sorted(FOLDER.glob("schema-*.tar.gz"))
READERS = [("search", "lamp"), ("ask", "how fast does the lamp turn?")]
COMMANDS = [
    *READERS,
    ("index",),
    ("index", "--force"),
    ("index", "--dry-run"),
    ("nightly",),
    ("status",),
    ("quality",),
    ("verify",),
    ("repair",),
    ("gc",),
]


def schema_of(stored: Path) -> int:
    found = re.search(r"\d+", stored.name)
    assert found
    return int(found.group())


def unpack(stored: Path, home: Path) -> Path:
    with tarfile.open(stored) as packed:
        packed.extractall(home, filter="data")
    return home


@pytest.fixture
def configured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Settings by which the source of the stored indexes is found where it lies here."""
    repo = make_repo(tmp_path / "lighthouse", DOCUMENTS)
    config = tmp_path / "muniment.toml"
    config.write_text(f'[[sources]]\nname = "lighthouse"\npath = "{repo}"\n')
    monkeypatch.setenv("MUNIMENT_CONFIG", str(config))
    return repo


@pytest.fixture
def newer(home: Path) -> Path:
    """A home whose index says that a later muniment wrote it."""
    published = read_current(home / "index")
    assert published
    publish(home / "index", published._replace(schema=SCHEMA_VERSION + 1))
    return home


def test_this_schema_and_the_one_before_are_stored() -> None:
    assert {SCHEMA_VERSION, SCHEMA_VERSION - 1} <= {schema_of(stored) for stored in STORED}
    assert all(stored.stat().st_size < 200_000 for stored in STORED)


@pytest.mark.parametrize("stored", STORED, ids=lambda stored: stored.name)
def test_a_stored_index_is_read_or_refused_with_a_hint(muniment: Muniment, own_place: Path, stored: Path) -> None:
    unpack(stored, own_place)
    for command in READERS:
        ran = muniment(*command)
        if schema_of(stored) == SCHEMA_VERSION:
            assert ran.code == 0, ran.err
            assert "once in twelve seconds" in ran.out
        else:
            error, hint = ran.err.splitlines()
            assert ran.code == 12
            assert f"has schema {schema_of(stored)}, this muniment reads {SCHEMA_VERSION}" in error
            assert hint == "hint: rebuild it with 'muniment index --force'"


@pytest.mark.parametrize("flag", [(), ("--force",)], ids=["run", "force"])
@pytest.mark.parametrize("stored", STORED, ids=lambda stored: stored.name)
def test_a_stored_index_is_brought_up_to_date(
    muniment: Muniment, own_place: Path, tmp_path: Path, configured: Path, stored: Path, flag: tuple[str, ...]
) -> None:
    unpack(stored, own_place)
    assert muniment("index", *flag).code == 0
    published = read_current(own_place / "index")
    assert published
    assert (published.number, published.schema) == (2, SCHEMA_VERSION)
    assert "once in twelve seconds" in muniment("search", "lamp").out
    assert muniment("verify").code == 0
    assert muniment("index", "--home", tmp_path / "fresh").code == 0
    assert contents(own_place) == contents(tmp_path / "fresh")


def test_an_upgrade_that_finds_nothing_left_is_refused(muniment: Muniment, own_place: Path, configured: Path) -> None:
    """A disk that is not mounted, on the first day of a new release."""
    unpack(STORED[0], own_place)
    shutil.rmtree(configured)
    make_repo(configured, {})
    assert muniment("index").code == 4
    published = read_current(own_place / "index")
    assert published
    assert published.schema == schema_of(STORED[0])


@pytest.mark.parametrize("flag", [(), ("--force",)], ids=["run", "force"])
@pytest.mark.parametrize("stored", STORED, ids=lambda stored: stored.name)
def test_an_upgrade_that_finds_half_gone_is_refused(
    muniment: Muniment, own_place: Path, configured: Path, stored: Path, flag: tuple[str, ...]
) -> None:
    """A release has other versions, and is no word of the operator's that documents may go."""
    unpack(stored, own_place)
    for path in list(DOCUMENTS)[1:]:
        (configured / path).unlink()
    commit_all(configured)
    ran = muniment("index", *flag)
    assert (ran.code, ran.err.splitlines()[0]) == (4, "error: source 'lighthouse' has 1 documents left of 3")
    published = read_current(own_place / "index")
    assert published
    assert (published.number, published.schema) == (1, schema_of(stored))
    assert muniment("index", *flag, "--allow-shrink").code == 0


def test_settings_that_changed_are_told_from_a_release(
    muniment: Muniment, own_place: Path, configured: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of an index that says which settings it was made by, also after an upgrade."""
    assert muniment("index").code == 0
    published = read_current(own_place / "index")
    assert published
    settings, _, _ = published.sources["lighthouse"].inputs.partition(".")
    state = published.sources["lighthouse"]._replace(inputs=f"{settings}.another release")
    publish(own_place / "index", published._replace(sources={"lighthouse": state}))
    for path in list(DOCUMENTS)[1:]:
        (configured / path).unlink()
    commit_all(configured)
    assert muniment("index").code == 4
    monkeypatch.setenv("MUNIMENT_INDEX__MAX_BYTES", "100000")
    assert muniment("index").code == 0


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_a_newer_index_is_refused_by_every_command(muniment: Muniment, newer: Path, command: tuple[str, ...]) -> None:
    before = {path: path.read_bytes() for path in newer.rglob("*") if path.is_file()}
    ran = muniment(*command)
    error, hint = ran.err.splitlines()
    assert ran.code == 12
    schemas = f"schema {SCHEMA_VERSION + 1}, this one reads {SCHEMA_VERSION}"
    assert error == f"error: '{newer / 'index' / 'current.json'}' was written by a newer muniment ({schemas})"
    assert hint == "hint: upgrade this one, or choose another --home"
    assert {path: path.read_bytes() for path in newer.rglob("*") if path.is_file()} == before


def test_a_newer_index_is_named_by_doctor(muniment: Muniment, newer: Path) -> None:
    ran = muniment("doctor")
    assert ran.code == 1
    assert "was written by a newer muniment" in ran.out
    assert "hint: upgrade this one" in ran.out


def test_a_newer_index_is_refused_over_http(newer: Path) -> None:
    with opened(newer) as door:
        for answer in (door.get("/api/search", params={"q": "lamp"}), door.post("/api/index/scan", {"force": True})):
            assert (answer.status_code, answer.json()["error"]) == (409, "IndexMismatch")
            assert "newer muniment" in answer.json()["detail"]
