"""What the operator named: a repository, paths in it, and checks."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from difflib import get_close_matches
from pathlib import Path

from muniment.errors import UsageError
from schemas.claims import CHECKS, DriftReport
from tasks.drift.tree import Tree


@dataclass(frozen=True, slots=True)
class Named:
    """A folder of a repository."""

    top: str
    """The repository's top folder, which is read as a whole: what a document speaks of may lie anywhere in it."""
    prefix: str = ""
    """The folder's own path below the top; empty at the top."""

    def path_of(self, name: str) -> str:
        """A name, absolute or seen from the folder, as a path of the repository; empty for the top itself."""
        if Path(name).is_absolute():
            folder, last = os.path.split(os.path.normpath(name))
            path = os.path.relpath(Path(folder).resolve() / last, Path(self.top).resolve())
        else:
            path = os.path.normpath(Path(self.prefix) / name)
        return "" if path == "." else os.fsencode(path).decode(errors="backslashreplace")


def find_named(repo: str) -> Named:
    """The repository that the operator named by any folder of it."""
    here = Path(repo)
    bare = (here / "HEAD").is_file() and (here / "objects").is_dir()
    if bare or os.path.lexists(here / ".git"):
        return Named(repo)
    real = here.resolve()
    top = next((folder for folder in real.parents if os.path.lexists(folder / ".git")), None)
    return Named(str(top), str(real.relative_to(top))) if top and real.is_dir() else Named(repo)


def files_of(tree: Tree, paths: Iterable[str]) -> tuple[frozenset[str], tuple[str, ...]]:
    """The files that these paths name, each itself or a folder above, and those paths that name none."""
    every = frozenset(tree.files) | tree.others
    found, lost = set(), []
    for path in paths:
        named = {path} & every or {file for file in every if not path or file.startswith(f"{path}/")}
        found |= named
        if not named:
            lost.append(path)
    return frozenset(found), tuple(lost)


def concerning(report: DriftReport, files: Collection[str]) -> DriftReport:
    """The report with those findings and claims whose document or truth is among the files."""
    return replace(
        report,
        findings=tuple(
            finding
            for finding in report.findings
            if finding.path in files or (finding.truth and finding.truth.path in files)
        ),
        judgements=tuple(
            judged
            for judged in report.judgements
            if judged.claim.path in files or (judged.truth and judged.truth.path in files)
        ),
    )


def choose_checks(wanted: Iterable[str], skipped: Iterable[str]) -> frozenset[str]:
    """The checks wanted, all if none is named, without those to be skipped. Raises UsageError for a name of none."""
    chosen = frozenset(map(_check, wanted)) or frozenset(CHECKS)
    if left := chosen - frozenset(map(_check, skipped)):
        return left
    raise UsageError("no check is left", "name fewer checks with --skip")


def _check(name: str) -> str:
    if name in CHECKS:
        return name
    nearest = get_close_matches(name, CHECKS, 1, 0.4)
    meant = f"did you mean '{nearest[0]}'? the checks are: " if nearest else "the checks are: "
    raise UsageError(f"no check '{name}'", meant + ", ".join(CHECKS))
