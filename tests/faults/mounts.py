"""Real file systems with a fault, mounted for a test: tiny, read-only, without hard links."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

MIB = 2**20
_FAT = (("mkfs.vfat", ("mount", "-t", "vfat")), ("mkfs.exfat", ("mount", "-t", "exfat")), ("mkfs.exfat", None))
"""What makes a file system without hard links, and what mounts it: the kernel, or exFAT's own program."""


@contextmanager
def tmpfs(folder: Path, size: str) -> Iterator[Path]:
    """A file system in memory of this size."""
    folder.mkdir(exist_ok=True)
    _mount("mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", folder)
    try:
        yield folder
    finally:
        _unmount(folder)


@contextmanager
def read_only(folder: Path, seen_at: Path) -> Iterator[Path]:
    """The folder, where nobody can write to it."""
    seen_at.mkdir(exist_ok=True)
    _mount("mount", "--bind", "-o", "ro", folder, seen_at)
    try:
        yield seen_at
    finally:
        _unmount(seen_at)


@contextmanager
def without_links(folder: Path) -> Iterator[Path]:
    """A FAT or exFAT file system; skips where none can be made or mounted."""
    folder.mkdir()
    image = folder.with_name("stick.img")
    with ExitStack() as undo:
        for make, mount in _FAT:
            if not shutil.which(make):
                continue
            with image.open("wb") as file:
                file.truncate(64 * MIB)
            subprocess.run([make, image], check=True, capture_output=True)
            if _mounted_image(image, folder, mount, undo):
                undo.callback(_unmount, folder)
                yield folder
                return
        pytest.skip("no FAT or exFAT can be made and mounted here")


def _mounted_image(image: Path, folder: Path, mount: tuple[str, ...] | None, undo: ExitStack) -> bool:
    loop = subprocess.run(["losetup", "--show", "-f", image], capture_output=True, text=True, check=False)
    if loop.returncode:
        pytest.skip("this user may not make a loop device")
    device = loop.stdout.strip()
    program = mount or (shutil.which("mount.exfat-fuse") or "false",)
    if subprocess.run([*program, device, folder], capture_output=True, check=False).returncode:
        subprocess.run(["losetup", "-d", device], check=True)
        return False
    undo.callback(subprocess.run, ["losetup", "-d", device], check=True)
    return True


def _mount(*words: str | Path) -> None:
    if subprocess.run(words, capture_output=True, check=False).returncode:
        pytest.skip("this user may not mount")


def _unmount(folder: Path) -> None:
    # Lazily: a file that is still open somewhere should fail that test, and not leave the mount to all others.
    subprocess.run(["umount", "--lazy", folder], check=True)
