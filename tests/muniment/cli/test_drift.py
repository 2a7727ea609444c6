"""`drift` as a person and a pipeline meet it."""

import os
import pty
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Ran, commit_all, git, make_repo, write
from tests.muniment.cli.kestrel import FILES, MENDED, README, TEMPLATE
from tests.test_house import HEAVY, RUN, loaded_by

Muniment = Callable[..., Ran]


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    """A repository in which the README and the template disagree about one value."""
    return make_repo(tmp_path / "repo", FILES)


@pytest.fixture(autouse=True)
def _only_defaults(monkeypatch: pytest.MonkeyPatch) -> None:
    """The other checks, and history, have tests of their own."""
    monkeypatch.setenv("MUNIMENT_DRIFT__CHECKS", '["default"]')
    monkeypatch.setenv("MUNIMENT_DRIFT__MAX_COMMITS", "0")


def findings(ran: Ran) -> list[tuple[str, int, str, str, str]]:
    return [
        (found["path"], found["line"], found["option"], found["documented"], found["actual"])
        for found in ran.json["findings"]
    ]


GRACE = ("README.md", 7, "KESTREL_GRACE", "300", "600")


def test_a_disagreement_names_both_places_and_values(muniment: Muniment, repo: Path) -> None:
    ran = muniment("drift", repo)
    assert (ran.code, ran.err) == (0, "")
    first, _, path, found, *_ = ran.out.split("\n")
    assert first == "1 place in 1 file disagrees with the repository"
    assert path == "README.md"
    assert found == "  README.md:7  KESTREL_GRACE says 300, conf/kestrel.conf.template:2 has 600"
    assert "won by template" in ran.out
    assert ran.out.count("2 claims: 1 agree, 1 disagree, 0 unknown; found: 1 default; 3 files at ") == 1


def test_a_check_fails_until_the_document_is_mended(muniment: Muniment, repo: Path) -> None:
    assert muniment("drift", repo, "--check").code == 1
    write(repo, {"README.md": MENDED})
    commit_all(repo)
    assert muniment("drift", repo, "--check").code == 0
    assert muniment("drift", repo).out.startswith("nothing disagrees with the repository\n")


@pytest.mark.parametrize(
    ("form", "holds"),
    [
        ("text", "KESTREL_GRACE says 300"),
        ("json", '"documented": "300"'),
        ("sarif", '"ruleId": "default"'),
        ("markdown", "`KESTREL_GRACE` says `300`"),
        ("github", "::warning file=README.md,line=7,col=22,endColumn=25,title="),
        ("patch", "+| `KESTREL_GRACE` | `600` | seconds"),
    ],
)
def test_every_format_shows_the_finding(muniment: Muniment, repo: Path, form: str, holds: str) -> None:
    ran = muniment("drift", repo, "--format", form, "--check")
    assert (ran.code, ran.err) == (1, "")
    assert holds in ran.out


def test_the_json_document_has_the_fields_of_the_report(muniment: Muniment, repo: Path) -> None:
    report = muniment("drift", repo, "--json").json
    assert report["commit"] == git(repo, "rev-parse", "HEAD").strip()
    assert (report["state"], report["files"]) == ("head", 3)
    assert report["counts"] == {"agrees": 1, "disagrees": 1, "unknown": 0}
    assert [judged["claim"]["option"] for judged in report["judgements"]] == ["KESTREL_GRACE", "KESTREL_ROOT"]
    (found,) = report["findings"]
    assert found["truth"] == {"path": "conf/kestrel.conf.template", "line": 2}
    assert found["won_by"] == "template"


def test_claims_that_agree_are_listed_on_request(muniment: Muniment, repo: Path) -> None:
    assert "KESTREL_ROOT" not in muniment("drift", repo).out
    assert "README.md:8  KESTREL_ROOT says /srv/kestrel" in muniment("drift", repo, "--all").out


def test_after_the_patch_nothing_disagrees(muniment: Muniment, repo: Path, tmp_path: Path) -> None:
    (tmp_path / "drift.patch").write_text(muniment("drift", repo, "--format", "patch").out)
    git(repo, "apply", "--check", str(tmp_path / "drift.patch"))
    git(repo, "apply", str(tmp_path / "drift.patch"))
    assert (repo / "README.md").read_text() == MENDED
    assert muniment("drift", repo, "--worktree", "--check").code == 0
    assert muniment("drift", repo, "--check").code == 1


def test_a_patch_on_a_terminal_is_inert(repo: Path) -> None:
    write(repo, {"README.md": README.replace("copied |", "copied \x1b[31m|")})
    commit_all(repo)
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "muniment", "drift", str(repo), "--format", "patch"]
    subprocess.run(command, stdout=theirs, check=True, stdin=subprocess.DEVNULL)
    shown = os.read(ours, 100_000)
    os.close(theirs)
    os.close(ours)
    assert b"\\x1b[31m" in shown
    assert b"\x1b" not in shown
    assert b"\x1b[31m" in subprocess.run(command, check=True, capture_output=True).stdout


def test_a_patch_keeps_bytes_that_are_no_text(repo: Path) -> None:
    write(repo, {"README.md": README.replace("seconds", "für").encode("cp1252")})
    commit_all(repo)
    command = [sys.executable, "-m", "muniment", "drift", ".", "--format", "patch"]
    made = subprocess.run(command, check=True, capture_output=True, cwd=repo).stdout
    subprocess.run(["git", "apply"], check=True, input=made, cwd=repo)
    assert (repo / "README.md").read_bytes() == MENDED.replace("seconds", "für").encode("cp1252")


def test_nothing_is_written_and_no_index_is_needed(muniment: Muniment, repo: Path, own_place: Path) -> None:
    def everything() -> dict[Path, int]:
        return {path: path.lstat().st_mtime_ns for path in repo.rglob("*")}

    before = everything()
    for state in ([], ["--worktree"], ["--staged"]):
        assert muniment("drift", repo, "--format", "patch", *state).code == 0
    assert everything() == before
    assert not own_place.exists()


def test_each_state_is_read_as_it_is(muniment: Muniment, repo: Path) -> None:
    write(repo, {"README.md": README.replace("300", "400")})
    git(repo, "add", "README.md")
    write(repo, {"README.md": README.replace("300", "500")})
    for flags, value in (([], "300"), (["--staged"], "400"), (["--worktree"], "500")):
        assert [found[3] for found in findings(muniment("drift", repo, "--json", *flags))] == [value]


def test_the_current_folder_is_the_repository(muniment: Muniment, repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(repo)
    assert findings(muniment("drift", "--json")) == [GRACE]


@pytest.mark.parametrize(
    ("folder", "only", "found"),
    [
        ("", ["README.md"], True),
        ("", ["conf/kestrel.conf.template"], True),
        ("", ["conf"], True),
        ("", ["./conf/"], True),
        ("", ["."], True),
        ("", ["docs/other.md", "README.md"], True),
        ("", ["docs/other.md"], False),
        ("", [], False),
        ("conf", None, True),
        ("docs", None, False),
        ("docs", ["../README.md"], True),
        ("conf", ["kestrel.conf.template"], True),
    ],
)
def test_only_what_concerns_the_named_is_shown(
    muniment: Muniment, repo: Path, folder: str, only: list[str] | None, found: bool
) -> None:
    names = [] if only is None else ["--only", *only]
    ran = muniment("drift", repo / folder, "--json", *names)
    assert (findings(ran), ran.err) == ([GRACE] if found else [], "")


def test_an_absolute_path_is_one_of_the_repository(muniment: Muniment, repo: Path) -> None:
    assert findings(muniment("drift", repo, "--json", "--only", repo / "README.md")) == [GRACE]


def test_a_name_of_no_file_is_said(muniment: Muniment, repo: Path) -> None:
    ran = muniment("drift", repo, "--only", "README.md", "READNE.md", "../outside.md")
    assert ran.code == 0
    assert ran.err.split("\n")[:-1] == [
        "note: 'READNE.md' names no file of the repository",
        "note: '../outside.md' names no file of the repository",
    ]


def test_names_after_the_dashes_are_never_options(muniment: Muniment, repo: Path, tmp_path: Path) -> None:
    names = ("--write-baseline=README.md", "--check", "-h")
    write(repo, dict.fromkeys(names, "text"))
    git(repo, "add", "-A")
    ran = muniment("drift", repo, "--staged", "--check", "--json", "--only", "--", *names)
    assert (ran.code, findings(ran), ran.err) == (0, [], "")
    assert (repo / "README.md").read_text() == README
    assert muniment("drift", repo, "--staged", "--check", "--only", "--", *names, "README.md").code == 1


def test_a_baseline_silences_what_it_knows(muniment: Muniment, repo: Path, tmp_path: Path) -> None:
    known = tmp_path / "known.json"
    ran = muniment("drift", repo, "--check", "--write-baseline", known)
    assert (ran.code, ran.err) == (0, f"note: 1 finding written to '{known}'\n")
    ran = muniment("drift", repo, "--check", "--baseline", known)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith("nothing disagrees with the repository but what the baseline knows\n")
    assert "; 1 silenced by the baseline; " in ran.out
    write(repo, {"README.md": README.replace("300", "400")})
    assert muniment("drift", repo, "--worktree", "--check", "--baseline", known).code == 1


def test_entries_that_are_no_longer_found_are_counted(muniment: Muniment, repo: Path, tmp_path: Path) -> None:
    known = tmp_path / "known.json"
    muniment("drift", repo, "--write-baseline", known)
    write(repo, {"README.md": MENDED})
    commit_all(repo)
    said = "note: 1 entry of the baseline is no longer found\n"
    assert muniment("drift", repo, "--baseline", known).err == said
    # What was not looked for is not gone.
    assert muniment("drift", repo, "--baseline", known, "--only", "docs/other.md").err == ""
    assert muniment("drift", repo / "docs", "--baseline", known).err == ""
    assert muniment("drift", repo, "--baseline", known, "--checks", "dead-link").err == ""


def test_a_baseline_is_of_the_whole_repository(muniment: Muniment, repo: Path, tmp_path: Path) -> None:
    known = tmp_path / "known.json"
    for part in ([repo, "--only", "README.md"], [repo / "docs"]):
        ran = muniment("drift", *part, "--write-baseline", known)
        assert ran.code == 2
        assert "would forget all other findings" in ran.err
    assert not known.exists()


@pytest.mark.parametrize(
    ("flags", "says"),
    [
        (["--checks", "defaults"], "did you mean 'default'?"),
        (["--skip", "dead-links,default"], "did you mean 'dead-link'?"),
        (["--skip", "default"], "no check is left"),
        (["--json", "--format", "text"], "--json contradicts --format text"),
        (["--baseline", "nowhere.json"], "hint: write it anew with --write-baseline"),
        (["--write-baseline", "x.json", "--only", "README.md"], "leave out --only"),
        (["--write-baseline", "/nowhere/x.json"], "can't write baseline"),
        (["--worktree", "--staged"], "not allowed with"),
        (["--format", "xml"], "invalid choice"),
    ],
)
def test_what_can_not_be_meant_is_an_error(muniment: Muniment, repo: Path, flags: list[str], says: str) -> None:
    ran = muniment("drift", repo, *flags)
    assert (ran.code, ran.out) == (2, "")
    assert says in ran.err


def test_what_is_no_repository_is_unreadable(muniment: Muniment, tmp_path: Path) -> None:
    ran = muniment("drift", tmp_path)
    assert ran.code == 14
    assert "is not a git repository" in ran.err


def test_a_setting_names_the_checks_there_are(muniment: Muniment, repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for wrong in ('["defaults"]', "[]"):
        monkeypatch.setenv("MUNIMENT_DRIFT__CHECKS", wrong)
        ran = muniment("drift", repo)
        assert ran.code == 2
        assert "setting 'drift.checks'" in ran.err


def test_a_bare_repository_is_read(muniment: Muniment, repo: Path) -> None:
    """Also where it lies inside the work tree of another."""
    git(repo, "clone", "-q", "--bare", ".", "inside.git")
    assert findings(muniment("drift", repo / "inside.git", "--json")) == [GRACE]


def test_a_finding_says_since_when(muniment: Muniment, repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(
        repo, {"docs/other.md": "# Other\n\nSomething.\n", "conf/kestrel.conf.template": TEMPLATE.replace("600", "900")}
    )
    changed = commit_all(repo)
    write(repo, {"docs/other.md": "# Other\n\nMore.\n"})
    commit_all(repo)
    assert "since" not in muniment("drift", repo).out
    monkeypatch.setenv("MUNIMENT_DRIFT__MAX_COMMITS", "50")
    for folder in ("", "conf"):
        assert f", since {changed[:10]}\n" in muniment("drift", repo / folder).out


def test_an_order_names_the_readers_there_are(muniment: Muniment, repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MUNIMENT_DRIFT__ORDER", '["shell", "nonsense"]')
    ran = muniment("drift", repo)
    assert ran.code == 2
    assert "nonsense" in ran.err


def test_the_order_of_the_settings_decides(muniment: Muniment, repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(repo, {"kestrel.sh": '#!/bin/sh\n# kestrel.sh - copies\n: "${KESTREL_GRACE:=900}"\n'})
    commit_all(repo)
    assert findings(muniment("drift", repo, "--json")) == [GRACE]
    monkeypatch.setenv("MUNIMENT_DRIFT__ORDER", '["shell"]')
    assert findings(muniment("drift", repo, "--json")) == [(*GRACE[:4], "900")]


@pytest.mark.parametrize("narrowing", ['exclude = ["README.md"]', 'include = ["docs/"]'])
def test_a_document_left_out_of_the_index_is_not_judged(muniment: Muniment, repo: Path, narrowing: str) -> None:
    write(repo, {"muniment.toml": f"[index]\n{narrowing}\n"})
    commit_all(repo)
    ran = muniment("drift", repo, "--json")
    assert (findings(ran), ran.json["judgements"]) == ([], [])


def test_a_file_left_out_of_the_index_is_still_a_truth(muniment: Muniment, repo: Path) -> None:
    write(repo, {"muniment.toml": '[index]\nexclude = ["conf/"]\n'})
    commit_all(repo)
    assert findings(muniment("drift", repo, "--json")) == [GRACE]


def test_a_hostile_repository_shows_nothing_alive(muniment: Muniment, repo: Path) -> None:
    nasty = "\x1b[2J\u202e::error::x\n"
    page = README.replace("300", "3\x1b[31m\u202e00 |`")
    write(repo, {f"docs/{nasty}.md": page, "::stop-commands::x.md": README, "##[x].md": README})
    commit_all(repo)
    for form in ("text", "markdown", "github"):
        ran = muniment("drift", repo, "--format", form, "--all")
        assert not set("\x1b\u202e") & set(ran.out + ran.err)
        commands = [line for line in ran.out.split("\n") if line.lstrip().startswith(("::", "##["))]
        assert all(line.startswith("::warning file=") for line in commands)
        assert bool(commands) is (form == "github")


def test_before_the_first_commit_what_is_staged_is_read(muniment: Muniment, tmp_path: Path) -> None:
    git(tmp_path, "init", "-q", "new")
    write(tmp_path / "new", FILES)
    git(tmp_path / "new", "add", "-A")
    assert findings(muniment("drift", tmp_path / "new", "--staged", "--json")) == [GRACE]


def test_a_look_loads_no_store_and_no_engine(repo: Path) -> None:
    assert not loaded_by(RUN, "drift", repo) & ({*HEAVY, "httpx"} - {"pydantic"})
