"""Each expectation catches its own fault, and nothing else goes off."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pyarrow as pa
import pytest

from schemas.expectations import Limits, expectations
from tasks.quality.check import check
from tasks.quality.measures import Facts, measure
from tests.tasks.quality.faults import ALL_FAULTS, Fault
from tests.tasks.quality.world import World


def failed(world: World) -> set[str]:
    return {f"{one.table}.{one.name}" for one in check(world.measured(), world.wanted) if not one.ok}


def test_a_sound_index_meets_every_expectation(sound: World) -> None:
    outcomes = check(sound.measured(), sound.wanted)
    assert [one for one in outcomes if not one.ok] == []
    assert {one.table for one in outcomes} == {*sound.tables, "columns", "generation", "sources", "canaries"}


@pytest.mark.parametrize("fault", ALL_FAULTS, ids=lambda fault: fault.breaks)
def test_a_fault_is_caught_by_its_own_expectation(sound: World, fault: Fault) -> None:
    assert failed(fault.change(sound)) == {fault.breaks, *fault.also}


def test_every_expectation_has_a_fault_that_it_catches() -> None:
    # The vector cache is no part of a generation, and is not checked.
    wanted = {f"{one.table}.{one.name}" for one in expectations(Limits()) if one.table != "embeddings"}
    assert {fault.breaks for fault in ALL_FAULTS} == wanted


def test_offenders_are_named_with_their_place(sound: World) -> None:
    world = sound.vector(3, lambda old: old * 2)
    (found,) = [one for one in check(world.measured(), world.wanted) if not one.ok]
    (offender,) = found.sample
    assert (found.unexpected, found.rows) == (1, len(world.tables["chunks"]))
    assert offender.key == world.row("chunks", "chunk_id", 3)
    assert offender.place == "ops:README.md:43"
    assert offender.value.startswith("2.0") or offender.value.startswith("1.99")


def test_at_most_five_offenders_are_named(sound: World) -> None:
    world = sound
    for row in range(7):
        world = world.put("chunks", row, text_hash="0" * 64)
    (found,) = [one for one in check(world.measured(), world.wanted) if not one.ok]
    assert (found.unexpected, len(found.sample)) == (7, 5)


def test_a_disagreeing_claim_shows_both_values(sound: World) -> None:
    world = sound.put("claims", verdict="disagrees", documented="10 m", actual="900")
    (found,) = [one for one in check(world.measured(), world.wanted) if not one.ok]
    assert found.severity == "warning"
    assert found.sample[0].place == (
        "ops:conf/README.md:13 MOVER_CACHE_ROOT is '10 m' here, '900' at conf/mover.conf.template:9"
    )


def test_a_pending_vector_is_no_fault(sound: World) -> None:
    pending = sound.put("chunks", vector=None)
    assert failed(pending) == {"generation.pending_counted"}


def test_a_missing_column_is_told_of_once_by_its_type(sound: World) -> None:
    world = sound.having("chunks", sound.tables["chunks"].drop_columns(["section"]))
    (found,) = [one for one in check(world.measured(), world.wanted) if one.name == "as_declared"]
    assert [offender.place for offender in found.sample] == ["chunks.section: missing, declared string"]
    assert failed(world) == {"columns.as_declared", "chunks.section_not_null"}


def test_a_column_that_nothing_declares_is_a_fault(sound: World) -> None:
    documents = sound.tables["documents"]
    world = sound.having("documents", documents.append_column("mood", pa.array(["fine"] * len(documents))))
    assert failed(world) == {"columns.as_declared"}


def test_a_dictionary_column_counts_as_its_values(sound: World) -> None:
    chunks = sound.tables["chunks"]
    place = chunks.column_names.index("kind")
    world = sound.having("chunks", chunks.set_column(place, "kind", chunks["kind"].dictionary_encode()))
    assert failed(world) == set()


def test_vectors_of_another_width_are_told_of_by_their_type(sound: World) -> None:
    chunks = sound.tables["chunks"]
    wider = pa.array([[1.0] * 385] * len(chunks), pa.list_(pa.float32(), 385))
    world = sound.having("chunks", chunks.set_column(chunks.column_names.index("vector"), "vector", wider))
    assert failed(world) == {"columns.as_declared", "generation.one_fingerprint"}


def test_empty_tables_meet_every_expectation(sound: World) -> None:
    empty = {name: table.slice(0, 0) for name, table in sound.tables.items()}
    measured = measure(empty, Facts(sound.now, sound.generation.dimension))
    assert all(one.ok for one in check(measured, sound.wanted))


def test_a_current_source_is_fresh_whatever_its_age(sound: World) -> None:
    late = replace(sound, now=sound.now + timedelta(days=400))
    assert failed(late) == set()
    assert failed(replace(late, source=replace(late.source, current=False))) == {"sources.fresh"}


def test_one_lost_title_in_five_is_no_alarm(sound: World) -> None:
    (first, *others) = [pair for pair in sound.asked if not pair[0].configured]
    one = replace(sound, asked=((first[0], False), *others))
    two = replace(sound, asked=((first[0], False), (others[0][0], False), *others[1:]))
    assert failed(one) == set()
    assert failed(two) == {"canaries.titles_found"}
