"""How the command line says that a line it shows is contradicted."""

from __future__ import annotations

from muniment.cli.terminal import one_line
from schemas.claims import Dispute

SHOWN_CHARS = 80


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
