"""What every way of reading a source must hold to, and what every way of reading a git repository."""

import tempfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from muniment.errors import SourceUnreadable, UsageError
from schemas.files import SKIP_REASONS, Entry, Listing, Skipped, Source, SourceReader
from tasks.enumerate import reader
from tasks.enumerate.staged import Staged
from tests import gitzoo

NAMES = st.binary(min_size=1, max_size=12).filter(lambda name: b"\0" not in name and b"/" not in name)
PATHS = st.sets(
    st.one_of(NAMES.map(lambda name: b"f" + name), st.builds(lambda name: b"d/g" + name, NAMES)), min_size=1
)


GIT_STATES: dict[str, Callable[[Source], SourceReader]] = {
    "head": reader,
    "worktree": lambda source: reader(replace(source, worktree=True)),
    "staged": Staged,
}
# A checkout is a folder as well, and its files are then those that lie there.
STATES: dict[str, Callable[[Source], SourceReader]] = {
    **GIT_STATES,
    "vault": lambda source: reader(replace(source, kind="vault")),
    "archive": lambda source: reader(replace(source, kind="archive")),
}


@pytest.fixture(params=STATES)
def state(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(params=GIT_STATES)
def git_state(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def reader_of(repo: Path, state: str, max_bytes: int = 512_000) -> SourceReader:
    return STATES[state](Source("zoo", str(repo), max_bytes=max_bytes))


def read_all(files: SourceReader) -> tuple[Listing, dict[str, bytes], dict[str, Skipped]]:
    """The listing, the bytes of each file that could be read, and the outcome of each that could not."""
    listing = files.list_files()
    outcomes = list(files.read_files(listing.entries))
    skipped = [*listing.skipped, *(outcome for outcome in outcomes if isinstance(outcome, Skipped))]
    read = {outcome[0].path: outcome[1] for outcome in outcomes if not isinstance(outcome, Skipped)}
    assert len(outcomes) == len(listing.entries)
    assert {skip.reason for skip in skipped} <= SKIP_REASONS.keys()
    return listing, read, {skip.path: skip for skip in skipped}


def reasons(skipped: dict[str, Skipped]) -> dict[str, str]:
    return {path: skip.reason for path, skip in skipped.items()}


def test_every_document_is_listed_and_read(tmp_path: Path, state: str) -> None:
    repo = gitzoo.small(tmp_path)
    listing, read, skipped = read_all(reader_of(repo, state))
    assert [entry.path for entry in listing.entries] == ["README.md", "docs/deep/three.md", "docs/two.md"]
    assert read == {"README.md": b"# one\n", "docs/deep/three.md": b"# three\n", "docs/two.md": b"# two\n"}
    assert not skipped
    assert listing.commit == (gitzoo.git(repo, "rev-parse", "HEAD").decode().strip() if state in GIT_STATES else "")


def test_strange_names_are_documents_like_others(tmp_path: Path, state: str) -> None:
    listing, read, _ = read_all(reader_of(gitzoo.strange_names(tmp_path), state))
    assert {entry.raw for entry in listing.entries} == set(gitzoo.STRANGE_NAMES)
    assert all(read[entry.path] == b"# " + entry.raw for entry in listing.entries)
    assert r"not utf-8 \xff.md" in read


def test_of_two_names_that_read_alike_one_is_skipped(tmp_path: Path, state: str) -> None:
    listing, read, skipped = read_all(reader_of(gitzoo.colliding_names(tmp_path), state))
    assert read == {r"\xff.md": b"four characters"}
    assert [(skip.reason, bool(skip.detail)) for skip in listing.skipped] == [("unsafe path", True)]
    assert skipped.keys() == read.keys()


def test_links_are_reported_and_never_followed(tmp_path: Path, state: str) -> None:
    _, read, skipped = read_all(reader_of(gitzoo.links(tmp_path), state))
    assert read.keys() == {"real.md", "folder/in.md"}
    assert reasons(skipped) == dict.fromkeys(["abs.md", "dir.md", "gone.md", "out.md", "self.md"], "symlink")


def test_a_submodule_is_another_source(tmp_path: Path, git_state: str) -> None:
    repo = gitzoo.submodule(tmp_path)
    _, read, skipped = read_all(reader_of(repo, git_state))
    assert reasons(skipped) == {"sub": "submodule"}
    assert read_all(reader_of(repo / "sub", git_state))[1]["docs/two.md"] == b"# two\n"
    assert not any(path.startswith("sub/") for path in read)


def test_nested_worktrees_are_not_copies(tmp_path: Path, state: str) -> None:
    repo = gitzoo.nested_worktree(tmp_path)
    gitzoo.commit(repo / ".claude" / "wt", {"only-here.md": "# other branch"})
    assert len(read_all(reader_of(repo, state))[1]) == 3
    assert "only-here.md" in read_all(reader_of(repo / ".claude" / "wt", state))[1]


def test_a_folder_inside_means_only_that_folder(tmp_path: Path, state: str) -> None:
    repo = gitzoo.small(tmp_path)
    assert read_all(reader_of(repo / "docs", state))[1] == {"two.md": b"# two\n", "deep/three.md": b"# three\n"}


def test_a_shallow_clone_is_complete(tmp_path: Path, state: str) -> None:
    origin = gitzoo.small(tmp_path)
    gitzoo.commit(origin, {"README.md": "# second\n"})
    repo = gitzoo.clone(tmp_path, origin, "--depth=1")
    assert read_all(reader_of(repo, state))[1]["README.md"] == b"# second\n"


def test_a_sparse_clone_is_complete(tmp_path: Path, git_state: str) -> None:
    repo = gitzoo.sparse(tmp_path)
    assert not (repo / "docs" / "deep").exists()
    assert read_all(reader_of(repo, git_state))[1]["docs/deep/three.md"] == b"# three\n"


def test_large_and_empty_files_are_reported(tmp_path: Path, state: str) -> None:
    repo = gitzoo.small(tmp_path)
    gitzoo.commit(repo, {"big.md": b"x" * 1001, "fits.md": b"x" * 1000, "nothing.md": b""})
    _, read, skipped = read_all(reader_of(repo, state, max_bytes=1000))
    assert reasons(skipped) == {"big.md": "too large", "nothing.md": "empty"}
    assert skipped["big.md"].detail == "1,001 bytes"
    assert read.keys() == {"fits.md", "README.md", "docs/two.md", "docs/deep/three.md"}


def test_untracked_files_are_never_read(tmp_path: Path, git_state: str) -> None:
    repo = gitzoo.small(tmp_path)
    gitzoo.write(repo, {"untracked.md": "# no", ".gitignore": "ignored.md", "ignored.md": "# no"})
    assert len(read_all(reader_of(repo, git_state))[0].entries) == 3


def test_a_sha256_repository_is_read(tmp_path: Path, git_state: str) -> None:
    files = reader_of(gitzoo.small(tmp_path, "sha256"), git_state)
    read = [outcome[0] for outcome in files.read_files(files.list_files().entries) if not isinstance(outcome, Skipped)]
    assert [len(entry.content_id) for entry in read] == [64, 64, 64]


def test_a_hostile_repository_runs_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, state: str) -> None:
    mark = tmp_path / "mark"
    repo = gitzoo.hostile(tmp_path, mark)
    for name, value in gitzoo.hostile_environment(tmp_path, mark).items():
        monkeypatch.setenv(name, value)
    mark.unlink(missing_ok=True)
    assert read_all(reader_of(repo, state))[1].keys() == {
        ".gitattributes",
        "README.md",
        "docs/two.md",
        "docs/deep/three.md",
    }
    assert not mark.exists()


@pytest.mark.parametrize("command", [("status",), ("ls-files", "-s"), ("diff", "--stat")])
def test_the_hostile_repository_is_armed(tmp_path: Path, command: tuple[str, ...]) -> None:
    mark = tmp_path / "mark"
    repo = gitzoo.hostile(tmp_path, mark)
    mark.unlink(missing_ok=True)
    gitzoo.git(repo, *command, check=False)
    assert mark.exists()


def test_the_hostile_filter_is_armed(tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    repo = gitzoo.hostile(tmp_path, mark)
    mark.unlink(missing_ok=True)
    gitzoo.git(repo, "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "status", check=False)
    assert mark.exists()


def test_what_is_there_now_has_its_id(tmp_path: Path, state: str) -> None:
    files = reader_of(gitzoo.strange_names(tmp_path), state)
    ids = _content_ids(files.read_files(files.list_files().entries))
    assert files.present_ids([*ids, "no such.md", "../README.md", "\\x00"]) == ids


def test_what_is_not_checked_out_has_its_id(tmp_path: Path, git_state: str) -> None:
    files = reader_of(gitzoo.sparse(tmp_path), git_state)
    ids = _content_ids(files.read_files(files.list_files().entries))
    assert files.present_ids(ids) == ids


def test_of_a_folder_only_its_own_files_are_there(tmp_path: Path, state: str) -> None:
    repo = gitzoo.small(tmp_path)
    files = reader_of(repo / "docs", state)
    assert files.present_ids(["two.md", "deep/three.md", "README.md"]).keys() == {"two.md", "deep/three.md"}


def test_an_edited_file_has_another_id_and_a_gone_one_none(tmp_path: Path, state: str) -> None:
    repo = gitzoo.small(tmp_path)
    names = ("README.md", "docs/two.md", "docs/deep/three.md")
    before = reader_of(repo, state).present_ids(names)
    (repo / "docs" / "two.md").unlink()
    gitzoo.commit(repo, {"README.md": "# edited\n"})
    after = reader_of(repo, state).present_ids(names)
    assert after.keys() == {"README.md", "docs/deep/three.md"}
    assert [after[name] == before[name] for name in after] == [False, True]


def test_nothing_is_asked_of_a_repository_that_is_gone(tmp_path: Path, state: str) -> None:
    with pytest.raises(SourceUnreadable):
        reader_of(tmp_path / "nowhere", state).present_ids(["README.md"])


def _outcomes(listing: Listing) -> Iterator[tuple[str, str]]:
    yield from ((entry.path, "") for entry in listing.entries)
    yield from ((skip.path, skip.reason) for skip in listing.skipped)


@given(PATHS)
@settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow])
def test_all_ways_agree_on_a_clean_checkout(paths: set[bytes]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        repo = gitzoo.unborn(Path(folder))
        gitzoo.commit(repo, {path: b"# " + path for path in paths})
        tracked = gitzoo.git(repo, "ls-tree", "-r", "-z", "HEAD").split(b"\0")[:-1]
        readers = [reader_of(repo, state) for state in STATES]
        listings = [files.list_files() for files in readers]
        outcomes = [sorted(_outcomes(listing)) for listing in listings]
        assert outcomes == [outcomes[0]] * len(STATES)
        assert len(outcomes[0]) == len(tracked)
        ids = [
            _content_ids(files.read_files(listing.entries)) for files, listing in zip(readers, listings, strict=True)
        ]
        assert ids == [{entry.path: entry.content_id for entry in listings[0].entries}] * len(STATES)


def _content_ids(read: Iterator[tuple[Entry, bytes] | Skipped]) -> dict[str, str]:
    return {outcome[0].path: outcome[0].content_id for outcome in read if not isinstance(outcome, Skipped)}


def test_an_unknown_kind_is_refused() -> None:
    with pytest.raises(UsageError, match="no source kind 'svn'") as refused:
        reader(Source("x", "/x", kind="svn"))
    assert "git" in refused.value.hint
