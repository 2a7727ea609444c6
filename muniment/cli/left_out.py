"""How notes that are left out by their type are told of."""

from collections.abc import Mapping

from muniment.inert import one_line

SHOWN = 12


def types_left_out(counts: Mapping[str, int]) -> str:
    """`3 LOG, 1 Draft`, the most frequent first."""
    told = [f"{count} {one_line(name)}" for name, count in list(counts.items())[:SHOWN]]
    more = len(counts) - SHOWN
    return ", ".join([*told, *([f"and {more} more types"] if more > 0 else [])])
