"""What a default install brings: listed whole and the same everywhere, and looked up honestly."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

from tests.conftest import ROOT

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed"),
    pytest.mark.skipif(not (ROOT / ".venv/bin/python").exists(), reason="the Makefile's environment is not here"),
]


def make(*words: object) -> subprocess.CompletedProcess[str]:
    """Runs a target without making the environment anew."""
    own = ["make", "-s", "-o", ".venv/.installed-dev", *map(str, words)]
    return subprocess.run(own, cwd=ROOT, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("sbom") / "deep" / "sbom.json"
    ran = make("sbom", f"SBOM={path}")
    assert ran.returncode == 0, ran.stderr
    return path


def test_it_is_what_its_schema_asks_for(written: Path) -> None:
    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(written.read_text()) is None


def test_it_lists_the_lock_and_nothing_else(written: Path) -> None:
    bom: dict[str, Any] = json.loads(written.read_text())
    assert bom["metadata"]["component"]["name"] == "muniment"
    locked = re.findall(r"^([A-Za-z0-9._-]+)==(\S+)", (ROOT / "requirements.lock").read_text(), re.MULTILINE)
    assert sorted((one["name"], one["version"]) for one in bom["components"]) == sorted(locked)
    assert all(one["externalReferences"][0]["hashes"] for one in bom["components"])


def test_it_is_the_same_again_and_names_no_machine(written: Path, tmp_path: Path) -> None:
    assert make("sbom", f"SBOM={tmp_path / 'again.json'}").returncode == 0
    text = written.read_text()
    assert (tmp_path / "again.json").read_text() == text
    assert not [place for place in (str(ROOT), str(Path.home()), str(tmp_path), "file:") if place in text]
    assert "timestamp" not in json.loads(text)["metadata"]


def test_an_audit_that_can_look_nothing_up_is_no_success() -> None:
    """Without its service pip-audit says of every package that it is not there, and ends well: not so ours."""
    ran = make("audit", "-n")
    assert "--strict" in ran.stdout
    assert "requirements.lock" in ran.stdout
