"""What comes out of each splitter, for a person to read: `goldens/NAME` is cut into `goldens/NAME.chunks`.

After a change that is meant, `UPDATE_GOLDENS=1 pytest tests/tasks/chunk/test_goldens.py` writes them anew.
"""

import os
from pathlib import Path

import pytest

from schemas.chunks import Piece
from tasks.chunk import document_title, split
from tests.tasks.chunk.documents import document

GOLDENS = Path(__file__).parent / "goldens"
INPUTS = sorted(path.name for path in GOLDENS.iterdir() if path.suffix != ".chunks")


def readable(piece: Piece) -> str:
    path = " > ".join(piece.heading_path)
    text = "\n".join(f"    {line}".rstrip() for line in piece.text.split("\n"))
    return f"lines {piece.line_start}-{piece.line_end} | {piece.section} | {piece.title} | {path}\n{text}\n"


@pytest.mark.parametrize("name", INPUTS)
def test_a_file_is_cut_as_its_golden_shows(name: str) -> None:
    given = document(name, (GOLDENS / name).read_text(encoding="utf-8"))
    pieces = split(given)
    shown = f"title: {document_title(given, pieces)}\n\n" + "\n".join(map(readable, pieces))
    golden = GOLDENS / f"{name}.chunks"
    if os.environ.get("UPDATE_GOLDENS"):
        golden.write_text(shown, encoding="utf-8")
    assert shown == golden.read_text(encoding="utf-8")


def test_fourteen_named_paragraphs_make_fourteen_pieces() -> None:
    pieces = split(document("carillon.sh", (GOLDENS / "carillon.sh").read_text(encoding="utf-8")))
    titles = [piece.title for piece in pieces if piece.heading_path[:1] == ("OPERATIONAL SAFEGUARDS",)]
    assert titles[0] == "OPERATIONAL SAFEGUARDS"
    assert titles[1:] == [
        "Night silence",
        "Frost limit",
        "Storm latch",
        "Warm-up",
        "Double-strike guard",
        "Ringers inside",
        "Tune length",
        "Clock doubt",
        "Missed hours",
        "Wedding override",
        "Motor heat",
        "Rope check",
        "Manual stop",
        "Stroke log",
    ]
