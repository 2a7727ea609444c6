"""One look at a repository: read it, find what disagrees, and leave out what was not asked for."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace

from muniment.drift.named import Named, concerning, files_of, find_named
from muniment.drift.view import Original
from muniment.patterns import admits
from schemas.claims import DriftReport
from schemas.files import ALL_NOTES, NoteRules, Skipped, Source, SourceReader
from schemas.stated import SHOWN
from tasks.drift.find import DriftOptions, State, find_drift
from tasks.drift.tree import Tree, read_tree
from tasks.enumerate import reader
from tasks.enumerate.staged import Staged
from tasks.narrow import FILE, Narrowing, read_narrowing
from tasks.notes import Notes, is_note
from tasks.stated import stated_in_note


@dataclass(frozen=True, slots=True)
class Asked:
    """What is looked at, and for what."""

    repository: str
    """Any folder of it; findings are then those that concern the folder."""
    state: State
    checks: frozenset[str]
    order: tuple[str, ...] = ()
    only: tuple[str, ...] | None = None
    """Files and folders whose findings are shown; None for all."""
    include: tuple[str, ...] = ()
    """Gitignore patterns of the documents that are judged; every file may hold a truth."""
    exclude: tuple[str, ...] = ()
    max_bytes: int = 512_000
    index_file: str = ""
    """Another index than the usual one, as git names it to the hooks of a commit."""
    kind: str = "git"
    """How the folder is read: a key of `tasks.enumerate.READERS`."""
    notes: NoteRules = ALL_NOTES
    """Of a vault, which notes are judged."""


@dataclass(frozen=True, slots=True)
class Look:
    """What was found, and where."""

    report: DriftReport
    top: str
    """The repository's top folder, from which every path counts."""
    narrowed: bool
    """Whether findings were left out because they concern other files."""
    originals: Callable[[Collection[str]], Mapping[str, Original]]
    """Reads files of the same state by their paths."""


def look(asked: Asked) -> Look:
    """The report on what was asked for, without history. Raises SourceUnreadable, SettingsError and UsageError."""
    git = asked.kind == "git"
    named = find_named(asked.repository) if git else Named(asked.repository)
    worktree = git and asked.state == "worktree"
    source = Source(asked.repository, named.top, asked.kind, worktree, max_bytes=asked.max_bytes)
    files = Staged(source, asked.index_file) if asked.state == "staged" else reader(source)
    # Beside notes lie attachments, which say nothing; that they are there is all that links ask.
    tree = read_tree(files) if git else _shown(read_tree(files, is_note))
    options = DriftOptions(asked.checks, asked.order)
    report = find_drift(tree, options, repository=asked.repository, state=asked.state)
    report = _admitted(report, asked, tree, _narrowing(tree, source, files))
    narrowed = asked.only is not None or bool(named.prefix)
    if narrowed:
        report = _concerning(report, named, tree, (".",) if asked.only is None else asked.only)
    return Look(report, named.top, narrowed, lambda paths: _originals(files, paths))


def _shown(tree: Tree) -> Tree:
    """The notes that are not withheld; of the others only that they are there, which is all that links ask."""
    texts = {path: file for path, file in tree.files.items() if stated_in_note(file.text).sensitivity in SHOWN}
    return replace(tree, files=texts, others=tree.others | (tree.files.keys() - texts.keys()))


def _narrowing(tree: Tree, source: Source, files: SourceReader) -> Narrowing:
    return read_narrowing(source, files.list_files(), files) if FILE in tree.paths else Narrowing()


def _admitted(report: DriftReport, asked: Asked, tree: Tree, narrowing: Narrowing) -> DriftReport:
    """The report without the documents that the operator or the repository leaves out of an index."""
    patterns = ((asked.include, asked.exclude), (narrowing.include, narrowing.exclude))
    tests = [admits(*pair) for pair in patterns if any(pair)]
    if asked.kind == "vault":
        tests.append(_wanted_notes(tree, asked.notes).__contains__)
    findings = (finding for finding in report.findings if all(test(finding.path) for test in tests))
    judgements = (judged for judged in report.judgements if all(test(judged.claim.path) for test in tests))
    return replace(report, findings=tuple(findings), judgements=tuple(judgements)) if tests else report


def _wanted_notes(tree: Tree, rules: NoteRules) -> frozenset[str]:
    notes = Notes(rules)
    sorted_out = ((path, notes.by_content(path, file.text.encode())) for path, file in tree.files.items())
    return frozenset(path for path, label in sorted_out if not isinstance(label, Skipped))


def _concerning(report: DriftReport, named: Named, tree: Tree, names: Iterable[str]) -> DriftReport:
    wanted = {named.path_of(name): name for name in names}
    found, lost = files_of(tree, wanted)
    notes = (f"'{wanted[path]}' names no file of the repository" for path in lost)
    return replace(concerning(report, found), notes=(*report.notes, *notes))


def _originals(files: SourceReader, paths: Collection[str]) -> Mapping[str, Original]:
    entries = [entry for entry in files.list_files().entries if entry.path in paths] if paths else []
    read = (outcome for outcome in files.read_files(entries) if not isinstance(outcome, Skipped))
    return {entry.path: Original(entry.raw or os.fsencode(entry.path), raw) for entry, raw in read}
