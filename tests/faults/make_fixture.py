"""Writes the small index that later releases have to read, upgrade or refuse: `python -m tests.faults.make_fixture`.

Run once a release, by that release; those of earlier schemas stay as they are.
"""

from __future__ import annotations

import os
import sys
import tarfile
import tempfile
from pathlib import Path

FOLDER = Path(__file__).parent / "fixtures"
NOWHERE = "/nowhere/lighthouse"
"""The source's path in the index: what is there on no machine can't be indexed by mistake."""
DOCUMENTS = {
    "README.md": "# Lighthouse\n\nThe lamp turns once in twelve seconds.\n",
    "docs/keeper.md": "# Keeper\n\nThe keeper winds the clock at dusk.\n\n## Oil\n\nDefault: 12\n",
    "bin/lamp.sh": "#!/bin/sh\n#\n# lamp.sh - light the lamp\n#\n# CONFIGURATION\n#\n# LAMP_OIL\n"
    "#   Litres of oil (default: 12).\n#\nLAMP_OIL=${LAMP_OIL:-9}\n",
}


def main() -> int:
    """Makes the index of the current schema and packs it; returns what indexing returned."""
    from muniment.cli import main as muniment
    from muniment.generation import publish, read_current
    from schemas.versions import SCHEMA_VERSION
    from tests.conftest import make_repo

    os.environ["MUNIMENT_EMBEDDER__NAME"] = "none"
    with tempfile.TemporaryDirectory() as made:
        repo, home = make_repo(Path(made) / "lighthouse", DOCUMENTS), Path(made) / "home"
        if code := muniment(["index", str(repo), "--home", str(home)]):
            return code
        index = home / "index"
        generation = read_current(index)
        assert generation
        sources = {name: state._replace(path=NOWHERE) for name, state in generation.sources.items()}
        publish(index, generation._replace(sources=sources))
        FOLDER.mkdir(exist_ok=True)
        with tarfile.open(FOLDER / f"schema-{SCHEMA_VERSION}.tar.gz", "w:gz") as packed:
            packed.add(index, "index", filter=_nobody_s)
    return 0


def _nobody_s(entry: tarfile.TarInfo) -> tarfile.TarInfo:
    entry.uid = entry.gid = 0
    entry.uname = entry.gname = ""
    entry.mtime = 0
    return entry


if __name__ == "__main__":
    sys.exit(main())
