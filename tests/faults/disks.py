"""Disks with hardly any room left."""

from __future__ import annotations

from pathlib import Path


def fill(disk: Path, *, but: int) -> Path:
    """Fills the disk up to so many bytes."""
    filler = disk / "filler"
    page = 4096
    with filler.open("wb", buffering=0) as file:
        try:
            while file.write(b"\0" * page):
                pass
        except OSError:
            file.truncate(max(0, file.tell() - but))
    return filler
