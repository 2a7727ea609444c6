"""`make bench REPO=...`: what indexing and searching a repository costs, beside the bare model and git itself."""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

BIN = Path(sys.executable).parent
BARE_TEXTS = 300


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table."""

    what: str
    value: str
    beside: str = ""


def main() -> int:
    """Measures and prints a Markdown table."""
    parser = argparse.ArgumentParser(prog="make bench", description=__doc__)
    parser.add_argument("repo", type=Path, help="a git repository; it is cloned, and never written to")
    parser.add_argument("--edits", type=int, default=30, help="runs of one changed file (default: 30)")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        repo, home = Path(scratch) / args.repo.resolve().parent.name, Path(scratch) / "home"
        subprocess.run(["git", "clone", "-q", args.repo, repo], check=True)
        os.environ["MUNIMENT_HOME"] = str(home)
        rows = [
            *measure_index(repo, home),
            *measure_noop(repo),
            *measure_search(repo, home),
            *measure_edits(repo, home, args.edits),
        ]
    print(f"{repo.name}, {datetime.now(UTC):%Y-%m-%d}, {platform.machine()}, {os.cpu_count()} cores\n")
    print("| what | measured | beside it |\n| --- | --- | --- |")
    for row in rows:
        print(f"| {row.what} | {row.value} | {row.beside} |")
    return 0


def measure_index(repo: Path, home: Path) -> list[Row]:
    """A first index with vectors in a process of its own, and the bare model on the same texts."""
    began = time.perf_counter()
    pid = os.posix_spawn(
        BIN / "muniment", ["muniment", "index", str(repo), "--json"], os.environ, file_actions=_to_null()
    )
    _, status, usage = os.wait4(pid, 0)
    wall = time.perf_counter() - began
    report = json.loads(next((home / "runs").glob("*/run.json")).read_text())
    if status or report["pending"]:
        raise SystemExit("the index run failed")
    (source,) = report["sources"]
    seconds = report["seconds"]
    flow = sum(seconds.values())
    own = report["embedded"] / seconds["embed"]
    bare = bare_model(_texts(home))
    return [
        Row("tracked files", str(source["files"]), f"{source['indexed']} documents"),
        Row("chunks", str(report["chunks"]), f"{report['embedded']} different texts"),
        Row("first index, whole process", f"{wall:.1f} s", f"{flow:.1f} s in the flow"),
        *(
            Row(f"stage {stage}", f"{spent:.2f} s", f"{spent / flow:.0%} of the flow")
            for stage, spent in seconds.items()
        ),
        Row("embedding's throughput", f"{own:.1f} texts/s", f"bare model {bare:.1f} texts/s: {own / bare:.0%}"),
        Row("peak memory", f"{usage.ru_maxrss / 1024:.0f} MB"),
        Row("disk", f"{size(home / 'index') / 1e6:.1f} MB"),
    ]


def bare_model(texts: list[str]) -> float:
    """Texts a second of the model alone, as its authors' own measurements run it: two threads, batches of two."""
    import numpy as np

    os.environ["ORT_DISABLE_TELEMETRY"] = "1"  # as in muniment/embedders/bundled.py
    import onnxruntime
    from tokenizers import Tokenizer

    from muniment.embedders.weights import TOKENIZER, WEIGHTS

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = os.cpu_count() or 1
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.enable_cpu_mem_arena = False
    session = onnxruntime.InferenceSession(str(WEIGHTS.find()), options, ["CPUExecutionProvider"])
    tokenizer = Tokenizer.from_file(str(TOKENIZER.find()))
    tokenizer.no_padding()
    tokenizer.enable_truncation(256)
    texts = sorted(texts, key=len)[:: max(1, len(texts) // BARE_TEXTS)]
    began = time.perf_counter()
    for start in range(0, len(texts), 2):
        ids = [tokenizer.encode(text).ids for text in texts[start : start + 2]]
        tokens = np.zeros((len(ids), max(map(len, ids))), np.int64)
        mask = np.zeros_like(tokens)
        for row, each in enumerate(ids):
            tokens[row, : len(each)], mask[row, : len(each)] = each, 1
        session.run(None, {"input_ids": tokens, "attention_mask": mask, "token_type_ids": np.zeros_like(tokens)})
    return len(texts) / (time.perf_counter() - began)


def measure_noop(repo: Path) -> list[Row]:
    """A run with nothing to do, whole process, beside `git status`."""
    noop = median_ms(lambda: subprocess.run([BIN / "muniment", "index", repo], check=True, stdout=subprocess.DEVNULL))
    status = median_ms(
        lambda: subprocess.run(["git", "-C", repo, "status", "-s"], check=True, stdout=subprocess.DEVNULL)
    )
    return [
        Row(
            "no-op `muniment index`, whole process",
            f"{noop:.0f} ms",
            f"`git status` {status:.0f} ms: {noop / status:.1f}x",
        )
    ]


def measure_search(repo: Path, home: Path) -> list[Row]:
    """Searches in process, then a cold one beside `git grep` for the same word."""
    from muniment.embedders import EmbedderChoice, make_embedder
    from muniment.ranking.fuse import Mode
    from muniment.search import Question, search
    from muniment.store.reader import open_reader

    embedder = make_embedder(EmbedderChoice())
    rows = []
    with open_reader(home / "index") as reader:
        titles = sorted({row["title"] or row["text"][:60] for row in reader.chunks(["title", "text"]).to_pylist()})
        questions = titles[:: max(1, len(titles) // 60)]
        modes: tuple[Mode, ...] = ("lexical", "hybrid")
        for mode in modes:
            for _ in range(3):  # from the second search on, a process keeps a small index in memory
                search(reader, Question("warm up", mode=mode), embedder)
            took = sorted(_ms(partial(search, reader, Question(words, mode=mode), embedder)) for words in questions)
            p95 = took[int(0.95 * len(took))]
            rows.append(Row(f"search in process, {mode}", f"p50 {statistics.median(took):.1f} ms", f"p95 {p95:.1f} ms"))
    cold = median_ms(
        lambda: subprocess.run([BIN / "muniment", "search", "backup"], check=True, stdout=subprocess.DEVNULL), 5
    )
    grep = ("git", "-C", str(repo), "grep", "-n", "-i", "backup")
    grepped = median_ms(lambda: subprocess.run(grep, check=False, stdout=subprocess.DEVNULL))
    return [*rows, Row("cold `muniment search`, whole process", f"{cold:.0f} ms", f"`git grep` {grepped:.0f} ms")]


def measure_edits(repo: Path, home: Path, edits: int) -> list[Row]:
    """One file changed and committed again and again: time of a run in process, and what stays on disk."""
    from flows.index import index
    from flows.job import make_job
    from muniment.home import find_config
    from muniment.runner import Direct
    from muniment.settings import load_settings

    config = find_config(None, {})
    target = repo / "MUNIMENT-BENCH.md"
    before, took = size(home / "index"), []
    for number in range(edits + 1):
        target.write_text(f"# Bench\n\nThis is edit number {number}.\n")
        _git(repo, "add", "-A")
        _git(repo, "commit", "-qm", f"edit {number}")
        job = make_job(load_settings(config), config, home, os.environ, paths=[str(repo)])
        took.append(_ms(partial(index, job, Direct())) / 1000)
    after = size(home / "index")
    return [
        Row(
            "one edited file, in process",
            f"{statistics.median(took[1:]):.2f} s",
            f"of {edits} runs; slowest {max(took[1:]):.2f} s",
        ),
        Row(
            f"disk after {edits} runs of one changed file", f"{after / 1e6:.1f} MB", f"{after / before:.2f}x the first"
        ),
    ]


def size(folder: Path) -> int:
    """Bytes of all files below a folder."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def median_ms(call: Callable[[], Any], times: int = 15) -> float:
    """Median wall time of a call."""
    call()
    return statistics.median(_ms(call) for _ in range(times))


def _ms(call: Callable[[], Any]) -> float:
    began = time.perf_counter()
    call()
    return (time.perf_counter() - began) * 1000


def _texts(home: Path) -> list[str]:
    from muniment.store.reader import open_reader
    from tasks.embed import embedded_text

    with open_reader(home / "index") as reader:
        rows = reader.chunks(["context", "text"]).to_pylist()
    return [embedded_text(row["context"], row["text"]) for row in rows]


def _git(repo: Path, *words: str) -> None:
    own = ["-c", "user.name=bench", "-c", "user.email=bench@example.com"]
    subprocess.run(["git", "-C", repo, *own, *words], check=True)


def _to_null() -> list[tuple[int, int, str, int, int]]:
    return [(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0o644)]


if __name__ == "__main__":
    if not shutil.which("git"):
        raise SystemExit("git is not installed")
    sys.exit(main())
