"""Commands in a process of their own with limits that the kernel keeps, and what they needed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

MEGABYTE = 1 << 20
# In a process between the test and the command: what that needed is what its children did, and its limits are theirs.
_RUN = """
import json, resource, subprocess, sys
seconds, *command = sys.argv[1:]
bound = lambda: resource.setrlimit(resource.RLIMIT_CPU, (int(seconds), int(seconds)))
ran = subprocess.run(command, capture_output=True, text=True, preexec_fn=bound)
peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss << 10
print(json.dumps([ran.returncode, ran.stdout, ran.stderr, peak]))
"""


class Bounded(NamedTuple):
    """How a command ended; a negative code is the signal that ended it, and -24 that its CPU was used up."""

    code: int
    out: str
    err: str
    peak: int
    """Bytes that its largest process held at once."""


def bounded(seconds: int, *command: object, cwd: Path | None = None, **environ: str) -> Bounded:
    """Runs `python ...` with at most so many seconds of CPU in each process."""
    line = [sys.executable, "-c", _RUN, str(seconds), sys.executable, *map(str, command)]
    env: Mapping[str, str] = {**os.environ, **environ}
    ran = subprocess.run(line, capture_output=True, text=True, check=True, cwd=cwd, env=env)
    return Bounded(*json.loads(ran.stdout))
