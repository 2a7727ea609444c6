"""What a search costs over HTTP: `python -m benchmarks.http HOME` starts a server and asks it again and again."""

from __future__ import annotations

import argparse
import re
import statistics
import subprocess
import sys
import time
from pathlib import Path

import httpx

QUESTIONS = (
    "how is a backup restored",
    "what stops the mover",
    "which variable sets the retention",
    "what is the array",
    "does it take --dry-run",
    "rate limit",
    "why is the cache flushed at night",
    "how often are disks checked",
)


def main() -> int:
    """Measures and prints one line a mode."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.http", description=__doc__)
    parser.add_argument("home", type=Path, help="a home with an index")
    parser.add_argument("--requests", type=int, default=400, help="of each mode (default: 400)")
    args = parser.parse_args()
    server = subprocess.Popen(
        [sys.executable, "-m", "muniment", "serve", "--port", "0", "--home", args.home],
        stderr=subprocess.PIPE,
        text=True,
    )
    assert server.stderr
    try:
        found = re.search(r"http://\S+", server.stderr.readline())
        assert found
        with httpx.Client(base_url=found.group(), trust_env=False, timeout=60) as client:
            print(f"{client.get('/api/index/status').json()['sources']}")
            for mode in ("lexical", "hybrid"):
                print(_line(mode, sorted(_times(client, mode, args.requests))))
    finally:
        server.terminate()
        server.wait()
        server.stderr.close()
    return 0


def _times(client: httpx.Client, mode: str, count: int) -> list[float]:
    """Milliseconds of each request, over one connection, after a few that warm up."""
    times = []
    for number in range(-len(QUESTIONS), count):
        began = time.perf_counter()
        answer = client.get("/api/search", params={"q": QUESTIONS[number % len(QUESTIONS)], "mode": mode})
        answer.raise_for_status()
        if number >= 0:
            times.append((time.perf_counter() - began) * 1000)
    return times


def _line(mode: str, times: list[float]) -> str:
    return f"{mode}: p50 {statistics.median(times):.1f} ms, p95 {times[int(0.95 * len(times))]:.1f} ms"


if __name__ == "__main__":
    sys.exit(main())
