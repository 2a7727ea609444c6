"""`make demo`: this repository indexed, searched, asked and doubted, with the commands as a person types them."""

import shlex
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BIN = Path(sys.executable).parent

COMMANDS = (
    ["search", "is a file that somebody has open moved", "--limit", "1"],
    # Of the sample alone: the README, which shows this very question, would answer it too.
    ["ask", "which variable controls the mover's grace window and what is its default", "--path", "data/sample/"],
    ["drift", "data/sample/ops", "--only", "scripts", "man"],
    ["search", "why does a run publish words before vectors", "--kind", "doc", "--limit", "1"],
)

NEXT = """
Now it is your turn:
  . .venv/bin/activate
  muniment index /path/to/your/repository     add one of your own
  muniment search "how do I restore a file"
  muniment drift /path/to/your/repository     which of its sentences are no longer true
  muniment status                             what is indexed, and where it is kept
  muniment --help
"""


def main() -> int:
    """Runs the demonstration and returns the first exit code that is not 0."""
    for words in (["index", "."], *COMMANDS):
        print(f"$ muniment {' '.join(map(_typed, words))}", flush=True)
        code = subprocess.run([BIN / "muniment", *words], cwd=ROOT, check=False).returncode
        if code:
            return code
        print(flush=True)
    print(NEXT.strip("\n"))
    return 0


def _typed(word: str) -> str:
    """The word as a person would quote it; in none of ours does anything mean something between double quotes."""
    return f'"{word}"' if "'" in word else shlex.quote(word)


if __name__ == "__main__":
    sys.exit(main())
