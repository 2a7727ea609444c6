"""A plain folder: what is listed, read, and known again by its stat alone."""

import os
import time
from pathlib import Path

import pytest

from muniment.errors import SourceUnreadable
from schemas.files import SKIP_REASONS, Skipped, Source
from tasks.enumerate.beneath import MAX_DEPTH
from tasks.enumerate.blobs import blob_id
from tasks.enumerate.folder import Folder
from tasks.enumerate.stats import GRANULARITY_NS, Seen
from tests.conftest import write

FILES = {"a.txt": "one", "deep/er/b.txt": "two", "deep/c.txt": "three", ".hidden.txt": "four"}


@pytest.fixture
def place(tmp_path: Path) -> Path:
    write(tmp_path / "folder", FILES)
    return tmp_path / "folder"


def source(place: Path, max_bytes: int = 1_000) -> Source:
    return Source("papers", str(place), "archive", max_bytes=max_bytes)


def test_every_file_is_listed_by_path_and_read(place: Path) -> None:
    folder = Folder(source(place))
    listing = folder.list_files()
    assert [entry.path for entry in listing.entries] == sorted(FILES)
    read = list(folder.read_files(listing.entries))
    assert {one[0].path: one[1].decode() for one in read if isinstance(one, tuple)} == FILES
    assert all(one[0].content_id == blob_id(one[1], "sha1") for one in read if isinstance(one, tuple))


def test_hidden_folders_are_passed_over(place: Path) -> None:
    write(place, {".git/config": "x", "deep/.trash/b.txt": "x"})
    listing = Folder(source(place)).list_files()
    assert [entry.path for entry in listing.entries] == sorted(FILES)
    assert not listing.skipped


def test_links_are_reported_and_never_followed(place: Path, tmp_path: Path) -> None:
    write(tmp_path, {"outside/secret.txt": "x"})
    (place / "file.txt").symlink_to(tmp_path / "outside" / "secret.txt")
    (place / "folder").symlink_to(tmp_path / "outside")
    (place / "loop").symlink_to(place)
    listing = Folder(source(place)).list_files()
    assert {skip.path: skip.reason for skip in listing.skipped} == dict.fromkeys(
        ["file.txt", "folder", "loop"], "symlink"
    )
    assert [entry.path for entry in listing.entries] == sorted(FILES)


def test_what_is_no_file_is_reported(place: Path) -> None:
    os.mkfifo(place / "pipe.txt")
    (skip,) = Folder(source(place)).list_files().skipped
    assert (skip.path, skip.reason, skip.detail) == ("pipe.txt", "unreadable", "a FIFO")


def test_a_tree_without_end_ends(place: Path) -> None:
    write(place, {"/".join(["d"] * (MAX_DEPTH + 2)) + "/x.txt": "x"})
    (skip,) = Folder(source(place)).list_files().skipped
    assert skip.path.count("/") == MAX_DEPTH
    assert skip.reason in SKIP_REASONS


def test_large_and_empty_files_are_reported(place: Path) -> None:
    write(place, {"big.txt": "x" * 1_001, "empty.txt": ""})
    folder = Folder(source(place))
    skipped = [one for one in folder.read_files(folder.list_files().entries) if isinstance(one, Skipped)]
    assert {skip.path: skip.reason for skip in skipped} == {"big.txt": "too large", "empty.txt": "empty"}


def test_a_missing_folder_is_an_unreadable_source(tmp_path: Path) -> None:
    with pytest.raises(SourceUnreadable):
        Folder(source(tmp_path / "nowhere")).list_files()


def test_a_file_that_is_as_last_seen_need_not_be_read(place: Path) -> None:
    first = Folder(source(place))
    list(first.read_files(first.list_files().entries))
    (place / "a.txt").write_text("changed")
    later = Seen(time.time_ns() + 3 * GRANULARITY_NS, first.stats)
    ids = {entry.path: entry.content_id for entry in Folder(source(place), later).list_files().entries}
    assert ids == {path: "" if path == "a.txt" else first.stats[path].content_id for path in FILES}


def test_a_file_that_just_changed_is_read_again(place: Path) -> None:
    first = Folder(source(place))
    list(first.read_files(first.list_files().entries))
    at_once = Seen(time.time_ns(), first.stats)
    assert not any(entry.content_id for entry in Folder(source(place), at_once).list_files().entries)


def test_present_ids_tell_changed_gone_and_unreadable_files(place: Path) -> None:
    write(place, {"big.txt": "x" * 1_001})
    present = Folder(source(place)).present_ids(["a.txt", "big.txt", "gone.txt", "../folder/a.txt"])
    assert present == {"a.txt": blob_id(b"one", "sha1"), "big.txt": ""}


def test_names_that_are_no_text_are_read(place: Path) -> None:
    (Path(os.fsdecode(os.fsencode(place) + b"/caf\xe9.txt"))).write_text("five")
    folder = Folder(source(place))
    (entry,) = [entry for entry in folder.list_files().entries if entry.path.startswith("caf")]
    assert entry.path == r"caf\xe9.txt"
    assert folder.present_ids([entry.path]) == {entry.path: blob_id(b"five", "sha1")}
