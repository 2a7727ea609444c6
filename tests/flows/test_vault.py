"""Vaults through the command line: which notes land, what is left out, and what a later run does."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from muniment.generation import read_current
from muniment.store.reader import open_reader
from tests.conftest import write
from tests.muniment.embedders.servers import EmbeddingServer

NOTES: dict[str, str | bytes] = {
    "ENT - Ada.md": "# Ada\n\nAda keeps the bells.\n",
    "work/brief.md": "---\ntype: '[[MissionBrief]]'\nmission: North\n---\n\nThe brief of the north.\n",
    "work/plain.md": "Only a few words about ropes.\n",
    "work/broken.md": "---\ntype: [Docu\n---\n\nBroken, and still about rigging.\n",
    "LOG - monday.md": "Nothing happened.\n",
    "diary.md": "---\ntype: Diary\n---\nDear diary.\n",
    "Templates/note.md": "A template.\n",
    "media/old.md": "An old note among pictures.\n",
    "pictures/bell.png": b"\x89PNG\r\n\x1a\n",
    ".obsidian/workspace.md": "Settings.\n",
    ".trash/gone.md": "Thrown away.\n",
    "node_modules/x/readme.md": "A package.\n",
}
INDEXED = {"ENT - Ada.md", "work/brief.md", "work/plain.md", "work/broken.md"}


class Vault:
    """A vault with the settings file that names it."""

    def __init__(self, place: Path) -> None:
        self.folder = place / "vault"
        self.settings = place / "muniment.toml"
        write(self.folder, NOTES)
        self.set("")

    def set(self, keys: str) -> None:
        self.settings.write_text(f'[[sources]]\nname = "notes"\nkind = "vault"\npath = "vault"\n{keys}\n')


@pytest.fixture
def vault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words_only: None) -> Vault:
    made = Vault(tmp_path)
    monkeypatch.setenv("MUNIMENT_CONFIG", str(made.settings))
    return made


def held(home: Path) -> dict[str, tuple[str, str, str | None]]:
    """Path -> kind, type and namespace."""
    with open_reader(home / "index") as reader:
        rows = reader.rows("documents", ["path", "kind", "type", "namespace"]).to_pylist()
    return {row["path"]: (row["kind"], row["type"], row["namespace"]) for row in rows}


def index(muniment: Any, *flags: str) -> Any:
    ran = muniment("index", "--json", *flags)
    assert ran.code == 0, ran.err
    return ran.json


def settle(home: Path) -> None:
    """As if the last run had come well after the last change: nobody waits for a clock's tick."""
    for seen in (home / "index" / "seen").glob("*.json"):
        kept = json.loads(seen.read_text())
        seen.write_text(json.dumps(kept | {"at_ns": kept["at_ns"] + 10**10}))


def test_wanted_notes_land_with_their_types(muniment: Any, vault: Vault, own_place: Path) -> None:
    index(muniment)
    assert held(own_place) == {
        "ENT - Ada.md": ("note", "ENT", None),
        "work/brief.md": ("note", "MissionBrief", "North"),
        "work/plain.md": ("note", "note", None),
        "work/broken.md": ("note", "note", None),
    }


def test_what_is_left_out_is_counted_by_type(muniment: Any, vault: Vault) -> None:
    (source,) = index(muniment)["sources"]
    assert source["left_out"] == {"LOG": 1, "Diary": 1}
    assert source["skipped"] == {"excluded": 2, "not documentation": 1, "type left out": 2}
    assert source["files"] == source["indexed"] + sum(source["skipped"].values()) == 9
    assert source["notes"] == ["1 note with front matter that can't be read, and so without a type: work/broken.md"]
    assert "left out by type: 1 Diary, 1 LOG" in muniment("status").out
    assert muniment("status", "--json").json["sources"]["notes"]["left_out"] == {"LOG": 1, "Diary": 1}


def test_the_counts_of_a_run_add_up(muniment: Any, vault: Vault) -> None:
    write(vault.folder, {"big.md": b"x" * 600_000, "work/picture.md": b"\x89PNG\r\n\x1a\n\0\0"})
    counts = index(muniment)["counts"]
    assert counts["scanned"] == counts["indexed"] + counts["unchanged"] + counts["skipped"] == 11
    assert (counts["indexed"], counts["deleted"], counts["chunks"]) == (4, 0, 4)
    assert [(error["path"], error["reason"]) for error in counts["errors"]] == [
        ("big.md", "too large"),
        ("work/picture.md", "binary"),
    ]


def test_a_search_takes_a_type(muniment: Any, vault: Vault) -> None:
    index(muniment)
    hits = muniment("search", "the", "--type", "missionbrief", "--json").json["hits"]
    assert [(hit["path"], hit["type"]) for hit in hits] == [("work/brief.md", "MissionBrief")]
    assert "[note ENT]" in muniment("search", "Ada").out


def test_nothing_new_is_nothing_to_do(muniment: Any, vault: Vault, own_place: Path) -> None:
    index(muniment)
    settle(own_place)
    index(muniment)
    settle(own_place)
    before = read_current(own_place / "index")
    assert muniment("index").out == "notes: nothing new, 4 documents, 4 chunks\n"
    assert read_current(own_place / "index") == before


def test_only_what_changed_is_read_again(muniment: Any, vault: Vault, own_place: Path) -> None:
    index(muniment)
    settle(own_place)
    write(vault.folder, {"work/plain.md": "Now about hemp.\n", "work/new.md": "A new one.\n"})
    (vault.folder / "ENT - Ada.md").unlink()
    counts = index(muniment)["counts"]
    assert (counts["indexed"], counts["deleted"], counts["unchanged"]) == (2, 1, 2)
    assert held(own_place).keys() == {"work/new.md"} | INDEXED - {"ENT - Ada.md"}


def test_a_move_embeds_nothing(muniment: Any, vault: Vault, own_place: Path, server: EmbeddingServer) -> None:
    assert index(muniment)["embedded"] == 4
    settle(own_place)
    (vault.folder / "work").rename(vault.folder / "done")
    (vault.folder / "ENT - Ada.md").rename(vault.folder / "done" / "Docu - Ada.md")
    report = index(muniment)
    assert (report["counts"]["indexed"], report["counts"]["deleted"], report["embedded"]) == (4, 4, 0)
    assert held(own_place)["done/Docu - Ada.md"] == ("note", "Docu", None)


def test_a_note_that_changes_its_type_leaves(muniment: Any, vault: Vault, own_place: Path) -> None:
    index(muniment)
    write(vault.folder, {"work/plain.md": "---\ntype: Diary\n---\nOnly a few words about ropes.\n"})
    report = index(muniment)
    assert report["counts"]["deleted"] == 1
    assert report["sources"][0]["left_out"] == {"Diary": 2, "LOG": 1}
    assert held(own_place).keys() == INDEXED - {"work/plain.md"}


@pytest.mark.parametrize("keys", ['[vault]\ntypes = ["*"]', '[sources.vault]\ntypes = ["*"]'])
def test_new_settings_reach_notes_that_have_not_changed(
    muniment: Any, vault: Vault, own_place: Path, keys: str
) -> None:
    index(muniment)
    settle(own_place)
    vault.set(keys)
    report = index(muniment)
    assert (report["counts"]["indexed"], report["sources"][0]["left_out"]) == (2, {})
    assert held(own_place)["diary.md"] == ("note", "Diary", None)
    vault.set('[vault.folders]\n"work/" = "Docu"')
    report = index(muniment)
    assert (report["counts"]["indexed"], report["counts"]["deleted"]) == (2, 2)
    assert held(own_place)["work/plain.md"] == ("note", "Docu", None)


def test_a_table_of_a_source_wins_key_by_key(muniment: Any, vault: Vault, own_place: Path) -> None:
    vault.set('[sources.vault]\nuntyped = false\n[vault]\ntypes = ["Diary"]')
    index(muniment)
    assert held(own_place).keys() == {"diary.md", "work/broken.md"}


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ('kind = "git"\n[sources.vault]\ntypes = ["*"]', "'vault' is for sources of kind 'vault'"),
        ('kind = "vault"\nworktree = true', "'worktree' is for sources of kind 'git'"),
        ('kind = "vault"\n[vault]\ntypes = []', "setting 'vault.types'"),
        ('kind = "vault"\n[sources.vault]\ntype = ["*"]', "no such setting"),
    ],
)
def test_settings_that_mean_nothing_are_refused(muniment: Any, vault: Vault, table: str, said: str) -> None:
    vault.settings.write_text(f'[[sources]]\nname = "notes"\npath = "vault"\n{table}\n')
    ran = muniment("index")
    assert ran.code == 2
    assert said in ran.err


def test_what_muniment_writes_into_a_vault_is_no_note(muniment: Any, vault: Vault) -> None:
    home = vault.folder / "x[1]" / "home"
    assert muniment("nightly", "--home", home).code == 0
    assert list(home.rglob("*.md"))
    assert muniment("index", "--home", home).code == 0
    assert held(home).keys() == INDEXED


def test_exclude_patterns_mean_what_git_means(muniment: Any, vault: Vault, own_place: Path) -> None:
    write(vault.folder, {"a/x/b/deep.md": "Deep.\n", "a/b/c.draft.md": "A draft.\n", "b/keep.md": "Kept.\n"})
    vault.set('exclude = ["a/**/b/deep.md", "*.draft.md", "work/*", "!work/brief.md"]')
    index(muniment)
    assert held(own_place).keys() == {"ENT - Ada.md", "work/brief.md", "b/keep.md"}


def test_an_excluded_folder_can_be_taken_back(muniment: Any, vault: Vault, own_place: Path) -> None:
    vault.set('exclude = ["![Mm]edia/"]')
    index(muniment)
    assert held(own_place).keys() == INDEXED | {"media/old.md"}


def test_an_empty_mount_is_refused(muniment: Any, vault: Vault, own_place: Path) -> None:
    index(muniment)
    shutil.rmtree(vault.folder)
    assert muniment("index").code == 14
    vault.folder.mkdir()
    ran = muniment("index")
    assert (ran.code, set(held(own_place))) == (4, INDEXED)
    assert "source 'notes' has 0 documents left of 4" in ran.err
    vault.set("[vault]\nuntyped = false")
    assert muniment("index").code == 4
    assert index(muniment, "--allow-shrink")["counts"]["deleted"] == 4
    assert not held(own_place)


def test_no_link_leads_out_of_the_vault(muniment: Any, vault: Vault, own_place: Path, tmp_path: Path) -> None:
    write(tmp_path / "private", {"secret.md": "A secret.\n"})
    (vault.folder / "away").symlink_to(tmp_path / "private")
    (vault.folder / "file.md").symlink_to(tmp_path / "private" / "secret.md")
    (source,) = index(muniment)["sources"]
    assert source["skipped"]["symlink"] == 2
    assert held(own_place).keys() == INDEXED


def test_freshness_is_told_of_notes(muniment: Any, vault: Vault) -> None:
    index(muniment)
    write(vault.folder, {"ENT - Ada.md": "# Ada\n\nAda keeps the bells no more.\n"})
    (vault.folder / "work" / "plain.md").unlink()
    marks = {
        hit["path"]: (hit["changed_since_index"], hit["gone"])
        for words in ("bells", "ropes", "brief")
        for hit in muniment("search", words, "--json").json["hits"]
    }
    assert marks == {"ENT - Ada.md": (True, False), "work/plain.md": (True, True), "work/brief.md": (False, False)}


def test_a_vault_beside_a_repository(muniment: Any, vault: Vault, sample: Path, own_place: Path) -> None:
    """Of the two, each is told by its own means whether it has changed."""
    vault.set(f'[[sources]]\nname = "ops"\npath = "{sample}"')
    report = index(muniment, "--worktree")
    assert [source["worktree"] for source in report["sources"]] == [False, True]
    settle(own_place)
    index(muniment, "--worktree")
    settle(own_place)
    assert "unchanged" in muniment("index", "--worktree", "--json").json


def test_a_vault_is_read_as_one_when_only_the_index_knows_it(
    muniment: Any, vault: Vault, own_place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    index(muniment)
    monkeypatch.delenv("MUNIMENT_CONFIG")
    write(vault.folder, {"work/new.md": "A new one.\n"})
    assert index(muniment)["counts"]["indexed"] == 1
    write(vault.folder, {"work/newer.md": "A newer one.\n"})
    assert index(muniment, str(vault.folder))["counts"]["indexed"] == 1


def test_a_night_looks_at_the_notes_that_are_indexed(muniment: Any, vault: Vault, own_place: Path) -> None:
    links = "# Links\n\n[a bell](../pictures/bell.png), [a list](../media/old.md), [nobody](nobody.md), [[nowhere]]\n"
    write(vault.folder, {"work/links.md": links, "work/diary.md": f"---\ntype: Diary\n---\n{links}"})
    night = muniment("nightly", "--json").json
    (drift,) = night["drift"]
    assert [(one["finding"]["path"], one["finding"]["line"]) for one in drift["open"]] == [("work/links.md", 3)]
    assert "nobody.md" in drift["open"][0]["finding"]["message"]
    assert "; data good: " in night["verdict"]
    write(vault.folder, {"work/nobody.md": "Here I am.\n"})
    assert muniment("nightly").out.startswith("nothing disagrees")


def test_drift_reads_a_configured_vault_as_one(muniment: Any, vault: Vault) -> None:
    write(vault.folder, {"work/links.md": "[nobody](nobody.md)\n", "media/links.md": "[nobody](nobody.md)\n"})
    ran = muniment("drift", vault.folder, "--json")
    assert [finding["path"] for finding in ran.json["findings"]] == ["work/links.md"]
    assert ran.json["state"] == "worktree"


def test_a_default_that_a_note_states_is_kept_as_a_claim(muniment: Any, vault: Vault, own_place: Path) -> None:
    write(vault.folder, {"work/bells.md": "# Bells\n\n- `BELL_COUNT` (default: `4`): how many\n"})
    assert index(muniment)["claims"] == {"unknown": 1}


def test_a_dry_run_tells_what_would_be_left_out(muniment: Any, vault: Vault, own_place: Path) -> None:
    ran = muniment("index", "--dry-run")
    assert "4 to be read" in ran.out
    assert "left out by type: 1 Diary, 1 LOG" in ran.out
    assert not (own_place / "index").exists()
