"""Canaries: which titles are drawn, and what counts as found."""

from __future__ import annotations

import pyarrow as pa

from tasks.quality.canaries import Canary, ask_canaries, title_canaries, unasked_canaries

CHUNKS = pa.table(
    {
        "title": ["How it is restored", "How it is restored", "What is kept here", "Usage", "What is kept here", ""],
        "path": ["a.md", "a.md", "a.md", "b.md", "b.md", "c.md"],
    }
)


def test_a_title_of_one_document_is_drawn() -> None:
    assert title_canaries(CHUNKS, 10, seed=1) == [Canary("How it is restored", "a.md", configured=False)]


def test_the_same_seed_draws_the_same_titles() -> None:
    many = pa.table({"title": [f"Title number {n}" for n in range(50)], "path": [f"{n}.md" for n in range(50)]})
    drawn = title_canaries(many, 5, seed=3)
    assert len(set(drawn)) == 5
    assert drawn == title_canaries(many.take(pa.array(range(49, -1, -1))), 5, seed=3)
    assert drawn != title_canaries(many, 5, seed=4)


def test_a_canary_is_found_among_the_first_five() -> None:
    asked: list[tuple[str, int]] = []

    def find(question: str, limit: int) -> list[str]:
        asked.append((question, limit))
        return ["x.md", "a.md"]

    rows = ask_canaries([Canary("where", "a.md"), Canary("who", "b.md")], find).to_pylist()
    assert asked == [("where", 5), ("who", 5)]
    assert [row["configured_found"] for row in rows] == [True, False]
    assert rows[1]["place"] == "who -> b.md (first hit x.md)"


def test_titles_share_one_row_that_names_the_lost_ones() -> None:
    titles = [Canary(f"title {n}", f"{n}.md", configured=False) for n in range(4)]
    (row,) = ask_canaries(
        titles, lambda question, _: [] if question == "title 2" else [f"{question[-1]}.md"]
    ).to_pylist()
    assert row["automatic_share"] == 0.75
    assert row["place"] == "title 2 -> 2.md (no hits)"


def test_canaries_that_could_not_be_asked_are_not_found() -> None:
    (row,) = unasked_canaries([Canary("where", "a.md")], "no answer from the endpoint").to_pylist()
    assert (row["configured_found"], row["place"]) == (False, "where -> a.md (no answer from the endpoint)")


def test_no_canaries_are_no_rows() -> None:
    assert ask_canaries([], lambda *_: []).num_rows == 0
