"""What `muniment index` costs for repositories of many documents, stage by stage, and how much memory it takes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.made import Made

PARTS = 5
"""Headings of a document, each with a passage of 80 words: about what vaults and manuals have."""
STAGES = ("enumerate", "classify", "chunk", "upsert", "claims", "publish")


class Indexed(NamedTuple):
    """One run over a new repository, words only; seconds by stage, and megabytes."""

    documents: int
    chunks: int
    seconds: dict[str, float]
    cpu_s: float
    peak_mb: float
    disk_mb: float
    again_s: float
    """After one document was edited."""
    load: float


def index_repository(place: Path, documents: int) -> Indexed:
    """Makes a repository of so many documents and indexes it twice, in processes of their own."""
    repo, home = place / "repo", place / "home"
    _make(repo, documents)
    report, cpu_s, peak_mb = _index(repo, home)
    _make(repo, 1, edition=2)
    again, _, _ = _index(repo, home)
    disk = sum(path.stat().st_size for path in (home / "index").rglob("*") if path.is_file()) / 1e6
    return Indexed(
        documents,
        report["chunks"],
        report["seconds"],
        cpu_s,
        peak_mb,
        disk,
        sum(again["seconds"].values()),
        os.getloadavg()[0],
    )


def _index(repo: Path, home: Path) -> tuple[dict[str, Any], float, float]:
    """The run's report, its CPU seconds and its peak of memory."""
    command = [
        sys.executable,
        "-m",
        "muniment",
        "index",
        str(repo),
        "--home",
        str(home),
        "--json",
        "--engine",
        "direct",
    ]
    environ = dict(os.environ) | {"MUNIMENT_EMBEDDER__NAME": "none"}
    out = home.with_suffix(".json")
    with out.open("wb") as file:
        running = subprocess.Popen(command, env=environ, stdout=file)
        _, status, used = os.wait4(running.pid, 0)
    running.returncode = os.waitstatus_to_exitcode(status)
    assert running.returncode in (0, 3), running.returncode
    return json.loads(out.read_text()), used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def _make(repo: Path, documents: int, *, edition: int = 1) -> None:
    """Commits the documents through `git fast-import`, which needs no work tree."""
    if not repo.exists():
        subprocess.run(["git", "init", "-q", "-b", "main", str(repo)], check=True)
    made = Made(documents * PARTS)
    with subprocess.Popen(["git", "-C", str(repo), "fast-import", "--quiet"], stdin=subprocess.PIPE) as git:
        assert git.stdin
        parent = b"from refs/heads/main^0\n" if edition > 1 else b""
        git.stdin.write(
            b"commit refs/heads/main\ncommitter t <t@example.com> %d +0000\ndata 1\nx\n%s" % (edition, parent)
        )
        for number in range(documents):
            texts = made.texts(number * PARTS, PARTS, edition)
            body = "".join(f"# Part {part} of {number}\n\n{text}\n\n" for part, text in enumerate(texts)).encode()
            git.stdin.write(b"M 644 inline docs/%03d/%07d.md\ndata %d\n" % (number % 997, number, len(body)))
            git.stdin.write(body + b"\n")
    assert git.returncode == 0


def print_indexed(rows: list[Indexed]) -> None:
    """The table of what the runs cost."""
    print("")
    print(f"| documents | chunks | {' | '.join(f'{stage}, s' for stage in STAGES)} | CPU, s | peak RSS, MB | disk, MB |"
          " one edited document, s | load |")  # fmt: skip
    print("| --- | --- |" + " --- |" * (len(STAGES) + 5))
    for row in rows:
        stages = " | ".join(f"{row.seconds.get(stage, 0.0):.1f}" for stage in STAGES)
        print(
            f"| {row.documents:,} | {row.chunks:,} | {stages} | {row.cpu_s:.0f} | {row.peak_mb:,.0f} |"
            f" {row.disk_mb:,.0f} | {row.again_s:.1f} | {row.load:.1f} |"
        )
