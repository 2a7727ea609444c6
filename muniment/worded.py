"""How surfaces word what is known against something that was found."""

from __future__ import annotations

from typing import TYPE_CHECKING

from muniment.inert import one_line

if TYPE_CHECKING:
    from schemas.answers import Hit
    from schemas.cited import Excerpt
    from schemas.claims import Dispute

SHOWN_CHARS = 80


def counted(number: int, noun: str) -> str:
    """`1 file`, `2 files`."""
    return f"{number} {noun}{'s' * (number != 1)}"


def staleness(found: Hit | Excerpt) -> str:
    """One line where the file has changed or is gone; else nothing."""
    if found.gone:
        return "the file is gone"
    return "changed since it was indexed" if found.changed_since_index else ""


def dispute_lines(disputes: tuple[Dispute, ...]) -> list[str]:
    """One line a dispute, with both values and where each stands."""
    return [_line(dispute) for dispute in disputes]


def _line(dispute: Dispute) -> str:
    says = f"{dispute.path}:{dispute.line} says {_value(dispute.documented)}"
    has = f"{dispute.truth_path}:{dispute.truth_line} has {_value(dispute.actual)}"
    return one_line(f"disagree on {dispute.option}: {says}, {has}")


def _value(value: str) -> str:
    shown = value if len(value) <= SHOWN_CHARS else f"{value[: SHOWN_CHARS - 3]}..."
    return shown or "nothing"
