"""Which names are refused, and how the others are spelled."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.files import Skipped
from tasks.enumerate.names import check_name, is_unsafe

REGULAR = "100644"


@pytest.mark.parametrize(
    "name",
    [
        "",
        "/",
        "/abs",
        "../x",
        "a/../x",
        "a/..",
        "./x",
        "a/./x",
        "a//x",
        "a/",
        ".git",
        ".git/config",
        "a/.git/x",
        ".GIT/x",
        ".Git",
        "git~1/x",
        "GIT~1",
        ".git /x",
        ".git./x",
        ".git . ./x",
        ".git::$INDEX_ALLOCATION/x",
        ".git:stream",
        ".g\u200cit/x",
        "\ufeff.git/x",
        r"..\x",
        r"a\..\x",
        r".git\config",
        r"a\.GIT\config",
    ],
)
def test_a_name_that_leads_out_is_unsafe(name: str) -> None:
    assert is_unsafe(name.encode())


@pytest.mark.parametrize(
    "name",
    [".gitignore", ".github/x.md", ".gitx", "x.git", "git~2", "git", "a..b", "...", "..a", "a\\b", "~", "C:x", " .git"],
)
def test_a_name_that_only_looks_so_is_safe(name: str) -> None:
    assert not is_unsafe(name.encode())


@given(st.binary(min_size=1))
def test_every_name_becomes_text_that_can_be_stored(raw: bytes) -> None:
    checked = check_name(raw, REGULAR, set())
    path = checked.path if isinstance(checked, Skipped) else checked
    assert path.encode()


@given(st.text(st.characters(codec="utf-8"), min_size=1))
def test_a_name_in_utf8_stays_as_it_is(name: str) -> None:
    checked = check_name(name.encode(), REGULAR, set())
    assert name == (checked.path if isinstance(checked, Skipped) else checked)


@pytest.mark.parametrize(("mode", "reason"), [("120000", "symlink"), ("160000", "submodule")])
def test_what_is_no_file_is_named(mode: str, reason: str) -> None:
    assert check_name(b"a", mode, set()) == Skipped("a", reason)


def test_a_link_with_an_unsafe_name_is_unsafe() -> None:
    assert check_name(b"../a", "120000", set()) == Skipped("../a", "unsafe path")
