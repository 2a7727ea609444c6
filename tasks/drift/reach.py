"""Reach: how far from a claim a truth may stand and still be the one that is meant."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from schemas.claims import Claim, Truth
from tasks.drift.spelling import is_compound

_COMPILED = ("go", "rust", "c")
NEAR_STEPS = 2
"""A name of one word is looked up no further than this many folders away: `defaults/main.yml` below a README is one."""

# Files that set options for tests, trials and single deployments: what they say differs from a default on purpose.
_ASIDE = re.compile(
    r"(?:^|/)(?:t|(?:[\w-]*[-_])?tests?|test(?:ing|server|utils?|kit|lib|cases?|suite)s?|specs?|__tests__|fixtures?|testdata|mocks?"
    r"|[\w-]*examples?|samples?|demos?|tutorials?|ci|e2e|playwright|cypress|molecule|bench(?:marks?)?|node_modules"
    r"|vendor|third_party|\.github|\.circleci)/"
    r"|(?:^|/)(?:test[_.]|tests\.|testing\.|conftest)[^/]*$|[_.-]tests?\.\w+$"
    r"|(?:^|/)examples?(?:[-_][\w-]*)?\.(?:ya?ml|toml|py|sh)$"
    # What Sphinx reads explains the defaults of Sphinx.
    r"|(?:^|/)docs?(?:/source|/src)?/conf\.py$|^conf\.py$",
    re.IGNORECASE,
)
_CODE = re.compile(r"\.(?:py|sh|bash|bats|go|rs|js|ts|rb|php|c|h)$")
"""What tests and examples are written in: their comments tell of themselves."""
_DOCUMENTS = re.compile(r"(?:^|/)docs?(?:_src|umentation)?/", re.IGNORECASE)
_OVERLAY = re.compile(
    r"(?P<folder>(?:.*/)?)(?:(?P<base>values)[-._][^/]+|[^/]+[-._](?P<last>values))(?P<suffix>\.ya?ml)$"
)


@dataclass(frozen=True)
class Reach:
    """Where the files lie that hold truths."""

    units: dict[str, frozenset[str]]
    """File name -> every folder that holds such a file, at any depth: charts, roles and packages have theirs each."""
    paths: frozenset[str]

    def within(self, truths: Sequence[Truth], claim: Claim) -> list[Truth]:
        """Those of the truths that a claim at its place can mean."""
        counted = [truth for truth in truths if self._counts(truth, claim) and self._is_of_unit(truth, claim.path)]
        if is_compound(claim.option):
            return counted
        steps = {truth.path: _steps(truth.path, claim.path) for truth in counted}
        nearest = min(steps.values(), default=0)
        near = [truth for truth in counted if steps[truth.path] == nearest]
        alone = len(steps) == 1 and all(truth.option == claim.option for truth in near)
        if all(_is_beside(truth.path, claim.path) for truth in near):
            return near if nearest <= NEAR_STEPS else []
        return near if alone and (nearest <= NEAR_STEPS or "." in claim.option.strip(".")) else []

    def alone(self, truths: Sequence[Truth], claim: Claim) -> list[Truth]:
        """The truths wherever they stand, where one file holds them all."""
        counted = [truth for truth in truths if self._counts(truth, claim) and self._is_of_unit(truth, claim.path)]
        return counted if len({truth.path for truth in counted}) == 1 else []

    def _counts(self, truth: Truth, claim: Claim) -> bool:
        """Whether a truth decides anything: what is aside is heeded only by what stands beside it."""
        if truth.path == claim.path:
            return True
        if truth.local or (
            _CODE.search(claim.path) and _aside(claim.path) and _aside(truth.path) != _aside(claim.path)
        ):
            return False
        if claim.option.startswith("-") and not truth.option.startswith("-") and not is_compound(claim.option):
            return False  # a flag is no variable of some other script
        if aside := _aside(truth.path):
            return claim.path.startswith(aside)
        if self._is_overlay(truth.path) or _is_private(truth, claim):
            return False
        return not _DOCUMENTS.search(truth.path) or claim.path.rpartition("/")[0] == truth.path.rpartition("/")[0]

    def _is_overlay(self, path: str) -> bool:
        """Whether a file changes the values of the file beside it: `values-production.yaml`, `ha-values.yaml`."""
        found = _OVERLAY.fullmatch(path)
        return found is not None and f"{found['folder']}values{found['suffix']}" in self.paths

    def _is_of_unit(self, truth: Truth, path: str) -> bool:
        """Whether no chart, role or package nearer to the path has such a file of its own."""
        holders = self.units[truth.path.rpartition("/")[2]]
        unit = next((folder for folder in _folders(path) if folder in holders), "")
        return not unit or truth.path.startswith(f"{unit}/")


def reach_of(paths: Collection[str]) -> Reach:
    """The reach among files at these paths."""
    units: dict[str, set[str]] = {}
    for path in paths:
        units.setdefault(path.rpartition("/")[2], set()).update(_folders(path))
    return Reach({name: frozenset(folders) for name, folders in units.items()}, frozenset(paths))


def is_aside(path: str) -> bool:
    """Whether a file is a test, a sample or one deployment, which sets options otherwise on purpose."""
    return bool(_aside(path))


@lru_cache(maxsize=65_536)
def _aside(path: str) -> str:
    """The folder of tests, samples or the like that a path lies in, with its slash; a test's own where that is a file.

    Empty for what is not aside. What lies in the same such folder is a world of its own.
    """
    found = _ASIDE.search(path)
    if not found:
        return ""
    return path[: found.end()] if found[0].endswith("/") else f"{path.rpartition('/')[0]}/"


def _is_private(truth: Truth, claim: Claim) -> bool:
    """Whether a truth is a constant that its package or script keeps to itself, and the claim stands elsewhere.

    Constants of compiled languages say nothing of flags: those have the name that the user types somewhere.
    """
    if truth.path.rpartition("/")[0] == claim.path.rpartition("/")[0]:
        return False
    name, documented = truth.option.rpartition(".")[2], claim.option.rpartition(".")[2]
    if name.lstrip("-") == documented.lstrip("-"):
        return truth.reader == "go" and name.isidentifier() and name[:1].islower() and documented.startswith("-")
    if truth.reader == "shell" and name.isupper() and documented.islower() and not documented.startswith("-"):
        return True
    return name.startswith("_") or (truth.reader in _COMPILED and documented.startswith("-"))


def _folders(path: str) -> Iterator[str]:
    """The folders above a path, nearest first, without the top."""
    while "/" in path:
        path = path.rpartition("/")[0]
        yield path


def _is_beside(truth_path: str, claim_path: str) -> bool:
    """Whether one of the two lies in or below the folder of the other."""
    here, there = claim_path.rpartition("/")[0], truth_path.rpartition("/")[0]
    return f"{there}/".startswith(f"{here}/") or f"{here}/".startswith(f"{there}/") or not here or not there


def _steps(one: str, other: str) -> int:
    """Folders between two files, up and down."""
    a, b = one.split("/")[:-1], other.split("/")[:-1]
    shared = 0
    while shared < min(len(a), len(b)) and a[shared] == b[shared]:
        shared += 1
    return len(a) + len(b) - 2 * shared
