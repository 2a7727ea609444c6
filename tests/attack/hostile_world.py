"""A repository, a vault and an archive whose every name and text would do something where it is shown."""

from __future__ import annotations

import json
import re
from pathlib import Path

from tests.conftest import make_repo, write

ESCAPES = (
    "\x1b]8;;https://evil.example/\x07here\x1b]8;;\x07\x1b]52;c;aGk=\x07\x1b[31m\x1b[2J\x9b31m\x9d0;taken\x9c\x08\x7f"
)
UNSEEN = "\u202eoh\u202c\u2066in\u2069\u200b\u200f\u2028\u2029\ufeff\u061c\U000e0041\U000e0042"
TAGS = "<script>alert(1)</script><img src=//evil.example onerror=alert(1)><svg onload=alert(1)>"
LINKS = "[press](javascript:alert(1)) ![see](https://evil.example/i.png) <https://evil.example> @everybody"
FORGED = "FORGED"
LINES = f"\n{FORGED}\n::error::{FORGED}\r{FORGED}\u0085{FORGED}"
"""What looks like lines of ours where a name is printed as it stands."""

NASTY = f"{ESCAPES}{UNSEEN}{TAGS}{LINKS}"
IN_LINE = NASTY.replace("\u2028", "").replace("\u2029", "")
NAME = f"a\x1b]52;c;aGk=\x07\x1b[31m\x9b1m\u202e\u200b{LINES}<img src=x onerror=alert(1)>[l](javascript:alert(1))|`"
"""As much as a file's name can hold: no `/`, and 255 bytes."""
SOURCE = "ops\u202e\u200b\x9b31m<img src=x onerror=alert(1)>[l](javascript:alert(1))"

VALUE = "\x1b[31m\x9b1m\u202e[l](javascript:alert(1))@everybody"
"""What a claim and a truth take for a value, so that it gets into every finding."""

LIVE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff\U000e0000-\U000e007f]"
)
"""What a terminal obeys, or what hides or turns text around."""


def repository(place: Path) -> Path:
    """Documents and truths that disagree, so that every report has something to say of them."""
    return make_repo(
        place,
        {
            f"{NAME}.md": f"# Kestrel {IN_LINE}\n\nThe kestrel job {NASTY} copies the archive.\n\n"
            f"- `HTTP_PORT` (default: `{VALUE}80`): where\n- `WORKER_COUNT` (default: `4`): how many {IN_LINE}\n\n"
            f"See [{IN_LINE}](gone{IN_LINE.replace(')', '').replace(' ', '')}.md), and `--nothing{ESCAPES}`.\n",
            f"conf/{NAME}.conf.template": f"# Where {IN_LINE}\nHTTP_PORT={VALUE}81\n\n# How many.\nWORKER_COUNT=5\n",
            "bin/kestrel.sh": f"#!/bin/sh\n# kestrel.sh - {IN_LINE}\n#\n# USAGE {IN_LINE}\n#   kestrel.sh --port N\n\n",
            f"big {NAME[:60]}.md": "x" * 600_000,
            f"raw {NAME[:60]}.md": b"\x00\x01" + NASTY.encode(),
            "muniment.toml": f'[index]\n"max\\u001b[31m\\u202eodd" = 1\n["x\\u009b{FORGED}"]\ny = 1\n',
        },
    )


def vault(place: Path) -> Path:
    """Notes whose types, namespaces and titles are hostile; one has front matter that can't be read."""
    said = json.dumps(IN_LINE)
    front = f"---\ntype: {said}\nmission: {said}\ntitle: {said}\n---\n"
    write(
        place,
        {
            f"{NAME}.md": f"{front}# Heron {IN_LINE}\n\nThe heron {NASTY}\n",
            f"{NAME} broken.md": f"---\ntype: [{said}\nx: {{\n---\nThe broken heron {NASTY}\n",
            "left.md": f"---\ntype: {json.dumps('LOG' + IN_LINE)}\n---\nLeft out.\n",
        },
    )
    return place


def archive(place: Path) -> Path:
    """A bill with a hostile sidecar, and one that says nonsense about itself."""
    bill = f"Invoice {IN_LINE}\n\nWater works {NASTY}\n\nDate: 2025-11-03\nTotal due: EUR 61.20\n"
    sidecar = {"title": NASTY, "correspondent": NASTY, "tags": [NASTY], "date": f"2025-11-03{ESCAPES}"}
    files: dict[str, str | bytes] = {f"{NAME}.txt": bill, f"{NAME}.txt.json": json.dumps(sidecar)}
    front = f"---\ntitle: {json.dumps(NASTY)}\nsensitivity: {json.dumps(IN_LINE)}\ndate: {json.dumps(IN_LINE)}\n---\n"
    files["doubt.md"] = front + bill
    write(place, files)
    return place


def settings_of(place: Path) -> Path:
    """A settings file that names all three."""
    kinds = {"git": repository(place / "repo"), "vault": vault(place / "vault"), "archive": archive(place / "papers")}
    tables = [
        f"[[sources]]\nname = {json.dumps(kind + SOURCE)}\nkind = '{kind}'\npath = {json.dumps(str(path))}\n"
        for kind, path in kinds.items()
    ]
    text = '[embedder]\nname = "none"\n[vault]\ntypes = ["*"]\n' + "".join(tables)
    (place / "muniment.toml").write_text(text, encoding="utf-8")
    return place / "muniment.toml"
