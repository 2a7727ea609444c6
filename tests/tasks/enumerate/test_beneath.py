"""Files that are not what they seem, met without git."""

import os
from pathlib import Path

import pytest

from muniment.errors import SourceUnreadable
from tasks.enumerate.beneath import Beneath
from tasks.enumerate.outcomes import Unread


def test_a_file_is_read_with_its_stat(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "er" / "a.md"
    path.parent.mkdir(parents=True)
    path.write_bytes(b"text")
    with Beneath(str(tmp_path)) as files:
        assert files.read(b"deep/er/a.md", 100) == (b"text", path.stat())


def test_folders_are_left_as_they_were_entered(tmp_path: Path) -> None:
    names = ["a/b/c/1.md", "a/b/2.md", "a/x/c/3.md", "4.md", "z/5.md", "a/b/c/6.md"]
    for name in names:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(name)
    before = len(list(Path("/dev/fd").iterdir()))
    with Beneath(str(tmp_path)) as files:
        assert [files.read(name.encode(), 100)[0].decode() for name in names] == names
    assert len(list(Path("/dev/fd").iterdir())) == before


def test_the_folder_itself_may_be_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "a.md").write_text("text")
    (tmp_path / "link").symlink_to("real")
    with Beneath(str(tmp_path / "link")) as files:
        assert files.look(b"a.md").st_size == 4


@pytest.mark.parametrize("name", ["gone", "file"])
def test_a_folder_that_is_none_is_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").write_text("text")
    with pytest.raises(SourceUnreadable, match="can't open"):
        Beneath(str(tmp_path / name))


def test_a_device_is_not_opened() -> None:
    with Beneath("/dev") as files, pytest.raises(Unread) as unread:
        files.read(b"zero", 100)
    assert (unread.value.reason, unread.value.detail) == ("unreadable", "a device")


@pytest.mark.skipif(not os.access("/proc/self/status", os.R_OK), reason="a file that holds more than it says")
def test_a_file_that_grows_while_read_is_unreadable() -> None:
    with Beneath("/proc/self") as files, pytest.raises(Unread, match="changed while being read"):
        files.read(b"status", 100)


def test_a_name_too_long_for_the_disk_is_unreadable(tmp_path: Path) -> None:
    with Beneath(str(tmp_path)) as files, pytest.raises(Unread) as unread:
        files.look(b"x" * 5000)
    assert unread.value.reason == "unreadable"
