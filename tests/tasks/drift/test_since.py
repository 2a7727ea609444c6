"""Since which commit a document and a truth differ."""

import os
from collections.abc import Mapping
from itertools import takewhile
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from muniment.errors import SourceUnreadable
from schemas.claims import Finding, Place
from tasks.drift.since import since
from tests import gitzoo

DOC = "# The bell\n\nHow to ring it.\n\n- `RING_AT`: the hour (default: {})\n"
CONF = "# when\nRING_AT={}\n"


def finding(documented: str = "7", actual: str = "9", doc_line: int = 5, truth_line: int = 2, **named: str) -> Finding:
    place = Place(named.get("truth_path", "bell.conf"), truth_line)
    path, option = named.get("path", "README.md"), named.get("option", "RING_AT")
    return Finding("default", path, doc_line, "", option, documented, actual, truth=place)


def state(documented: object, actual: object) -> dict[str, str]:
    return {"README.md": DOC.format(documented), "bell.conf": CONF.format(actual)}


def write(repo: Path, files: Mapping[str, str]) -> None:
    for name, text in files.items():
        gitzoo.write(repo, {name: text})


def commit(repo: Path, files: Mapping[str, str]) -> str:
    write(repo, files)
    return gitzoo.commit(repo)


def history(tmp: Path, *states: Mapping[str, str]) -> tuple[Path, list[str]]:
    repo = gitzoo.unborn(tmp)
    return repo, [commit(repo, files) for files in states]


def dated(repo: Path, *findings: Finding, **named: object) -> list[tuple[str, str]]:
    return [(one.since, one.since_note) for one in since(str(repo), findings or (finding(),), **named)]  # type: ignore[arg-type]


def test_the_commit_that_changed_the_truth_is_named(tmp_path: Path) -> None:
    repo, commits = history(tmp_path, state(7, 7), state(7, 9), {"other.md": "x"})
    assert dated(repo) == [(commits[1], "")]


def test_the_commit_that_changed_the_document_is_named(tmp_path: Path) -> None:
    repo, commits = history(tmp_path, state(9, 9), {"other.md": "x"}, state(7, 9))
    assert dated(repo) == [(commits[2], "")]


def test_the_newest_unbroken_run_counts(tmp_path: Path) -> None:
    repo, commits = history(
        tmp_path, state(7, 9), state(7, 7), state(7, 8), state(7, 9), {"README.md": DOC.format(7) + "More.\n"}
    )
    assert dated(repo) == [(commits[3], "")]


@settings(max_examples=12)
@given(values=st.lists(st.tuples(st.sampled_from([7, 8]), st.sampled_from([8, 9])), min_size=1, max_size=6))
def test_any_history_is_walked_to_where_the_run_begins(values: list[tuple[int, int]]) -> None:
    with TemporaryDirectory() as folder:
        repo, commits = history(Path(folder), *(state(*pair) for pair in [*values, (7, 9)]))
        run = takewhile(lambda pair: pair == (7, 9), reversed(values))
        assert dated(repo)[0][0] == commits[len(values) - len(list(run))]


def test_lines_may_move_and_be_reworded(tmp_path: Path) -> None:
    later = "Intro.\n\n" + DOC.format(7).replace("the hour", "at which hour")
    repo, commits = history(
        tmp_path, state(7, 7), state(7, 9), {"README.md": later, "bell.conf": "A=1\nB=2\n" + CONF.format(9)}
    )
    assert dated(repo, finding(doc_line=7, truth_line=4)) == [(commits[1], "")]


def test_a_number_inside_another_is_none(tmp_path: Path) -> None:
    repo, commits = history(tmp_path, state(7, 19), state(7, "9.5"), state(7, 9))
    assert dated(repo) == [(commits[2], "")]


def test_a_line_without_its_option_is_known_whole(tmp_path: Path) -> None:
    doc = "## RING_AT\n\nThe hour.\n\nDefault: {}\n"
    files = [{"README.md": doc.format(value), "bell.conf": CONF.format(9)} for value in (9, 7)]
    repo, commits = history(tmp_path, *files)
    assert dated(repo) == [(commits[1], "")]


def test_lines_above_tell_equal_lines_apart(tmp_path: Path) -> None:
    values = "tower:\n  on: {}\nspire:\n  on: {}\n"
    files = [{"README.md": f"| `spire.on` | {said} |\n", "values.yaml": values.format(*real)} for said, real in (
        ("true", ("true", "true")), ("true", ("false", "true")), ("true", ("false", "false")))]  # fmt: skip
    repo, commits = history(tmp_path, *files)
    wanted = finding("true", "false", 1, 4, option="spire.on", truth_path="values.yaml")
    assert dated(repo, wanted) == [(commits[2], "")]


def test_a_line_that_stands_twice_is_not_followed(tmp_path: Path) -> None:
    repo, _ = history(tmp_path, {"README.md": DOC.format(7), "bell.conf": "RING_AT=9\n" * 9})
    assert dated(repo) == [("", "its line stands more than once")]


def test_a_finding_as_old_as_its_file_says_so(tmp_path: Path) -> None:
    repo, commits = history(tmp_path, {"bell.conf": CONF.format(9)}, state(7, 9), {"x.md": "x"})
    assert dated(repo) == [(commits[1], "the file begins there")]


def test_a_shallow_clone_is_a_bound(tmp_path: Path) -> None:
    repo, commits = history(tmp_path, state(7, 7), state(7, 9), {"x.md": "x"}, {"y.md": "y"})
    assert dated(gitzoo.clone(tmp_path, repo, "--depth", "2")) == [(commits[2], "shallow clone")]


def test_the_limit_is_a_bound(tmp_path: Path) -> None:
    touched = [{"bell.conf": CONF.format(9) + f"# {number}\n"} for number in range(5)]
    repo, commits = history(tmp_path, state(7, 7), state(7, 9), *touched)
    assert dated(repo, max_commits=2) == [(commits[-2], "older than the 2 commits looked at")]


@pytest.mark.parametrize("changed", [state(7, 8), state(6, 9), {"README.md": ""}])
def test_what_is_in_the_working_copy_only_is_not_dated(tmp_path: Path, changed: dict[str, str]) -> None:
    repo, _ = history(tmp_path, state(7, 7) | changed)
    write(repo, state(7, 9))
    assert dated(repo, state="worktree") == [("", "not yet committed")]


def test_lines_moved_in_the_working_copy_are_found(tmp_path: Path) -> None:
    repo, commits = history(tmp_path, state(7, 7), state(7, 9))
    gitzoo.write(repo, {"README.md": "New.\n" * 5 + DOC.format(7)})
    assert dated(repo, finding(doc_line=10), state="worktree") == [(commits[1], "")]


def test_before_the_first_commit_nothing_is_dated(tmp_path: Path) -> None:
    repo = gitzoo.unborn(tmp_path)
    write(repo, state(7, 9))
    assert dated(repo, state="worktree") == [("", "not yet committed")]


def test_without_a_truth_the_line_itself_is_dated(tmp_path: Path) -> None:
    link = "See [the rope](rope.md).\n"
    repo, commits = history(
        tmp_path, {"README.md": "# Bell\n"}, {"README.md": link}, {"README.md": f"# Bell\n\n{link}"}
    )
    dead = Finding("dead-link", "README.md", 3, "", option="rope.md")
    assert dated(repo, dead) == [(commits[1], "at the earliest")]


def test_a_value_of_any_length_is_followed(tmp_path: Path) -> None:
    long = "x(" * 40_000
    repo, commits = history(tmp_path, state(7, 7), state(7, long))
    assert dated(repo, finding(actual=long)) == [(commits[1], "")]


def test_nothing_found_asks_git_nothing(tmp_path: Path) -> None:
    assert since(str(tmp_path / "nowhere"), ()) == ()


def test_a_merge_is_the_commit_that_brought_it(tmp_path: Path) -> None:
    repo, _ = history(tmp_path, state(7, 7))
    gitzoo.git(repo, "checkout", "-q", "-b", "side")
    commit(repo, state(7, 9))
    gitzoo.git(repo, "checkout", "-q", "main")
    commit(repo, {"x.md": "x"})
    gitzoo.git(repo, "merge", "-q", "--no-ff", "-m", "merge", "side")
    merge = gitzoo.git(repo, "rev-parse", "HEAD").decode().strip()
    assert dated(repo) == [(merge, "")]


def test_a_folder_of_a_repository_is_dated_by_its_own_paths(tmp_path: Path) -> None:
    files = [{f"bells/{name}": text for name, text in state(7, actual).items()} for actual in (7, 9)]
    repo, commits = history(tmp_path, *files, state(7, 9))
    assert dated(repo / "bells") == [(commits[1], "")]


@pytest.mark.parametrize(
    "name", [":(top)bell.conf", "*.conf", "-bell.conf", 'b"ell.conf', "b\tell.conf", "b\nell.conf", "Glöcke.conf"]
)
def test_strange_names_are_names(tmp_path: Path, name: str) -> None:
    repo, commits = history(tmp_path, *({"README.md": DOC.format(7), name: CONF.format(actual)} for actual in (7, 9)))
    assert dated(repo, finding(truth_path=name)) == [(commits[1], "")]


def test_a_repository_with_long_ids_is_walked(tmp_path: Path) -> None:
    repo = gitzoo.unborn(tmp_path, "sha256")
    commits = [commit(repo, state(7, actual)) for actual in (7, 9)]
    assert dated(repo) == [(commits[1], "")]


def test_a_clone_without_its_files_says_so(tmp_path: Path) -> None:
    repo, _ = history(tmp_path, state(7, 7), state(7, 9))
    mark = tmp_path / "mark"
    bare = gitzoo.clone(tmp_path, repo, "--no-checkout", "--filter=blob:none")
    gitzoo.git(bare, "config", "remote.origin.url", f"ext::{gitzoo.marker(tmp_path, mark)}")
    assert dated(bare) == [("", "the file can't be read in git")]
    assert not mark.exists()


def test_no_repository_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(SourceUnreadable):
        since(str(tmp_path), (finding(),))


_SETTINGS = {
    "log.showRoot": "false",
    "log.follow": "true",
    "log.diffMerges": "off",
    "log.showSignature": "true",
    "diff.renames": "copies",
    "diff.noprefix": "true",
    "diff.relative": "true",
    "diff.orderFile": "/nonexistent/order",
    "diff.ignoreSubmodules": "none",
    "color.ui": "always",
    "core.quotePath": "true",
    "core.abbrev": "4",
    "format.pretty": "fuller",
    "format.notes": "true",
}


@pytest.mark.parametrize("setting", _SETTINGS)
def test_no_setting_of_the_repository_changes_the_answer(tmp_path: Path, setting: str) -> None:
    repo, commits = history(tmp_path, state(7, 9), {"x.md": "x"})
    gitzoo.git(repo, "config", setting, _SETTINGS[setting])
    assert dated(repo) == [(commits[0], "the file begins there")]


def test_a_hostile_repository_runs_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mark = tmp_path / "mark"
    repo = gitzoo.hostile(tmp_path, mark)
    for name, value in gitzoo.hostile_environment(tmp_path, mark).items():
        monkeypatch.setenv(name, value)
    blobs = [gitzoo.git(repo, "rev-parse", f"HEAD:{path}").decode() for path in ("README.md", "docs/two.md")]
    assert all(blobs)
    mark.unlink(missing_ok=True)
    wanted = finding("one", "two", 1, 1, truth_path="docs/two.md", option="#")
    assert dated(repo, wanted)[0][1] == "the file begins there"
    assert not mark.exists()


@pytest.mark.parametrize("door", ["--ext-diff", "--textconv"])
def test_the_hostile_history_is_armed(tmp_path: Path, door: str) -> None:
    mark = tmp_path / "mark"
    repo = gitzoo.hostile(tmp_path, mark)
    mark.unlink(missing_ok=True)
    gitzoo.git(repo, "-c", "core.fsmonitor=false", "log", "-p", door, check=False)
    assert mark.exists()


def test_more_findings_start_no_more_processes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    many = {f"bells/{number}.md": DOC.format(7) for number in range(20)}
    repo, commits = history(tmp_path, many | {"bell.conf": CONF.format(7)}, {"bell.conf": CONF.format(9)})
    counted = tmp_path / "count"
    real = next(folder for folder in os.environ["PATH"].split(":") if Path(folder, "git").exists())
    (tmp_path / "bin").mkdir()
    script = tmp_path / "bin" / "git"
    script.write_text(f'#!/bin/sh\necho x >> "{counted}"\nexec "{real}/git" "$@"\n')
    script.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:{os.environ['PATH']}")
    found = dated(repo, *(finding(path=path) for path in many))
    assert found == [(commits[1], "")] * 20
    assert len(counted.read_text().split()) <= 6
