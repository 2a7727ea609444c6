"""`muniment doctor` names what is wrong and what mends it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from muniment import __version__
from muniment.cli.doctor import CHECKS
from muniment.generation import publish, read_current
from muniment.store.writer import write_lock
from schemas.versions import SCHEMA_VERSION
from tests.conftest import Ran, commit_all, make_repo, write
from tests.muniment.embedders.servers import EmbeddingServer

pytestmark = pytest.mark.usefixtures("words_only")
Muniment = Callable[..., Ran]
as_root = pytest.mark.skipif(
    os.geteuid() != 0 or not shutil.which("unshare"), reason="only root can mount a file system for the test"
)

HEALTHY = """\
ok    settings   no file; defaults and environment
ok    python     PYTHON, muniment VERSION
ok    packages   as muniment wants them
ok    extra      [eval] installed
ok    git        version GIT at /usr/bin/git
ok    home       HOME
ok    filesystem has hard links and locks
ok    disk       SIZE free; the index takes SIZE
ok    clock      NOW UTC
ok    index      generation 1, 1 document
ok    writer     nobody; the next run can start
ok    bucket     none: the index is on this machine alone
ok    source     1 of 1 source as indexed
ok    embedder   none: search by words only
ok    vectors    none: search by words only
ok    model      none: answers are sentences of the documents
ok    prefect    no API is configured; 'muniment index' runs by itself
ok    egress     nothing leaves this machine
ok    hook       none in repo: a timer, or 'muniment hook install', would keep up
ok    serve      would listen at 127.0.0.1:8765; everybody on this machine may ask
all is well
"""


@pytest.fixture
def repo(muniment: Muniment, tmp_path: Path) -> Path:
    """An indexed repository."""
    made = make_repo(tmp_path / "repo", {"heron.md": "# Heron\n\nThe heron waits.\n"})
    muniment("index", made)
    return made


def found(ran: Ran, what: str) -> list[str]:
    """The lines about one thing, hints included."""
    lines = ran.out.splitlines()
    starts = [number for number, line in enumerate(lines) if line[6:17] == f"{what:11}"]
    hints = {number + 1 for number in starts if "hint: " in lines[number + 1]}
    return [re.sub(" +", " ", lines[number]).strip() for number in sorted({*starts, *hints})]


def change_pointer(home: Path, **values: Any) -> None:
    """As if another muniment, or a run at another time, had published."""
    published = read_current(home / "index")
    assert published is not None
    publish(home / "index", published._replace(**values))


def a_file_of(index: Path) -> Path:
    """One that the published generation is read from."""
    return next(path for path in (index / "tables").rglob("documents*/data/*.lance"))


def test_a_healthy_home_is_said_to_be_well(muniment: Muniment, repo: Path, own_place: Path) -> None:
    ran = muniment("doctor")
    said = ran.out.replace(str(own_place), "HOME").replace(sys.version.split()[0], "PYTHON")
    said = said.replace(__version__, "VERSION").replace(str(shutil.which("git")), "/usr/bin/git")
    for pattern, word in (
        (r"\d+\.\d [MG]B", "SIZE"),
        (r"\d{4}-\d\d-\d\d \d\d:\d\d", "NOW"),
        (r"(?<=version )\S+", "GIT"),
    ):
        said = re.sub(pattern, word, said)
    # Extras that this environment has or lacks are its own affair.
    said = re.sub(r"(ok    extra .*\n)+", "ok    extra      [eval] installed\n", said)
    assert said == HEALTHY
    assert (ran.code, ran.err) == (0, "")


def test_every_check_of_the_table_has_a_line(muniment: Muniment, repo: Path) -> None:
    said = [check["what"] for check in muniment("doctor", "--json").json]
    assert set(CHECKS) <= set(said)


def test_before_the_first_index_nothing_is_wrong(muniment: Muniment, own_place: Path) -> None:
    ran = muniment("doctor")
    assert ran.code == 0
    assert found(ran, "index") == ["ok index none yet; build one with 'muniment index PATH'"]
    assert not own_place.exists()


def test_broken_settings_stop_no_other_check(muniment: Muniment, repo: Path, tmp_path: Path) -> None:
    settings = tmp_path / "broken.toml"
    settings.write_text("[index]\nmax_bites = 3\n")
    ran = muniment("doctor", "--config", settings)
    assert ran.code == 1
    assert "setting 'index.max_bites'" in found(ran, "settings")[0]
    assert "muniment config" in found(ran, "settings")[1]
    assert "generation 1" in found(ran, "index")[0]
    gone = muniment("doctor", "--config", tmp_path / "gone.toml")
    assert "FAIL settings can't read settings file" in found(gone, "settings")[0]


@pytest.mark.parametrize(
    ("damage", "said", "mend"),
    [
        (lambda index: (index / "current.json").write_text("{torn"), "is torn", "hint:"),
        (lambda index: a_file_of(index).unlink(), "No such file", "muniment repair"),
        (lambda index: os.truncate(a_file_of(index), 3), "has 3 bytes", "muniment repair"),
        (
            lambda index: change_pointer(index.parent, schema=SCHEMA_VERSION + 1),
            "was written by a newer muniment",
            "hint:",
        ),
    ],
)
def test_a_damaged_index_is_named(
    muniment: Muniment, repo: Path, own_place: Path, damage: Callable[[Path], Any], said: str, mend: str
) -> None:
    damage(own_place / "index")
    ran = muniment("doctor")
    assert ran.code == 1
    line, hint = found(ran, "index")
    assert line.startswith("FAIL")
    assert said in line
    assert mend in hint


def test_a_clock_that_is_behind_is_named(muniment: Muniment, repo: Path, own_place: Path) -> None:
    later = datetime.now(UTC) + timedelta(days=31, hours=1)
    change_pointer(own_place, published_at=later.isoformat(timespec="seconds"))
    ran = muniment("doctor")
    assert ran.code == 0
    assert "31 days before generation 1 was published" in found(ran, "clock")[0]
    assert ran.out.splitlines()[-1] == "1 warning"


def test_who_writes_is_named(muniment: Muniment, repo: Path, own_place: Path) -> None:
    with write_lock(own_place / "index"):
        (line,) = found(muniment("doctor"), "writer")
    assert f"held by process {os.getpid()} (" in line
    assert "other runs exit with 75" in line
    assert found(muniment("doctor"), "writer") == ["ok writer nobody; the next run can start"]


def test_what_has_moved_on_or_gone_is_named(muniment: Muniment, repo: Path, tmp_path: Path) -> None:
    commit_all(repo)
    line, hint = found(muniment("doctor"), "source")
    assert line.startswith("warn source repo: HEAD is at ")
    assert "muniment index" in hint
    repo.rename(tmp_path / "elsewhere")
    ran = muniment("doctor")
    assert ran.code == 1
    assert f"FAIL source repo: '{repo}' does not exist" in found(ran, "source")[0]


def test_a_source_of_the_settings_that_was_never_indexed_is_named(
    muniment: Muniment, repo: Path, tmp_path: Path
) -> None:
    write(tmp_path, {"m.toml": '[[sources]]\nname = "notes"\nkind = "vault"\npath = "vault"\n'})
    lines = found(muniment("doctor", "--config", tmp_path / "m.toml"), "source")
    assert "warn source notes: in the settings, and never indexed" in lines


@as_root
def test_a_repository_of_another_user_is_named(muniment: Muniment, repo: Path) -> None:
    for path in (repo, repo / ".git"):
        os.chown(path, 1234, 1234)
    line, hint = found(muniment("doctor"), "source")
    assert "belongs to another user, and git won't read it" in line
    assert f"git config --global --add safe.directory '{repo}'" in hint


def test_another_embedder_than_the_index_is_named(
    muniment: Muniment, repo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MUNIMENT_EMBEDDER__NAME", "ollama")
    monkeypatch.setenv("MUNIMENT_EMBEDDER__URL", "http://127.0.0.1:9")
    ran = muniment("doctor")
    assert ran.code == 1
    assert "can't be reached" in found(ran, "embedder")[0]
    assert found(ran, "vectors") == [
        "warn vectors none in the index, and the settings name embedder 'ollama'",
        "hint: make them with 'muniment index'",
    ]


def test_another_model_under_the_same_name_is_named(
    muniment: Muniment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with EmbeddingServer("openai") as server:
        for key, value in {"NAME": "openai", "MODEL": "tiny", "URL": server.url}.items():
            monkeypatch.setenv(f"MUNIMENT_EMBEDDER__{key}", value)
        muniment("index", make_repo(tmp_path / "repo", {"heron.md": "# Heron\n\nThe heron waits.\n"}))
        assert found(muniment("doctor"), "vectors") == ["ok vectors 8 dimensions, by openai"]
        server.behaviour.spoil = lambda texts, vectors: [vector[::-1] for vector in vectors]
        line, hint = found(muniment("doctor"), "vectors")
        assert "there is another model under that name now" in line
        assert "muniment index --force" in hint


def test_egress_that_nobody_acknowledged_is_named(
    muniment: Muniment, repo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MUNIMENT_EMBEDDER__NAME", "ollama")
    monkeypatch.setenv("MUNIMENT_EMBEDDER__URL", "http://embedder.example:11434")
    ran = muniment("doctor")
    assert "embedder.url names another machine" in found(ran, "embedder")[0]
    assert "egress_ack = true" in found(ran, "embedder")[1]
    assert found(ran, "egress")[0] == "warn egress text for the embedder to embedder.example"


def test_a_prefect_that_is_away_is_named(muniment: Muniment, repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PREFECT_API_URL", "http://somebody:secret@127.0.0.1:9/api")
    ran = muniment("doctor")
    assert ran.code == 1
    assert found(ran, "prefect") == [
        "FAIL prefect Prefect at 'http://127.0.0.1:9/api' can't be reached",
        "hint: start it ('prefect server start'), or unset PREFECT_API_URL",
    ]
    assert "secret" not in ran.out


def test_hooks_that_do_nothing_are_named(
    muniment: Muniment, repo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    muniment("hook", "install", repo)
    assert found(muniment("doctor"), "hook") == ["ok hook a pull in repo is told; index.on_pull is auto"]
    monkeypatch.setenv("MUNIMENT_INDEX__ON_PULL", "off")
    assert found(muniment("doctor"), "hook")[0].endswith("index.on_pull is off")
    muniment("hook", "install", repo, "--home", tmp_path / "other")
    outdated = found(muniment("doctor"), "hook")
    assert outdated[0] == "warn hook repo: post-merge calls another muniment, home or settings file"
    assert outdated[1] == f"hint: write it again: muniment hook install {repo}"


def test_who_may_ask_is_said(muniment: Muniment, repo: Path, own_place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MUNIMENT_SERVE__HOST", "0.0.0.0")
    ran = muniment("doctor")
    assert (ran.code, found(ran, "serve")[0].endswith("'muniment serve' refuses to start")) == (1, True)
    muniment("token", "create", "laptop")
    assert found(muniment("doctor"), "serve") == ["ok serve would listen at 0.0.0.0:8765; asks for one of 1 token"]
    (own_place / "tokens.json").chmod(0o644)
    assert found(muniment("doctor"), "serve")[2] == "hint: chmod 600 it"


def test_a_proxy_that_lets_everybody_in_is_named(
    muniment: Muniment, repo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a token this machine may ask, and the proxy is on this machine."""
    monkeypatch.setenv("MUNIMENT_SERVE__PROXIES", '["127.0.0.1"]')
    assert found(muniment("doctor"), "serve")[0].startswith("warn serve there is no token, so everybody")
    muniment("token", "create", "laptop")
    assert found(muniment("doctor"), "serve")[0].startswith("ok serve")


@as_root
@pytest.mark.parametrize(
    ("options", "what", "said"),
    [("ro", "home", "file system that is read-only"), ("size=4m", "disk", "MB free")],
)
def test_a_file_system_in_the_way_is_named(tmp_path: Path, options: str, what: str, said: str) -> None:
    """In a mount namespace of its own, which goes with the command."""
    (tmp_path / "small").mkdir()
    mount = f"mount -t tmpfs -o {options} none '{tmp_path}/small'"
    command = f"{mount} && exec '{sys.executable}' -m muniment doctor --home '{tmp_path}/small/home'"
    done = subprocess.run(["unshare", "-m", "sh", "-c", command], capture_output=True, text=True, check=False)
    line, hint = found(Ran(done.returncode, done.stdout, done.stderr), what)
    assert (done.returncode, line.startswith("FAIL"), said in line) == (1, True, True)
    assert hint.startswith("hint: ")
