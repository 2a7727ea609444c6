"""How much was used, as a picture."""

from __future__ import annotations

from pathlib import Path

from muniment.evaluate.figure import blank, save
from schemas.effectiveness import By, Effect, EffectivenessReport

MAX_SHOWN = 25
MAX_NAME = 40
_NOW, _EARLIER = "#1b4f8a", "#999999"


def draw_effects(report: EffectivenessReport, by: By, path: Path) -> None:
    """Writes a PNG: for each name with enough data its ratio with the 95 % interval, and that of the window before.

    Raises UsageError where matplotlib is not installed, or the file can't be written.
    """
    shown = [each for each in report.of(by) if each.ratio is not None][:MAX_SHOWN]
    figure, axes = blank(8.0, max(2.5, 0.32 * len(shown) + 1.5))
    rows = range(len(shown))
    axes.hlines(rows, [each.low or 0.0 for each in shown], [each.high or 0.0 for each in shown], color=_NOW, lw=2)
    axes.plot([each.ratio or 0.0 for each in shown], rows, "o", color=_NOW, label="ratio, 95 % interval")
    earlier = [(each.before, row) for row, each in zip(rows, shown, strict=True) if each.before is not None]
    axes.plot(*zip(*earlier, strict=True) if earlier else ([], []), "|", color=_EARLIER, ms=14, label="window before")
    axes.set_yticks(rows, map(_label, shown))
    axes.set_ylim(max(len(shown), 1) - 0.5, -0.5)
    axes.set_xlim(left=0)
    axes.set_xlabel(f"used of assembled, {report.since:%Y-%m-%d} to {report.until:%Y-%m-%d}")
    if shown:
        figure.legend(loc="outside upper center", ncols=2, frameon=False)
    else:
        axes.text(0.5, 0.5, "not enough data", ha="center", va="center", transform=axes.transAxes)
    save(figure, path)


def _label(effect: Effect) -> str:
    name = "".join(letter if letter.isprintable() else "?" for letter in effect.name[:MAX_NAME]) or "-"
    # An unescaped dollar sign would begin a formula.
    return f"{name} ({effect.assemblies})".replace("$", r"\$")
