"""`python -m muniment`, safe to start inside somebody else's repository."""

import sys
from pathlib import Path

# `-m` puts the current folder first on the path; a `tasks/` that lies there must never run as ours.
_here = str(Path.cwd())
if _here != str(Path(__file__).resolve().parent.parent):
    sys.path[:] = [entry for entry in sys.path if entry not in ("", _here)]

from muniment.cli import main  # noqa: E402 - only after the path is clean

sys.exit(main())
