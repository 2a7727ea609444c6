"""The index: what is published, by which embedder, who writes it, and whether its sources are there."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

from muniment.chosen import embedder_choice, question_embedder
from muniment.cli.checkup.case import FAIL, OK, WARN, Case, Check
from muniment.cli.terminal import one_line
from muniment.embedders import Embedder
from muniment.errors import ForeignIndex, MunimentError, ProviderUnavailable
from muniment.generation import read_current
from muniment.gitrun import head_commit
from muniment.worded import counted
from schemas.generations import Generation, SourceState


def index(case: Case) -> Iterator[Check]:
    """Whether the published generation is there, whole and of this muniment."""
    from muniment.store.reader import open_reader
    from muniment.store.sums import find_damage, read_sums

    if read_current(case.index) is None and case.settings.scale.read_in_place:
        yield Check("index", OK, "none on this machine, and none is needed: it is read in the bucket")
        return
    if read_current(case.index) is None:
        yield Check("index", OK, "none yet; build one with 'muniment index PATH'")
        return
    with open_reader(case.index, admit_sensitive=True) as reader:
        generation = reader.generation
        if damage := list(find_damage(case.index, read_sums(case.index, generation), deep=False)):
            raise ForeignIndex(f"{damage[0].path} {damage[0].said}", "mend it with 'muniment repair'")
        _refuse_torn(case.index, generation)
        rows = reader.rows("documents", ["doc_id"]).num_rows
    told = sum(state.documents for state in generation.sources.values())
    if rows != told:
        said = f"generation {generation.number} holds {counted(rows, 'document')}, and says {told}"
        yield Check("index", FAIL, said, "see 'muniment verify', and mend it with 'muniment repair'")
        return
    shown = sum(state.documents for state in reader.published.sources.values())
    yield Check("index", OK, f"generation {generation.number}, {counted(shown, 'document')}")


def _refuse_torn(index: Path, generation: Generation) -> None:
    """Raises ForeignIndex for what no reader minds and the next run would: versions, marks, what was seen."""
    from muniment.noop import SEEN
    from muniment.store.audit import take_up
    from muniment.verify.seen import check_seen

    for table in generation.tables.values():
        take_up(index, table.name)
    for finding in check_seen(index, index / SEEN, generation):
        raise ForeignIndex(f"{finding.place} {finding.said}", "mend it with 'muniment repair'")


def vectors(case: Case) -> Iterator[Check]:
    """Whether questions can be compared with what is indexed."""
    if not (generation := case.answering):
        return
    if not generation.dimension:
        choice = embedder_choice(case.settings)
        told = f"none in the index, and the settings name embedder '{choice.name}'"
        if choice.name == "none":
            yield Check("vectors", OK, "none: search by words only")
        else:
            yield Check("vectors", WARN, told, "make them with 'muniment index'")
        return
    _check_model(case, question_embedder(case.settings, generation, "hybrid"))
    if generation.pending:
        said = f"{counted(generation.pending, 'chunk')} without: {generation.pending_reason or 'the run was ended'}"
        yield Check("vectors", WARN, said, "mend that, then run 'muniment index' again; words find them meanwhile")
    else:
        yield Check("vectors", OK, f"{generation.dimension} dimensions, by {generation.embedder}")


def _check_model(case: Case, embedder: Embedder | None) -> None:
    """Raises ModelChanged where the model is another one now than the one that the index was made with."""
    from muniment.embedders.changed import check_model
    from tasks.embed import known_text

    if embedder is None:
        return
    # A model that does not answer has a line of its own.
    with contextlib.suppress(ProviderUnavailable), case.generations.open() as reader:
        if known := known_text(reader.embedded()):
            check_model(embedder, known)


def writer(case: Case) -> Iterator[Check]:
    """Who holds the lock that lets one run write at a time, and whether anything else is in the next run's way."""
    from muniment.generation import LOCK
    from muniment.store.writer import refuse_strangers

    if case.index.is_dir():
        refuse_strangers(case.index)
    if (case.index / LOCK).exists() and not (case.index / LOCK).is_file():
        raise ForeignIndex(f"'{case.index / LOCK}' is no file", "move it away: a run makes its own")
    try:
        lock = (case.index / LOCK).stat()
        lines = Path("/proc/locks").read_text(encoding="ascii").splitlines()
    except OSError:
        return  # no index yet, or a system that does not tell
    held = [line.split() for line in lines if "->" not in line]
    place = f"{os.major(lock.st_dev):02x}:{os.minor(lock.st_dev):02x}:{lock.st_ino}"
    pids = [int(words[4]) for words in held if words[1] == "FLOCK" and words[5] == place]
    if not pids:
        yield Check("writer", OK, "nobody; the next run can start")
        return
    said = f"held by {', '.join(map(_process, pids))}: other runs exit with 75"
    yield Check("writer", OK, said)


def _process(pid: int) -> str:
    try:
        words = Path(f"/proc/{pid}/cmdline").read_bytes().decode("utf-8", "replace").rstrip("\0").split("\0")
    except OSError:
        return "a process that can't be seen from here"
    return f"process {pid} ({one_line(' '.join(words))[:80]})"


def sources(case: Case) -> Iterator[Check]:
    """Whether each source can be read, and is as it was when it was indexed."""
    from muniment.settings.sources import configured_sources

    held = dict(case.generation.sources) if case.generation else {}
    same = 0
    for state in held.values():
        try:
            moved = _has_moved(state)
        except MunimentError as error:
            yield Check("source", FAIL, f"{one_line(state.name)}: {error.message}", error.hint)
            continue
        if moved:
            yield Check("source", WARN, f"{one_line(state.name)}: {moved}", "bring it up to date: 'muniment index'")
        same += not moved
    if same:
        yield Check("source", OK, f"{same} of {counted(len(held), 'source')} as indexed")
    for source in configured_sources(case.settings, case.config):
        if source.name not in held:
            said = f"{one_line(source.name)}: in the settings, and never indexed"
            yield Check("source", WARN, said, "index it: 'muniment index'")


def _has_moved(state: SourceState) -> str:
    """What is new in a source; empty when nothing is, or when that can only be told by reading it."""
    from muniment.errors import SourceUnreadable

    if state.kind == "git":
        commit = head_commit(state.path)
        moved = commit != state.commit and not state.worktree
        return f"HEAD is at {commit[:10]}, indexed is {state.commit[:10]}" if moved else ""
    if not Path(state.path).is_dir():
        raise SourceUnreadable(f"'{state.path}' is not there", "mount it, or take it out of the settings")
    return ""
