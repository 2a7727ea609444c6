"""`make demo`: this repository's own documentation indexed and searched, with the commands as a person types them."""

import shlex
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BIN = Path(sys.executable).parent

SEARCHES = (
    ["search", "is a file that somebody has open moved", "--limit", "1"],
    ["search", "MOVER_STOP_TIMEOUT", "--limit", "2"],
    ["search", "why does a run publish words before vectors", "--kind", "doc", "--limit", "1"],
)

NEXT = """
Now it is your turn:
  . .venv/bin/activate
  muniment index /path/to/your/repository     add one of your own
  muniment search "how do I restore a file"
  muniment status                             what is indexed, and where it is kept
  muniment --help
"""


def main() -> int:
    """Runs the demonstration and returns the first exit code that is not 0."""
    for words in (["index", "."], *SEARCHES):
        print(f"$ muniment {shlex.join(words)}", flush=True)
        code = subprocess.run([BIN / "muniment", *words], cwd=ROOT, check=False).returncode
        if code:
            return code
        print(flush=True)
    print(NEXT.strip("\n"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
