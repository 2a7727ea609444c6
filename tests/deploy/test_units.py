"""deploy/systemd and deploy/cron: right by what reads them, and true to what they start."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from muniment.cli.parser import make_parser
from muniment.errors import EXIT_CODES
from tests.conftest import ROOT

UNITS = ROOT / "deploy" / "systemd"
SERVICES = sorted(UNITS.glob("*.service"))
TIMERS = sorted(UNITS.glob("*.timer"))
with_systemd = pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd is not installed")


def values(unit: Path, key: str) -> list[str]:
    return re.findall(rf"^{key}=(.*)$", unit.read_text(), re.M)


def analyze(*words: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["systemd-analyze", *map(str, words)], capture_output=True, text=True, check=False)


@with_systemd
@pytest.mark.parametrize("unit", [*SERVICES, *TIMERS], ids=lambda unit: unit.name)
def test_systemd_has_nothing_to_say(unit: Path, tmp_path: Path) -> None:
    """The program is put where it is here, and the manual page where it is; all else as it stands."""
    text = unit.read_text().replace("/opt/muniment/.venv/bin/muniment", shutil.which("true") or "")
    for each in UNITS.iterdir():
        (tmp_path / each.name).write_text(each.read_text())
    (tmp_path / unit.name).write_text(re.sub(r"^Documentation=.*\n", "", text, flags=re.M))
    done = analyze("verify", "--recursive-errors=no", "--man=no", tmp_path / unit.name)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@with_systemd
@pytest.mark.parametrize("unit", SERVICES, ids=lambda unit: unit.name)
def test_a_service_may_do_little(unit: Path) -> None:
    """Out of 10, where 10 is everything; from 2.0 on systemd itself would call it less than well shut."""
    done = analyze("security", "--offline=true", "--threshold=20", "--no-pager", unit)
    assert done.returncode == 0, done.stdout + done.stderr


@with_systemd
@pytest.mark.parametrize("unit", TIMERS, ids=lambda unit: unit.name)
def test_a_timer_goes_off(unit: Path) -> None:
    assert unit.with_suffix(".service") in SERVICES
    (when,) = values(unit, "OnCalendar")
    done = analyze("calendar", when)
    assert (done.returncode, "Next elapse: " in done.stdout) == (0, True)


@pytest.mark.parametrize("unit", SERVICES, ids=lambda unit: unit.name)
def test_a_service_starts_a_command_that_there_is(unit: Path) -> None:
    (line,) = values(unit, "ExecStart")
    program, *words = shlex.split(line)
    assert program == "/opt/muniment/.venv/bin/muniment"
    assert make_parser().parse_args(words).command in unit.name
    for code in " ".join(values(unit, "SuccessExitStatus")).split():
        assert int(code) in EXIT_CODES


def test_all_services_are_shut_alike() -> None:
    """What one of them may not do, none may."""
    shut = [
        {
            line
            for line in unit.read_text().splitlines()
            if re.match(r"(Protect|Private|Restrict|System|IPAddress)", line)
        }
        for unit in SERVICES
    ]
    assert len(SERVICES) == 3
    assert shut[0] == shut[1] == shut[2]
    assert "ProtectSystem=strict" in shut[0]


def test_cron_starts_what_the_timers_start() -> None:
    text = (ROOT / "deploy" / "cron" / "muniment").read_text()
    lines = [line for line in text.splitlines() if re.match(r"[*\d]", line)]
    started = []
    for line in lines:
        *when, user, command = line.split(None, 6)[:7]
        assert len(when) == 5
        assert all(re.fullmatch(r"[\d*,/-]+", part) for part in when)
        assert user == "muniment"
        assert "%" not in command  # a line break to cron
        started.append(re.split(r" *(?:>|\|\|)", command)[0])
    assert started == [values(unit, "ExecStart")[0].rpartition("/")[2] for unit in SERVICES[:2]]
    # cron reads no last line without an end.
    assert text.endswith("\n")
    for variable in ("MUNIMENT_CONFIG", "MUNIMENT_HOME"):
        (there,) = re.findall(rf"^{variable}=(.*)$", text, re.M)
        assert f"{variable}={there}" in values(SERVICES[0], "Environment")
