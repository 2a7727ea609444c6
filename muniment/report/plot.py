"""The plot of a source's open findings over the nights, as SVG paths: no library, no script, nothing fetched."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from schemas.nightly import Night

WIDTH, HEIGHT = 720, 120
MARGIN = 8


@dataclass(frozen=True, slots=True)
class Plot:
    """Open findings by night, drawn into WIDTH x HEIGHT."""

    points: str
    """For an SVG polyline: `x,y x,y ...`."""
    last: tuple[float, float]
    highest: int
    first_day: str
    last_day: str


def plot_of(nights: Sequence[Night]) -> Plot | None:
    """The plot; None with fewer than two nights, which make no line."""
    if len(nights) < 2:
        return None
    highest = max(1, *(night.open for night in nights))
    across, down = WIDTH - 2 * MARGIN, HEIGHT - 2 * MARGIN
    points = [
        (round(MARGIN + across * at / (len(nights) - 1), 1), round(MARGIN + down * (1 - night.open / highest), 1))
        for at, night in enumerate(nights)
    ]
    return Plot(
        points=" ".join(f"{x},{y}" for x, y in points),
        last=points[-1],
        highest=highest,
        first_day=nights[0].at[:10],
        last_day=nights[-1].at[:10],
    )
