"""Rules of the house: what the first commands load, and who may start them where."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT, make_repo

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


def test_help_loads_nothing_heavy() -> None:
    code = """
import contextlib
from muniment.cli.parser import parse
with contextlib.suppress(SystemExit):
    parse(["--help"])
"""
    assert not loaded_by(code) & set(HEAVY)


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
