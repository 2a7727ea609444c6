"""Sentences, windows on chunks, and what an answer without a model quotes of them."""

from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.ask.evidence import Weighed
from muniment.ask.excerpts import cut_pieces
from muniment.ask.expected import EXPECTED, expected_of
from muniment.ask.extractive import quote, sentences_around
from muniment.ask.sentences import split_sentences
from schemas.answers import Hit

PROSE = st.lists(
    st.sampled_from(["Run it. ", "word ", "\n", "\n\n", "- item\n", "KEY=1\n", "# note\n", "e.g. ", "A. "])
)


def hit(text: str, **changes: Any) -> Hit:
    fixed = {"chunk_id": "c", "source": "s", "path": "a.md", "line_start": 10, "line_end": 99, "kind": "doc"}
    names = {"type": "doc", "section": "", "title": "", "heading_path": "", "relevance": 0.9}
    return Hit(**{**fixed, **names, "lexical_rank": 1, "vector_rank": None, "text": text, **changes})


def weighed(text: str, sentence: int, **changes: Any) -> Weighed:
    (piece,) = cut_pieces(hit(text, **changes), 1, {}, 4_000)
    return Weighed(piece, 0.8, sentence, ())


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("It runs. Then it\nstops. Why?", ["It runs.", "Then it\nstops.", "Why?"]),
        (
            "Needs rsync 3.2, e.g. from Debian. J. Doe wrote it.",
            ["Needs rsync 3.2, e.g. from Debian.", "J. Doe wrote it."],
        ),
        ("1. Stop the\n   timer. Wait.\n2. Go", ["1. Stop the\n   timer.", "Wait.", "2. Go"]),
        ("Overlap lock\n  A second run exits.", ["Overlap lock", "A second run exits."]),
        ("# Wait for it, so that\n# it ends.\nKEY=5", ["# Wait for it, so that\n# it ends.", "KEY=5"]),
        ("Title\n=====\nText", ["Title", "=====", "Text"]),
        ("| a | b |\n| c | d |", ["| a | b |", "| c | d |"]),
        ("# Who may.\n# none => nobody\n# all => everybody", ["# Who may.", "# none => nobody", "# all => everybody"]),
        ("# One of:\n# - none\n# - all", ["# One of:", "# - none", "# - all"]),
        ("", []),
    ],
)
def test_sentences_end_where_a_reader_ends_them(text: str, sentences: list[str]) -> None:
    assert [span.of(text) for span in split_sentences(text)] == sentences


@given(PROSE.map("".join))
def test_no_letter_is_lost_between_sentences(text: str) -> None:
    spans = split_sentences(text)
    assert "".join("".join(span.of(text).split()) for span in spans) == "".join(text.split())
    assert all(one.end <= two.start for one, two in pairwise(spans))


@given(PROSE.map("".join), st.integers(80, 400))
def test_no_excerpt_is_longer_than_allowed(text: str, max_chars: int) -> None:
    for piece in cut_pieces(hit(text * 5), 1, {"word": 1.0}, max_chars):
        assert 0 < len(piece.text) <= max_chars


@given(PROSE.map("".join))
def test_an_excerpt_stands_at_its_lines(text: str) -> None:
    lines = (text * 3).split("\n")
    for piece in cut_pieces(hit(text * 3), 1, {}, 120):
        assert piece.text in "\n".join(lines[piece.line_start - 10 : piece.line_end - 9])


@given(st.lists(st.sampled_from(["word", "longer-word", " ", "\n", "x" * 90])).map("".join))
def test_a_word_that_fits_is_never_cut(text: str) -> None:
    whole = set(text.split())
    for piece in cut_pieces(hit(text), 1, {}, 80):
        assert all(word in whole or len(word) == 80 or "x" in word for word in piece.text.split())


FRONT = "title: Bells\ndescription: |\n  Of bells.\n---\n\n# Bells\n\nThe bells ring at noon."


def test_front_matter_is_no_part_of_an_excerpt() -> None:
    (piece,) = cut_pieces(hit(FRONT, line_start=2), 1, {}, 400)
    assert (piece.text, piece.line_start) == ("# Bells\n\nThe bells ring at noon.", 7)
    (note,) = cut_pieces(hit(FRONT, line_start=2, kind="note"), 1, {}, 400)
    assert note.text == FRONT


def test_a_document_of_front_matter_is_still_found() -> None:
    (piece,) = cut_pieces(hit("title: Bells\n---", line_start=2), 1, {}, 400)
    assert piece.text.startswith("title: Bells")


def test_lines_between_fences_are_known_as_code() -> None:
    text = "Set it:\n\n```yaml\nBELLS: 1\n````\n\nThen ring.\n\n~~~\nring\n"
    (piece,) = cut_pieces(hit(text), 1, {}, 400)
    assert [piece.sentences[number] for number in sorted(piece.code)] == ["```yaml", "BELLS: 1\n````", "ring"]


def test_the_window_is_cut_around_the_match() -> None:
    text = " ".join(f"Filler sentence number {n} says nothing." for n in range(60)) + " The kestrel lands at noon."
    first = cut_pieces(hit(text), 1, {"kestrel": 1.0}, 200)[0]
    assert "kestrel lands at noon" in first.text


@pytest.mark.parametrize("row", EXPECTED, ids=[row.name for row in EXPECTED])
def test_each_expectation_knows_its_examples(row: Any) -> None:
    assert [expected_of(example) for example in row.examples] == [row] * len(row.examples)


def test_an_option_is_quoted_with_its_name() -> None:
    text = "--limit N\n    End the pass after so many files have been moved, whatever the fill level may be by then."
    assert sentences_around(weighed(text, 1, title="--limit N")).startswith("--limit N: End the pass")


def test_a_setting_is_quoted_with_its_comment() -> None:
    text = "# --- how ---\n# Seconds to wait.\nWAIT=5"
    assert sentences_around(weighed(text, 2, kind="template")) == "Seconds to wait. WAIT=5"


@pytest.mark.parametrize(
    ("text", "kind", "said"),
    [
        ("Grace window\n  On TERM no file is begun.", "header", "Grace window: On TERM no file is begun."),
        ("- **0** => off\n- 1 => on", "doc", "0 => off; 1 => on"),
        ("# empty => off\n# <name> => on\nSTATE=", "template", "empty => off; <name> => on; STATE="),
        ("| 75 | busy; try later |\n\nTimers take it well.", "doc", "75 | busy; try later. Timers take it well."),
        ("Stop it (now).\n\nThen go", "doc", "Stop it (now). Then go"),
    ],
)
def test_lines_of_their_own_are_kept_apart(text: str, kind: str, said: str) -> None:
    assert sentences_around(weighed(text, 0, kind=kind)) == said


def test_code_is_quoted_where_a_sentence_announces_it() -> None:
    announced = "Run this once after the bells were hung, and not before that, or they fall:\n\n```\nring --once\n```"
    assert sentences_around(weighed(announced, 0)).endswith("they fall: ring --once")
    said = announced.replace("fall:", "fall.").replace("Run this", "It must be run")
    assert sentences_around(weighed(said, 0)).endswith("or they fall.")


def test_a_sentence_that_leans_takes_the_one_before() -> None:
    text = "The lock is held by the kernel. It vanishes with the process. " + "Nothing else holds it back. " * 5
    assert sentences_around(weighed(text, 1)).startswith("The lock is held by the kernel. It vanishes")


def test_what_a_directive_stands_for_is_code() -> None:
    text = "Bells::\n\n  ring\n\nThey ring.\n\n.. toctree::\n\n   a\n   b\n\n.. skip: next\n\n"
    text += ".. note:: They hang.\n\n   So do I.\n"
    (piece,) = cut_pieces(hit(text), 1, {}, 400)
    assert [piece.sentences[number] for number in sorted(piece.code)] == [
        "ring",
        ".. toctree::",
        "a\n   b",
        ".. skip: next",
    ]


def test_a_part_of_a_sentence_is_shown_as_one() -> None:
    whole = "The bells ring " + "and ring " * 30 + "until noon."
    first, second = cut_pieces(hit(whole), 1, {}, 200)
    assert sentences_around(Weighed(first, 0.8, 0, ())).startswith("The bells ring")
    assert sentences_around(Weighed(first, 0.8, 0, ())).endswith("and …")
    assert sentences_around(Weighed(second, 0.8, 0, ())).startswith("… ")


def test_a_passage_of_words_goes_before_code() -> None:
    code = weighed("```\nring: 1\n```", 0, chunk_id="c")
    told = weighed("The bells ring at noon.", 0, chunk_id="d")
    assert [one for one, _ in quote([code, told], 0.4)] == [told]
    assert [one for one, _ in quote([code], 0.4)] == [code]
    weak = weighed("The bells ring now and then.", 0, chunk_id="e", relevance=0.5)
    assert quote([replace(weak, evidence=0.1), told], 0.4)[0][0].piece == weak.piece


def test_a_second_passage_is_quoted_only_when_related() -> None:
    first = weighed("The kestrel lands at noon on the far shelf.", 0)
    near = weighed("The kestrel leaves at dawn, before the others.", 0, chunk_id="d", relevance=0.8)
    far = weighed("The heron prints labels.", 0, chunk_id="e", relevance=0.5)
    assert [one for one, _ in quote([first, near], 0.4)] == [first, near]
    assert [one for one, _ in quote([first, far, near], 0.4)] == [first]
