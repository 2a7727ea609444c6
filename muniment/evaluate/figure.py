"""A picture to draw figures on, made without a display."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import TYPE_CHECKING

from muniment.errors import UsageError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def blank(width: float, height: float) -> tuple[Figure, Axes]:
    """An empty figure of so many inches, and its axes. Raises UsageError where matplotlib is not installed."""
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ModuleNotFoundError as error:
        raise UsageError(
            f"a plot needs '{error.name}', which is not installed", "install the extra: muniment[eval]"
        ) from error
    figure = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    axes.spines[["top", "right"]].set_visible(False)
    return figure, axes


def save(figure: Figure, path: Path) -> None:
    """Writes the figure as a PNG. Raises UsageError where the file can't be written."""
    try:
        with warnings.catch_warnings():
            # A letter that the font lacks is drawn as a box, and nobody is told twice.
            warnings.filterwarnings("ignore", message="Glyph .* missing from", category=UserWarning)
            figure.savefig(path, format="png", dpi=120)
    except OSError as error:
        raise UsageError(f"can't write '{path}': {error.strerror}", "name another file with --plot") from error
