"""The figures of an evaluation as a picture."""

from __future__ import annotations

from pathlib import Path

from muniment.evaluate.figure import blank, save
from muniment.evaluate.metrics import JUDGED_BY, Report

_COLOURS = {"lexical": "#999999", "vector": "#6aa1d8", "hybrid": "#1b4f8a", "hybrid+prior": "#c77d2e"}


def draw(report: Report, path: Path) -> None:
    """Writes a PNG: nDCG@10 of each set and mode.

    Raises UsageError where matplotlib is not installed, or the file can't be written.
    """
    shown = [*report.sets, report.whole] if len(report.sets) > 1 else list(report.sets)
    figure, axes = blank(max(6.0, 0.8 * len(shown) + 2), 4.5)
    modes = list(shown[0].modes)
    width = 0.8 / len(modes)
    for place, mode in enumerate(modes):
        at = [row + (place - (len(modes) - 1) / 2) * width for row in range(len(shown))]
        axes.bar(at, [one.modes[mode][JUDGED_BY] for one in shown], width, label=mode, color=_COLOURS.get(mode))
    axes.set_xticks(range(len(shown)), [f"{one.name}\n({one.questions})" for one in shown], rotation=45, ha="right")
    axes.set_ylim(0, 1)
    axes.set_ylabel(JUDGED_BY)
    figure.legend(loc="outside upper center", ncols=len(modes), frameon=False)
    save(figure, path)
