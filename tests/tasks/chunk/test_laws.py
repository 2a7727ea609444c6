"""What holds for every splitter and any text."""

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from schemas.chunks import Document, Piece
from tasks.chunk import SPLITTERS, documentation_lines, format_of, slice_text, split
from tests.tasks.chunk.documents import document

PATHS = {
    "bell.sh": "header",
    "bell.php": "header",
    "bell.py": "header",
    "bell.pl": "header",
    "bell.rb": "header",
    "bell.lua": "header",
    "bell.ps1": "header",
    "bell.conf": "template",
    "values.yaml": "template",
    "bell.md": "doc",
    "bell.rst": "doc",
    "bell.adoc": "doc",
    "bell.txt": "doc",
    "bell.8": "manual",
    "bell.markdown": "note",
    "bell.pdf": "record",
    "bell.html": "record",
}

# What the splitters look for, to be put together as nobody would write it.
WRITTEN = (Path(__file__).parent / "lines.txt").read_text(encoding="utf-8").split("\n")
LINES = st.sampled_from([*WRITTEN, " \t ", "\f", "\u2028", "\x1c", "\r", "\0"])
TEXTS = st.lists(LINES | st.text(max_size=12), max_size=40).map("\n".join)


def kept_lines(pieces: list[Piece]) -> Counter[int]:
    return Counter(number for piece in pieces for number in range(piece.line_start, piece.line_end + 1))


def check_laws(given: Document) -> None:
    pieces = split(given)
    kept = kept_lines(pieces)
    assert all(kept[number] == 1 for number in documentation_lines(given))
    assert not kept or max(kept.values()) == 1
    assert list(kept) == sorted(kept)
    assert set(kept) <= set(range(1, given.text.count("\n") + 2))
    for piece in pieces:
        lines = piece.text.split("\n")
        assert piece.text == slice_text(given, piece.line_start, piece.line_end)
        assert len(lines) == piece.line_end - piece.line_start + 1
        assert lines[0].strip()
        assert lines[-1].strip()
        assert piece.title == (piece.heading_path[-1] if piece.heading_path else "")
        assert all(piece.line_start < line <= piece.line_end for line in piece.breaks)
        assert list(piece.breaks) == sorted(set(piece.breaks))


@pytest.mark.parametrize("path", PATHS)
@settings(max_examples=80)
@given(text=TEXTS)
@example(text="")
@example(text="\n\n")
@example(text="# PURPOSE")
@example(text="---\ntitle: x\n---")
def test_no_line_is_lost_or_kept_twice(path: str, text: str) -> None:
    check_laws(document(path, text, PATHS[path]))


@pytest.mark.parametrize("path", [path for path, kind in PATHS.items() if kind == "doc"])
@settings(max_examples=40)
@given(text=TEXTS)
def test_every_word_of_prose_is_documentation(path: str, text: str) -> None:
    given = document(path, text)
    worded = {number for number, line in enumerate(text.split("\n"), start=1) if any(map(str.isalnum, line))}
    assert worded <= set(kept_lines(split(given)))


@pytest.mark.parametrize("path", PATHS)
@settings(max_examples=15)
@given(text=TEXTS)
def test_chunking_again_changes_nothing(path: str, text: str) -> None:
    first = split(document(path, text, PATHS[path]))
    split(document("other.md", "# Another", "doc"))
    assert split(document(path, text, PATHS[path])) == first


@pytest.mark.parametrize("path", PATHS)
def test_a_rename_changes_no_piece(path: str) -> None:
    text = "# A script\n#\n# PURPOSE\n#\n# To be renamed.\n"
    suffix = path.partition(".")[2]
    assert split(document(path, text, PATHS[path])) == split(document(f"deep/er/renamed.{suffix}", text, PATHS[path]))


def test_every_format_has_a_path_here() -> None:
    formats = {format_of(document(path, ".TH X 8", kind)) for path, kind in PATHS.items()}
    assert formats == set(SPLITTERS)
