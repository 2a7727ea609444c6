"""`make fuzz`: each target for some seconds, guided by which lines it reaches; what breaks one is kept and named.

Needs the extra `fuzz`. Says how many inputs were tried; exits with 1 where something was found.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

from benchmarks.fuzz.targets import TARGETS
from tests.conftest import SAMPLE

FOLDER = Path("data/fuzz")
"""What earlier runs found worth keeping, and what broke something; not tracked."""


def main() -> int:
    """Fuzzes the targets that are named, else all, one after the other."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.fuzz", description=__doc__)
    parser.add_argument("target", nargs="*", choices=[[], *TARGETS], help="default: all")
    parser.add_argument("--seconds", type=int, default=60, help="for each target (default: 60)")
    args = parser.parse_args()
    if find_spec("atheris") is None:
        print("error: fuzzing needs 'atheris', which is not installed", file=sys.stderr)
        print("hint: install the extra: muniment[fuzz] (Linux only)", file=sys.stderr)
        return 2
    return max([_fuzz(name, args.seconds) for name in args.target or TARGETS])


def _fuzz(name: str, seconds: int) -> int:
    corpus, broken = FOLDER / name, FOLDER / f"{name}-broken-"
    corpus.mkdir(parents=True, exist_ok=True)
    _seed(corpus)
    limits = [f"-max_total_time={seconds}", "-max_len=8192", "-timeout=30", "-rss_limit_mb=2048"]
    command = [sys.executable, "-m", "benchmarks.fuzz.run", name, str(corpus), f"-artifact_prefix={broken}", *limits]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    tried = re.findall(r"Done (\d+) runs|^#(\d+)", ran.stderr, re.MULTILINE)
    count = int("".join(tried[-1])) if tried else 0
    print(f"{name}: {count:,} inputs in {seconds} s: {'nothing found' if not ran.returncode else 'FOUND'}", flush=True)
    if ran.returncode:
        said = [line for line in ran.stderr.splitlines() if not line.startswith(("INFO:", "#"))]
        print("\n".join(said[-40:]), file=sys.stderr)
    return int(bool(ran.returncode))


def _seed(corpus: Path) -> None:
    """The sample's files, behind each first byte that chooses another format."""
    for number, path in enumerate(sorted(path for path in SAMPLE.rglob("*") if path.is_file())):
        for form in range(0, 18, 3):
            (corpus / f"seed-{number}-{form}").write_bytes(bytes([form]) + path.read_bytes()[:4_000])


if __name__ == "__main__":
    sys.exit(main())
