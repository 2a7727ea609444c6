"""Pieces that are too long are split where it hurts least, and lose nothing."""

from collections.abc import Callable

from hypothesis import given, settings
from hypothesis import strategies as st

from schemas.chunks import Piece
from tasks.chunk import split
from tasks.chunk.cap import cap
from tests.tasks.chunk.documents import document


def words(texts: list[str]) -> list[int]:
    """A tokenizer that adds a token at either end, as models' tokenizers do."""
    return [len(text.split()) + 2 for text in texts]


def size(text: str) -> int:
    return len(text.split()) + 2


def markdown(text: str) -> list[Piece]:
    return split(document("a.md", text))


def counting(count: Callable[[list[str]], list[int]]) -> tuple[Callable[[list[str]], list[int]], list[int]]:
    calls: list[int] = []

    def counted(texts: list[str]) -> list[int]:
        calls.append(len(texts))
        return count(texts)

    return counted, calls


TEXTS = st.lists(
    st.sampled_from(
        ["a b c d e f", "word", "", "", "# Heading", "- item of a list", "```", "| a | b |", "|---|---|", "x " * 30]
    ),
    max_size=60,
).map("\n".join)


@settings(max_examples=120)
@given(text=TEXTS, budget=st.integers(3, 40))
def test_parts_keep_every_line_and_stay_in_the_budget(text: str, budget: int) -> None:
    pieces = markdown(text)
    parts = cap(pieces, budget, words)
    lines = text.split("\n")
    kept = [number for part in parts for number in range(part.line_start, part.line_end + 1)]
    due = [number for piece in pieces for number in range(piece.line_start, piece.line_end + 1)]
    assert kept == sorted(set(kept))
    assert [number for number in kept if lines[number - 1]] == [number for number in due if lines[number - 1]]
    for part in parts:
        assert part.text == "\n".join(lines[part.line_start - 1 : part.line_end])
        assert part.text.strip("\n") == part.text
        assert size(part.text) <= budget or part.line_start == part.line_end


@settings(max_examples=60)
@given(text=TEXTS, budget=st.integers(3, 40))
def test_capping_again_changes_nothing(text: str, budget: int) -> None:
    parts = cap(markdown(text), budget, words)
    assert cap(parts, budget, words) == parts


def test_parts_keep_heading_and_section() -> None:
    parts = cap(markdown("# Tower\n\n## Bells\n\n" + "one two three\n\n" * 20), 20, words)
    assert len(parts) > 2
    assert {(part.section, part.title, part.heading_path) for part in parts} == {("Bells", "Bells", ("Tower", "Bells"))}


def test_a_long_piece_is_split_between_paragraphs() -> None:
    paragraph = "one two three\nfour five six\n\n"
    parts = cap(markdown(paragraph * 10), 20, words)
    assert {part.text for part in parts} == {(paragraph * 3).strip()} | {parts[-1].text}


def test_a_long_table_is_split_between_its_rows() -> None:
    rows = [f"| key{number} | value{number} |" for number in range(50)]
    parts = cap(markdown("| key | value |\n|---|---|\n" + "\n".join(rows)), 40, words)
    assert "\n".join(part.text for part in parts).split("\n")[2:] == rows


def test_a_fence_is_cut_only_when_it_is_too_long_itself() -> None:
    short = "```\n" + "a b c\n" * 4 + "```"
    parts = cap(markdown(f"{'one two three four ' * 3}\n\n{short}\n\nlast words here"), 20, words)
    assert short in [part.text.removesuffix("\n\nlast words here") for part in parts]


def test_a_line_is_never_cut() -> None:
    line = "word " * 500
    parts = cap(markdown(f"before\n{line}\nafter"), 50, words)
    assert [part.text for part in parts] == ["before", line, "after"]


def test_a_small_rest_is_evened_out() -> None:
    parts = cap(markdown("one two three four\n\n" * 5 + "end"), 22, words)
    assert [size(part.text) for part in parts] == [14, 11]


def test_what_fits_is_left_as_it_is() -> None:
    pieces = markdown("# A\n\nshort\n\n# B\n\n" + "long " * 100)
    count, calls = counting(words)
    assert cap(pieces, 10_000, count) == pieces
    assert calls == []


def test_the_tokenizer_is_asked_three_times_at_most() -> None:
    text = "\n\n".join(f"# H{number}\n\n" + "one two three four five\n" * 40 + "\n\nsix" * 40 for number in range(20))
    count, calls = counting(words)
    assert len(cap(markdown(text), 30, count)) > 100
    assert len(calls) <= 3


def test_a_file_without_headings_is_counted_about_twice() -> None:
    text = "a line of words without an end\n" * 16_000
    asked: list[str] = []

    def count(texts: list[str]) -> list[int]:
        asked.extend(texts)
        return words(texts)

    parts = cap(markdown(text), 250, count)
    assert len(parts) > 400
    assert sum(map(len, asked)) < 2.1 * len(text)
