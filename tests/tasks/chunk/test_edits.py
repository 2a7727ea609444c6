"""What an edit under one heading does to the pieces under the others: nothing."""

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tasks.chunk import split
from tests.tasks.chunk.documents import document

NAMES = ["Ropes", "Bells", "Tunes", "Keys", "Weather"]
SECTIONS = ["PURPOSE", "OPERATIONAL MODEL", "CONFIGURATION", "RUNTIME MODES", "EXAMPLES"]
WORDS = st.lists(st.sampled_from(["the bell is struck", "at noon.", "seven", "men pull"]), min_size=1, max_size=4)
BODIES = st.lists(WORDS, min_size=2, max_size=5)


def as_markdown(bodies: list[list[str]]) -> str:
    parts = (f"## {name}\n\n" + "\n".join(body) for name, body in zip(NAMES, bodies, strict=False))
    return "# Tower\n\n" + "\n\n".join(parts) + "\n"


def as_rst(bodies: list[list[str]]) -> str:
    parts = (f"{name}\n{'-' * 8}\n\n" + "\n".join(body) for name, body in zip(NAMES, bodies, strict=False))
    return "Tower\n=====\n\n" + "\n\n".join(parts) + "\n"


def as_sections(bodies: list[list[str]]) -> str:
    parts = (
        f"# {name}\n#\n" + "\n".join(f"# {line}" for line in body) for name, body in zip(SECTIONS, bodies, strict=False)
    )
    return "#!/bin/sh\n" + "\n#\n".join(parts) + "\n\nset -e\n"


def as_named_paragraphs(bodies: list[list[str]]) -> str:
    parts = (
        f"# {name}\n" + "\n".join(f"#   {line}" for line in body) for name, body in zip(NAMES, bodies, strict=False)
    )
    return "#!/bin/sh\n# OPERATIONAL SAFEGUARDS\n#\n" + "\n#\n".join(parts) + "\n"


def as_settings(bodies: list[list[str]]) -> str:
    parts = (
        "\n".join(f"# {line}" for line in body) + f"\n{name.upper()}=1"
        for name, body in zip(NAMES, bodies, strict=False)
    )
    return "\n\n".join(parts) + "\n"


WRITERS = {
    "a.md": as_markdown,
    "a.rst": as_rst,
    "a.sh": as_sections,
    "b.sh": as_named_paragraphs,
    "a.conf": as_settings,
}


def identified(path: str, text: str) -> dict[tuple[tuple[str, ...], int], str]:
    """Text by heading path and ordinal, which is what a chunk's id is made of."""
    texts: dict[tuple[tuple[str, ...], int], str] = {}
    for piece in split(document(path, text)):
        ordinal = sum(known == piece.heading_path for known, _ in texts)
        texts[piece.heading_path, ordinal] = piece.text
    return texts


@pytest.mark.parametrize("path", WRITERS)
@settings(max_examples=50)
@given(bodies=BODIES, added=WORDS, place=st.integers(0, 4))
def test_an_edit_changes_one_piece(path: str, bodies: list[list[str]], added: list[str], place: int) -> None:
    write: Callable[[list[list[str]]], str] = WRITERS[path]
    place %= len(bodies)
    edited = [body + added if index == place else body for index, body in enumerate(bodies)]
    before, after = identified(path, write(bodies)), identified(path, write(edited))
    assert before.keys() == after.keys()
    assert sum(before[key] != after[key] for key in before) == 1


@pytest.mark.parametrize("path", WRITERS)
@settings(max_examples=30)
@given(bodies=BODIES)
def test_a_removed_part_leaves_the_others(path: str, bodies: list[list[str]]) -> None:
    write: Callable[[list[list[str]]], str] = WRITERS[path]
    before, after = identified(path, write(bodies)), identified(path, write(bodies[:-1]))
    assert after.items() <= before.items()
    assert len(after) == len(before) - 1
