"""The patch against git itself: it applies, and makes exactly the suggested lines."""

import os
import string
import tempfile
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from muniment.drift.patch import render
from muniment.drift.view import Original, View
from schemas.claims import Edit, Finding, Place
from tests import gitzoo
from tests.muniment.drift.reports import GRACE, ORDINARY


def finding(path: str, line: int, old: str, new: str) -> Finding:
    return replace(GRACE, path=path, line=line, edit=Edit(path, line, old, new))


def patch(name: bytes, raw: bytes, *edits: tuple[int, str, str]) -> str:
    """The patch of one file with this name and these bytes."""
    path = name.decode(errors="backslashreplace")
    report = replace(ORDINARY, findings=tuple(finding(path, *edit) for edit in edits))
    return render(report, View(originals=lambda _: {path: Original(name, raw)}))


def applied(folder: Path, name: bytes, raw: bytes, patch: str) -> bytes:
    """The file after `git apply` of the patch in a repository that holds it."""
    repo = gitzoo.unborn(folder)
    gitzoo.commit(repo, {name: raw})
    text = patch.encode("utf-8", "surrogateescape")
    gitzoo.git(repo, "apply", "--check", "-", stdin=text)
    gitzoo.git(repo, "apply", "-", stdin=text)
    assert gitzoo.git(repo, "status", "--porcelain", "-z").count(b"\0") == 1
    return (repo / os.fsdecode(name)).read_bytes()


@pytest.mark.parametrize("name", gitzoo.STRANGE_NAMES)
def test_every_name_is_quoted_as_git_reads_it(tmp_path: Path, name: bytes) -> None:
    raw = b"one\nport: 80\nthree\n"
    made = patch(name, raw, (2, "port: 80", "port: 8080"))
    assert applied(tmp_path, name, raw, made) == b"one\nport: 8080\nthree\n"


@pytest.mark.parametrize(
    ("raw", "old", "new", "expected"),
    [
        (b"a\r\nport: 80\r\nb\r\n", "port: 80", "port: 90", b"a\r\nport: 90\r\nb\r\n"),
        (b"a\nport: 80", "port: 80", "port: 90", b"a\nport: 90"),
        (b"a\r\nport: 80", "port: 80", "port: 90", b"a\r\nport: 90"),
        (b"a\nport: 80\nb", "port: 80", "port: 90", b"a\nport: 90\nb"),
        (b"gr\xfc\xdfe\nport: 80 \xa7\n", "port: 80 §", "port: 90 §", b"gr\xfc\xdfe\nport: 90 \xa7\n"),
        ("größe\nport: 80 ☃\n".encode(), "port: 80 ☃", "port: 90 ☃", "größe\nport: 90 ☃\n".encode()),
    ],
    ids=["crlf", "no end", "crlf, no end", "no end below", "cp1252", "utf-8"],
)
def test_line_ends_and_encodings_stay(tmp_path: Path, raw: bytes, old: str, new: str, expected: bytes) -> None:
    assert applied(tmp_path, b"a.md", raw, patch(b"a.md", raw, (2, old, new))) == expected


def test_a_byte_order_mark_stays(tmp_path: Path) -> None:
    raw = b"\xef\xbb\xbfport: 80\n"
    assert (
        applied(tmp_path, b"a.md", raw, patch(b"a.md", raw, (1, "port: 80", "port: 90"))) == b"\xef\xbb\xbfport: 90\n"
    )


def test_two_edits_of_a_line_are_both_made(tmp_path: Path) -> None:
    raw, line = b"`A` (default: 1), `B` (default: 2)\n", "`A` (default: 1), `B` (default: 2)"
    made = patch(b"a.md", raw, (1, line, line.replace("1", "10")), (1, line, line.replace("2", "20")))
    assert applied(tmp_path, b"a.md", raw, made) == b"`A` (default: 10), `B` (default: 20)\n"


def test_of_two_edits_of_a_value_the_first_is_made(tmp_path: Path) -> None:
    raw = b"port: 80\n"
    made = patch(b"a.md", raw, (1, "port: 80", "port: 91"), (1, "port: 80", "port: 92"))
    assert applied(tmp_path, b"a.md", raw, made) == b"port: 91\n"
    assert made.startswith("# a.md: 1 suggested edit left out\n")


@pytest.mark.parametrize(
    ("raw", "edit"),
    [
        (b"port: 81\n", (1, "port: 80", "port: 90")),
        (b"port: 80\n", (7, "port: 80", "port: 90")),
        (b"port: 80\n", (1, "port: 80", "port: 90\nmore: 1")),
        ("port: 80\n".encode("utf-16"), (1, "port: 80", "port: 90")),
        (b"gr\xfc\xdfe: 80\n", (1, "größe: 80", "größe: ☃")),
        (b"port: 80\rmore\r", (1, "port: 80", "port: 90")),
    ],
    ids=["changed since", "no such line", "two lines", "utf-16", "not in the encoding", "carriage returns"],
)
def test_an_edit_that_does_not_fit_is_left_out(raw: bytes, edit: tuple[int, str, str]) -> None:
    assert patch(b"a.md", raw, edit) == "# a.md: 1 suggested edit left out\n"


def test_a_file_that_is_gone_is_said() -> None:
    report = replace(ORDINARY, findings=(finding("gone.md", 1, "port: 80", "port: 90"),))
    assert render(report, View()) == "# gone.md: 1 suggested edit left out\n"


def test_a_truth_is_never_edited() -> None:
    """Neither another file than the finding's own document, nor a line of it that is a truth of any finding."""
    own = finding("run.sh", 1, "port: 80", "port: 90")
    as_truth = replace(GRACE, path="b.md", edit=None, truth=Place("run.sh", 1))
    other = replace(own, edit=Edit("conf", 1, "port: 80", "port: 90"))
    view = View(originals=lambda _: {name: Original(name.encode(), b"port: 80\n") for name in ("run.sh", "conf")})
    assert render(replace(ORDINARY, findings=(own, as_truth)), view) == ""
    assert render(replace(ORDINARY, findings=(other,)), view) == ""
    assert "+port: 90" in render(replace(ORDINARY, findings=(own,)), view)


def test_the_same_edit_is_made_once() -> None:
    edit = (1, "port: 80", "port: 90")
    assert patch(b"a.md", b"port: 80\n", edit, edit) == patch(b"a.md", b"port: 80\n", edit)


LINES = st.lists(st.text(string.ascii_letters + " é☃\x0c\u2028", max_size=6), min_size=1, max_size=40)


@given(LINES, st.data())
@settings(max_examples=25)
def test_any_edits_of_any_file_apply(lines: list[str], data: st.DataObject) -> None:
    """Wherever the edits lie, however the lines end."""
    lines = [f"{number} {line}" for number, line in enumerate(lines)]
    end, last = data.draw(st.sampled_from(["\n", "\r\n"])), data.draw(st.booleans())
    chosen = data.draw(st.sets(st.integers(0, len(lines) - 1), min_size=1))
    new = [f"{line}!" if number in chosen else line for number, line in enumerate(lines)]
    raw, expected = ((end.join(each) + (end if last else "")).encode() for each in (lines, new))
    made = patch(b"a.md", raw, *((number + 1, lines[number], new[number]) for number in chosen))
    with tempfile.TemporaryDirectory() as folder:
        assert applied(Path(folder), b"a.md", raw, made) == expected
