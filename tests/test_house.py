"""Rules of the house: what the first commands load, and who may start them where."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import ROOT, Ran, make_repo, write

HEAVY = (
    "prefect",
    "lancedb",
    "lance",
    "great_expectations",
    "polars",
    "fastapi",
    "onnxruntime",
    "pyarrow",
    "numpy",
    "pydantic",
)

RATHER_HEAVY = ("pathspec", "stamina", "httpx", "markdown_it", "platformdirs")


def loaded_by(code: str, *argv: object, env: dict[str, str] | None = None) -> set[str]:
    """Top-level names of everything that this Python code leaves loaded."""
    tail = "\nimport sys; print('LOADED', *sorted({name.partition('.')[0] for name in sys.modules}))"
    done = subprocess.run(
        [sys.executable, "-c", code + tail, *map(str, argv)], capture_output=True, text=True, check=True, env=env
    )
    return set(done.stdout.rpartition("LOADED")[2].split())


def test_the_flow_and_the_door_load_nothing_heavy() -> None:
    heavy = {"prefect", "lancedb", "great_expectations", "polars", "fastapi", "onnxruntime"}
    assert not loaded_by("import muniment.cli, flows.index") & heavy


def test_the_package_alone_loads_nothing_heavy() -> None:
    assert not loaded_by("import muniment; muniment.__version__") & {*HEAVY, *RATHER_HEAVY, "mcp"}


def test_help_loads_nothing_heavy() -> None:
    code = """
import contextlib
from muniment.cli.parser import parse
with contextlib.suppress(SystemExit):
    parse(["--help"])
"""
    assert not loaded_by(code) & set(HEAVY)


RUN = "import sys; from muniment.cli import main; main(sys.argv[1:])"


def test_a_run_with_nothing_to_do_loads_nothing_heavy(
    muniment: Callable[..., Ran], tmp_path: Path, own_place: Path, words_only: None
) -> None:
    repo = make_repo(tmp_path / "repo", {"a.md": "# A\n\nText.\n"})
    muniment("index", repo)
    assert not loaded_by(RUN, "index", repo) & {*HEAVY, *RATHER_HEAVY}
    muniment("index", repo, "--worktree")
    (seen,) = (own_place / "index" / "seen").glob("*.json")
    kept = json.loads(seen.read_text())
    # As if the file had lain there for a while: what was touched within a clock tick of the run is always read again.
    seen.write_text(json.dumps(kept | {"at_ns": kept["at_ns"] + 10**10}))
    assert not loaded_by(RUN, "index", repo, "--worktree") & {*HEAVY, *RATHER_HEAVY}


def test_a_vault_with_nothing_to_do_loads_nothing_heavy(
    muniment: Callable[..., Ran], tmp_path: Path, own_place: Path, words_only: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = tmp_path / "muniment.toml"
    settings.write_text('[[sources]]\nname = "notes"\nkind = "vault"\npath = "vault"\n')
    monkeypatch.setenv("MUNIMENT_CONFIG", str(settings))
    write(tmp_path / "vault", {"a.md": "# A\n\nText.\n"})
    muniment("index")
    (seen,) = (own_place / "index" / "seen").glob("*.json")
    kept = json.loads(seen.read_text())
    seen.write_text(json.dumps(kept | {"at_ns": kept["at_ns"] + 10**10}))
    assert not loaded_by(RUN, "index") & {*HEAVY, *RATHER_HEAVY}


def test_a_search_loads_no_engine(muniment: Callable[..., Ran], tmp_path: Path, words_only: None) -> None:
    repo = make_repo(tmp_path / "repo", {"a.md": "# A\n\nText.\n"})
    muniment("index", repo)
    loaded = loaded_by(RUN, "search", "text")
    assert not loaded & {"prefect", "great_expectations", "polars", "fastapi", "onnxruntime", "stamina"}
    assert "lancedb" in loaded


@pytest.mark.parametrize("how", [["-m", "muniment"], ["console"]])
def test_a_foreign_tasks_folder_is_never_run(tmp_path: Path, how: list[str]) -> None:
    trap = "import pathlib; pathlib.Path('SPRUNG').touch(); raise SystemExit('sprung')"
    names = ("tasks", "flows", "schemas")
    repo = make_repo(
        tmp_path / "repo", {f"{name}/__init__.py": trap for name in names} | {"README.md": "# Words\n\nText.\n"}
    )
    python = [sys.executable, *how] if how != ["console"] else [str(Path(sys.executable).parent / "muniment")]
    done = subprocess.run([*python, "index", ".", "--dry-run"], cwd=repo, capture_output=True, text=True, check=False)
    assert not (repo / "SPRUNG").exists()
    assert (done.returncode, done.stderr) == (0, "")
    assert "4 to be read" in done.stdout


def test_every_test_folder_is_a_package() -> None:
    folders = {path.parent for path in (ROOT / "tests").rglob("*.py")}
    assert not [folder for folder in folders if not (folder / "__init__.py").is_file()]


def test_lock_files_name_no_index() -> None:
    for lock in ROOT.glob("requirements*.lock"):
        assert "://" not in lock.read_text().replace("git+https", "")
