"""How notes that are left out by their type, and documents withheld for their sensitivity, are told of."""

from collections.abc import Mapping

from muniment.inert import one_line

SHOWN = 12


def types_left_out(counts: Mapping[str, int]) -> str:
    """`3 LOG, 1 Draft`, the most frequent first."""
    first = sorted(counts.items(), key=lambda counted: (-counted[1], counted[0]))[:SHOWN]
    told = [f"{count} {one_line(name)}" for name, count in first]
    more = len(counts) - SHOWN
    return ", ".join([*told, *([f"and {more} more types"] if more > 0 else [])])


def withheld(counts: Mapping[str, int]) -> str:
    """`2 confidential, 1 restricted documents`: how many, and nothing else of them."""
    told = ", ".join(f"{count} {one_line(sensitivity)}" for sensitivity, count in counts.items())
    return f"{told} document{'s' * (sum(counts.values()) != 1)}"


def secrets(parts: int) -> str:
    """How many parts of documents are left out, and by which setting; never what they hold."""
    told = "1 part that looks" if parts == 1 else f"{parts} parts that look"
    return f"{told} like holding a key left out (index.secrets)"
