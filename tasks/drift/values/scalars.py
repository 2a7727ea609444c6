"""The equalities of values that are no lists, in the order in which they are asked."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from schemas.claims import Verdict
from tasks.drift.values.absent import absent
from tasks.drift.values.durations import durations
from tasks.drift.values.numbers import modes, numbers, percents, quotients
from tasks.drift.values.paths import paths
from tasks.drift.values.sizes import sizes
from tasks.drift.values.switches import switches
from tasks.drift.values.words import words

Equality = Callable[[str, str, str], Verdict | None]
"""Two values without markup and the option that has them -> whether they are the same; None where they are not of its
kind. Takes the two in any order, and never raises."""

SCALARS: Mapping[str, Equality] = {
    "absent": absent,
    "switches": switches,
    "modes": modes,
    "numbers": numbers,
    "quotients": quotients,
    "percents": percents,
    "durations": durations,
    "sizes": sizes,
    "paths": paths,
    "words": words,
}
"""Name -> equality."""
