"""A whole cycle contacts nobody: seen by the kernel, not by us."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT

STRACE = shutil.which("strace")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(STRACE is None, reason="strace is not installed: nobody saw who was contacted"),
]
_CALL = re.compile(r"(?:connect|sendto|sendmsg|sendmmsg)\(.*?sa_family=(AF_\w+)(?:, ([^}]*))?")
_HERE = re.compile(r"inet_addr\(\"127\.\d+\.\d+\.\d+\"\)|inet_pton\(AF_INET6, \"(?:::1|::ffff:127\.\d+\.\d+\.\d+)\"")
_DNS = "htons(53)"
CYCLE = (
    ("index", "REPO"),
    ("search", "how many nights are snapshots kept", "--json"),
    ("ask", "How many nights are snapshots kept?", "--model", "none"),
    ("drift", "REPO", "--worktree"),
    ("effectiveness",),
    ("quality", "--docs"),
    ("nightly",),
    ("status",),
    ("doctor",),
)
OPTED_OUT = (
    *("DO_NOT_TRACK", "GX_ANALYTICS_ENABLED", "PREFECT_SERVER_ANALYTICS_ENABLED", "HF_HUB_OFFLINE", "CI"),
    "ORT_DISABLE_TELEMETRY",
)
"""What somebody's environment may say, and must not have to."""


def contacted(place: Path, *command: object, **environ: str) -> tuple[list[str], int]:
    """Calls that reach for another machine, or for a name server anywhere, and how the command ended."""
    assert STRACE
    trace = place / "trace"
    line = [STRACE, "-f", "-qq", "-e", "trace=connect,sendto,sendmsg,sendmmsg", "-e", "signal=none", "-o", str(trace)]
    own = {name: value for name, value in os.environ.items() if name not in OPTED_OUT}
    ran = subprocess.run(
        [*line, *map(str, command)], capture_output=True, text=True, check=False, cwd=place, env={**own, **environ}
    )
    return [one for one in trace.read_text(errors="replace").splitlines() if leaves(one)], ran.returncode


def leaves(call: str) -> bool:
    """Whether a call of the trace is to somewhere else than this machine."""
    found = _CALL.search(call)
    if not found or found[1] in ("AF_UNIX", "AF_NETLINK", "AF_UNSPEC"):
        return False
    return _DNS in call or not _HERE.search(found[2] or "")


@pytest.mark.parametrize(
    ("call", "away"),
    [
        ('1 connect(3, {sa_family=AF_UNIX, sun_path="/run/x"}, 110) = 0', False),
        ('1 connect(3, {sa_family=AF_INET, sin_port=htons(80), sin_addr=inet_addr("127.0.0.1")}, 16) = 0', False),
        ('1 connect(3, {sa_family=AF_INET, sin_port=htons(53), sin_addr=inet_addr("127.0.0.53")}, 16) = 0', True),
        ('1 connect(3, {sa_family=AF_INET, sin_port=htons(80), sin_addr=inet_addr("192.0.2.1")}, 16) = 0', True),
        ('1 sendto(3, "x", 1, 0, {sa_family=AF_INET, sin_port=htons(9), sin_addr=inet_addr("10.0.0.1")}, 1) = 1', True),
        (
            "1 connect(3, {sa_family=AF_INET6, sin6_port=htons(80), sin6_flowinfo=htonl(0), "
            'inet_pton(AF_INET6, "::1", &sin6_addr), sin6_scope_id=0}, 28) = 0',
            False,
        ),
        (
            "1 connect(3, {sa_family=AF_INET6, sin6_port=htons(80), sin6_flowinfo=htonl(0), "
            'inet_pton(AF_INET6, "2001:db8::1", &sin6_addr), sin6_scope_id=0}, 28) = 0',
            True,
        ),
        ('1 sendto(3, "x", 1, MSG_NOSIGNAL, NULL, 0) = 1', False),
    ],
)
def test_a_line_of_the_trace_is_understood(call: str, away: bool) -> None:
    assert leaves(call) is away


def test_a_program_that_calls_home_is_seen(tmp_path: Path) -> None:
    code = "import socket; s = socket.socket(); s.setblocking(False); s.connect_ex(('192.0.2.1', 9))"
    calls, _ = contacted(tmp_path, sys.executable, "-c", code)
    assert len(calls) == 1
    assert "192.0.2.1" in calls[0]


def test_the_engine_of_the_model_is_silent(tmp_path: Path, words_only: None) -> None:
    """Its builds report to their makers from the moment they are loaded, unless the environment says no before."""
    load = "from muniment.embedders import EmbedderChoice, make_embedder; "
    embed = f"{load}e = make_embedder(EmbedderChoice()); e.embed(['the heron'] * 9, 'document')"
    # Its uploader is a thread that a process which ends at once takes with it.
    wait = "import threading; threading.Event().wait(3)"
    calls, ended = contacted(tmp_path, sys.executable, "-c", f"{embed}; {wait}", PYTHONPATH=str(ROOT))
    assert (calls, ended) == ([], 0)


def test_a_whole_cycle_stays_on_this_machine(tmp_path: Path, sample: Path) -> None:
    """With the bundled model, so that everything is loaded that could want to be fetched, and nothing switched off."""
    cache = tmp_path / "cache"
    cache.mkdir()
    for words in CYCLE:
        named = [str(sample) if word == "REPO" else word for word in words]
        own = {"XDG_CACHE_HOME": str(cache), "HOME": str(cache)}
        calls, code = contacted(tmp_path, sys.executable, "-m", "muniment", *named, **own)
        assert calls == []
        assert code in (0, 1, 3), words
    assert (tmp_path / "home" / "reports").is_dir()
    # Of a library that reports, an id of this machine would be there.
    assert {path.name for path in cache.rglob("*") if "icrosoft" in str(path) or "telemetry" in str(path)} == set()
