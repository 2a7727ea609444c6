"""Notes: what editors of notes add to Markdown is never divided."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemas.chunks import Piece
from tasks.chunk import split
from tasks.chunk.cap import cap
from tests.tasks.chunk.documents import document

BLOCKS = {
    "callout": "> [!warning] Tide\n> The slipway floods.\n>\n> - twice a day\n> - never at noon\n> ## not a heading",
    "nested callout": "> [!note]- Outer\n> words\n> > [!tip] Inner\n> > more words\n>\n> ```sh\n> ring --loud\n> ```",
    "callout in a list": "- > [!info] Keys\n  > hang at the door\n  >\n  > or do not",
    "formula": "$$\na\n=\nb + c\n\n# d\n---\n$$",
    "formula on the line": "$$ a = b\n+ c\n\n+ d $$",
    "comment": "%%\nto be told\n\n# later\n%%",
    "dataview": "```dataview\nTABLE file.mtime AS Changed\n\nFROM #bells\n# no heading\nWHERE !done\n```",
    "code": "~~~python\n\ndef ring():\n    # twice\n\n    return $$\n~~~",
    "table": "| bell | tone |\n| --- | --- |\n| [[Great Tom\\|Tom]] | E |\n| ![[small.png]] | A |",
    "table with an id": "| bell | tone |\n| --- | --- |\n| Tom | E |\n\n^tones",
    "paragraph with an id": "The rope is [[Hemp|hempen]] and #bells/rope old,\nas ![[ropes.pdf#page=2]] says. ^rope-1",
}
PROSE = st.lists(
    st.sampled_from(["Some words.", "More of [[them]].", "", "## A heading", "- an item", "1. one"]), max_size=4
)
NOTES = st.lists(st.tuples(st.sampled_from(sorted(BLOCKS)), PROSE), min_size=1, max_size=8)


def words(texts: list[str]) -> list[int]:
    return [len(text.split()) for text in texts]


def chunks(text: str, budget: int) -> list[Piece]:
    return cap(split(document("bell.md", text, "note")), budget, words)


@pytest.mark.parametrize("name", BLOCKS)
def test_what_is_in_a_block_is_no_heading(name: str) -> None:
    (piece,) = split(document("bell.md", f"# Bells\n\n{BLOCKS[name]}\n\nAfter.\n", "note"))
    assert piece.heading_path == ("Bells",)


@settings(max_examples=200)
@given(NOTES, st.integers(min_value=26, max_value=60))
def test_blocks_that_fit_are_never_divided(parts: list[tuple[str, list[str]]], budget: int) -> None:
    text = "\n\n".join("\n".join([*prose, "", BLOCKS[name]]) for name, prose in parts)
    found = [piece.text for piece in chunks(text, budget)]
    held = sum(chunk.count(BLOCKS[name]) for name in {name for name, _ in parts} for chunk in found)
    assert held == sum(text.count(BLOCKS[name]) for name in {name for name, _ in parts})


def test_a_block_that_fits_in_no_chunk_is_divided_between_lines() -> None:
    callout = "> [!note] Long\n" + "\n".join(f"> line {number} of the long callout" for number in range(40))
    found = chunks(callout, 50)
    assert "\n".join(piece.text for piece in found) == callout
    assert all(words([piece.text]) <= [50] for piece in found)


def test_two_marks_far_apart_are_no_formula() -> None:
    text = "$$ is what it cost.\n" + "\n# Part\n\nwords\n" * 200 + "\nand $$ more.\n"
    assert len(split(document("bell.md", text, "note"))) > 200


def test_a_mark_that_is_never_closed_hides_no_heading() -> None:
    assert [piece.title for piece in split(document("bell.md", "%% begun\n\n# Bells\n\nwords\n", "note"))] == [
        "",
        "Bells",
    ]
