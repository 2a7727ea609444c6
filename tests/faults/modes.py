"""Who a process is, for tests of what it may not write."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest


def obeying_modes() -> list[str]:
    """What goes before a command so that a folder's mode counts also for root, who may write everywhere."""
    if os.geteuid():
        return []
    if not shutil.which("setpriv"):
        pytest.skip("root writes everywhere, and setpriv is not installed")
    return ["setpriv", "--bounding-set=-dac_override,-dac_read_search", "--inh-caps=-all"]


def make_read_only(folder: Path) -> None:
    """Takes the write mode off a folder and all that is in it."""
    for path in (folder, *folder.rglob("*")):
        path.chmod(path.stat().st_mode & ~0o222)
