"""A real browser without a window, and a witness of everything that it asks other hosts for."""

from __future__ import annotations

import contextlib
import re
import shutil
import socketserver
import subprocess
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
_ITS_OWN = re.compile(r"(^|\.)(google|googleapis|gstatic|gvt1|googleusercontent)\.com$")
"""What a browser asks for whatever it shows."""


def browser() -> str:
    """The path of a browser; skips the test where there is none."""
    found = next((path for name in NAMES if (path := shutil.which(name))), None)
    if found is None:
        pytest.skip("no browser here: install the package chromium")
    return found


@dataclass(slots=True)
class Opened:
    """What became of a page."""

    dom: str
    """The document after it was loaded and its scripts, if any ran, had run."""
    asked: set[str] = field(default_factory=set)
    """Hosts that it wanted something from."""

    @property
    def title(self) -> str:
        """What stands in the title bar."""
        found = re.search(r"<title>(.*?)</title>", self.dom, re.DOTALL)
        return found[1] if found else ""


def open_page(page: Path | str, profile: Path) -> Opened:
    """Opens a file, or an address of this machine, as a person would.

    Every request to another host goes to a witness, which refuses it.
    """
    with _witness() as (port, asked):
        done = subprocess.run(
            [
                browser(),
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--disable-background-networking",
                "--disable-component-update",
                "--no-first-run",
                f"--user-data-dir={profile}",
                f"--proxy-server=127.0.0.1:{port}",
                "--virtual-time-budget=5000",
                "--dump-dom",
                page if isinstance(page, str) else page.as_uri(),
            ],
            capture_output=True,
            text=True,
            timeout=120,
            check=True,
        )
    return Opened(done.stdout, {host for host in asked if not _ITS_OWN.search(host)})


@contextlib.contextmanager
def _witness() -> Iterator[tuple[int, set[str]]]:
    """A proxy that notes the host of every request and answers none."""
    asked: set[str] = set()

    class Note(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            # `CONNECT host:port HTTP/1.1`, or `GET http://host/path HTTP/1.1`.
            words = self.rfile.readline(10_000).decode("latin-1").split()
            if len(words) > 1:
                asked.add(words[1].removeprefix("http://").partition("/")[0].partition(":")[0])
            with contextlib.suppress(OSError):
                self.wfile.write(b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Note) as server:
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield server.server_address[1], asked
        finally:
            server.shutdown()
            thread.join()
