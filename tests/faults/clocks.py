"""A clock that is wrong for a whole process: Python, LanceDB and git alike ask the same library for the time."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest


def clock_off_by(days: int) -> dict[str, str]:
    """The environment of a process whose clock is so many days ahead, or back where they are negative."""
    spec = find_spec("libfaketime")
    if spec is None or spec.origin is None:
        pytest.skip("libfaketime is not installed")
    libraries = sorted(Path(spec.origin).parent.rglob("libfaketime.so*"))
    if not libraries:
        pytest.skip("libfaketime has no library for this platform")
    # Timeouts go by the monotonic clock, which no wrong date moves.
    return {"LD_PRELOAD": str(libraries[0]), "FAKETIME": f"{days:+d}d", "FAKETIME_DONT_FAKE_MONOTONIC": "1"}
