"""Where a Prefect API is found, and where it is not looked for."""

from __future__ import annotations

from pathlib import Path

import pytest

from muniment.cli.engine import choose_engine, prefect_api
from muniment.errors import SettingsError
from tests.conftest import write
from tests.test_house import loaded_by

PROFILES = """
active = "ours"
[profiles.ours]
PREFECT_API_URL = "http://127.0.0.1:1/api"
[profiles.other]
PREFECT_API_URL = "http://127.0.0.1:2/api"
[profiles.none]
"""
BESIDE = '[api]\nurl = "http://127.0.0.1:3/api"\n'


@pytest.fixture
def place(tmp_path: Path) -> Path:
    write(tmp_path, {"home/profiles.toml": PROFILES, "checkout/prefect.toml": BESIDE, "bare/prefect.yaml": ""})
    return tmp_path


@pytest.mark.parametrize(
    ("environ", "checkout", "found"),
    [
        ({}, "bare", 1),
        ({"PREFECT_PROFILE": "other"}, "bare", 2),
        ({"PREFECT_PROFILE": "none"}, "bare", None),
        ({"PREFECT_PROFILE": "unheard-of"}, "bare", None),
        ({"PREFECT_PROFILE": "other"}, "checkout", 3),
        ({"PREFECT_API_URL": "http://127.0.0.1:4/api"}, "checkout", 4),
        ({"PREFECT_HOME": "/nowhere"}, "bare", None),
    ],
)
def test_environment_wins_over_file_wins_over_profile(
    place: Path, environ: dict[str, str], checkout: str, found: int | None
) -> None:
    api = prefect_api({"PREFECT_HOME": str(place / "home"), **environ}, place / checkout)
    assert api == (f"http://127.0.0.1:{found}/api" if found else "")


def test_the_working_folder_names_no_api(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pyproject = '[tool.prefect]\napi.url = "http://127.0.0.1:5/api"\n'
    write(place / "repo", {"prefect.toml": BESIDE, "pyproject.toml": pyproject, ".env": "PREFECT_API_URL=http://x\n"})
    monkeypatch.chdir(place / "repo")
    assert prefect_api({"PREFECT_HOME": "/nowhere"}, place / "bare") == ""


def test_a_broken_profile_is_named(place: Path) -> None:
    (place / "home" / "profiles.toml").write_text("active =")
    with pytest.raises(SettingsError, match=r"profiles\.toml' is not TOML"):
        prefect_api({"PREFECT_HOME": str(place / "home")}, place / "bare")


@pytest.mark.parametrize(("wanted", "chosen"), [("auto", "prefect"), ("prefect", "prefect"), ("direct", "direct")])
def test_auto_is_prefect_where_an_api_is_known(wanted: str, chosen: str) -> None:
    assert choose_engine(wanted, {"PREFECT_API_URL": "http://127.0.0.1:4/api"}).name == chosen


def test_the_choice_loads_nothing_heavy() -> None:
    code = "import os; from muniment.cli.engine import choose_engine; choose_engine('auto', os.environ)"
    assert not loaded_by(code) & {"prefect", "pydantic", "lancedb"}
