"""What must hold of every log."""

from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from hypothesis import given, settings
from hypothesis import strategies as st

from muniment.assembly import record_feedback
from schemas.effectiveness import BYS, EffectivenessReport
from tasks.effectiveness.evaluate import evaluate_effectiveness
from tests.tasks.effectiveness.logs import NOW, WEEK, ago, record


class Act(NamedTuple):
    """An assembly, and whether the first of its chunks was later said to be used."""

    minutes_ago: int
    gathered: tuple[tuple[str, str], ...]
    cited: bool
    told: bool


CHUNKS = st.tuples(st.sampled_from(["header", "ENT", "INTEL"]), st.sampled_from(["", "PURPOSE", "Häfen 港"]))
ACTS = st.builds(
    Act, st.integers(0, 3 * WEEK * 60), st.lists(CHUNKS, max_size=4).map(tuple), st.booleans(), st.booleans()
)


def write(home: Path, acts: list[Act]) -> None:
    for act in acts:
        at = NOW - timedelta(minutes=act.minutes_ago)
        said = record(home, at, act.gathered, used=[0] if act.cited and act.gathered else [])
        if act.told and act.gathered:
            record_feedback(home, at + timedelta(minutes=30), said, ["-".join((*act.gathered[0], "0"))])


def evaluate(home: Path, hours_ago: int = 0) -> EffectivenessReport:
    return evaluate_effectiveness(home / "log", ago(hours_ago), WEEK)


@given(st.lists(ACTS, max_size=12))
@settings(max_examples=40)
def test_sums_over_each_grouping_are_the_whole(acts: list[Act]) -> None:
    with TemporaryDirectory() as folder:
        write(Path(folder), acts)
        report = evaluate(Path(folder))
    inside = [act for act in acts if act.minutes_ago < WEEK * 60]
    assert report.assemblies == len(inside)
    assert report.assembled == sum(len(act.gathered) for act in inside)
    for by in BYS:
        assert sum(each.assembled for each in report.of(by)) == report.assembled
        assert sum(each.used for each in report.of(by)) == report.used
    for each in report.effects:
        assert 0 <= each.used <= each.assembled
        assert 1 <= each.assemblies <= min(each.assembled, report.assemblies)


@given(st.lists(ACTS, max_size=6), st.lists(ACTS, max_size=3))
@settings(max_examples=40)
def test_what_lies_outside_the_window_changes_nothing(acts: list[Act], others: list[Act]) -> None:
    outside = [act._replace(minutes_ago=2 * WEEK * 60 + 31 + act.minutes_ago) for act in others]
    with TemporaryDirectory() as folder:
        write(Path(folder), acts)
        before = evaluate(Path(folder))
        write(Path(folder), outside)
        write(Path(folder), [act._replace(minutes_ago=-1 - act.minutes_ago) for act in others])
        after = evaluate(Path(folder))
    assert after.effects == before.effects
    assert (after.assemblies, after.assembled, after.used) == (before.assemblies, before.assembled, before.used)


@given(st.lists(ACTS.map(lambda act: act._replace(gathered=(("ENT", "PURPOSE"),) * 2)), min_size=40, max_size=60))
@settings(max_examples=10)
def test_the_ratio_before_is_what_was_evaluated_then(acts: list[Act]) -> None:
    with TemporaryDirectory() as folder:
        write(Path(folder), acts)
        now, then = evaluate(Path(folder)), evaluate(Path(folder), WEEK)
    earlier = {(each.by, each.name): each.ratio for each in then.effects}
    for each in now.effects:
        assert each.before == earlier.get((each.by, each.name))
