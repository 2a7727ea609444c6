"""Versions that documents state of the package and of its interpreter, against the project's own files."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import re2

from schemas.claims import Edit, Finding
from tasks.drift.pages import format_of_page, read_page
from tasks.drift.pages.past import is_of_another_version
from tasks.drift.real.manifests import PACKAGE, Stated, numbers_of, read_manifests
from tasks.drift.tree import TextFile, Tree

_NAMES = {
    "python": "Python", "cpython": "Python", "node": "Node.js", "node.js": "Node.js", "nodejs": "Node.js", "go": "Go",
    "golang": "Go", "php": "PHP", "rust": "Rust", "rustc": "Rust",
}  # fmt: skip
_NUMBER = r"v?(\d{1,4}(?:\.\d{1,4}){0,3})"
_OF = r"(C?Python|Node(?:\.?js)?|Go(?:lang)?|PHP|Rustc?)"
# The subject of the sentence is the project, or there is none.
_SUBJECT = (
    r"(?:(?:it|we|this \w+|the (?:project|package|library|tool|code|application|app|server|client)"
    r"|(?:to (?:run|use|install|build)[^.,]{0,40}, )?you(?:'ll| will| must)?|{names})"
    r"(?: (?:is|are) [^.]{1,60} and(?: it)?)?"
    r"(?: now| currently| only| officially| also)? (?:requires?|needs?|have|supports?|works? (?:with|on)|runs? on"
    r"|is compatible with|compiles with|builds with)|requires?:?|requirements?:|prerequisites?:"
    r"|works? (?:with|on)|needs|supports|supported on)"
)
_ITEM = r"(?:[-+*]|\d{1,2}\.)"
_BOUND = r"\s?(?:\+|(?:or|and|&) (?:newer|later|higher|greater|above|up|upwards?|more recent|better)\b)"
_LEAST = (
    rf"(?i)^(?:{_ITEM} )?(?P<subject>{_SUBJECT} )?(?:a |the |an installation of )?(?:at least )?{_OF}"
    rf"(?: version| v)?:? ?(?:(?:>=|≥|at least|minimum) ?{_NUMBER}|\(?{_NUMBER}\)?(?: \(stable\))?{_BOUND}"
    rf"|\(>= ?{_NUMBER}\))(?P<rest>$|[.:;,)].*$| .*$)"
)
_REST = re2.compile(r"(?i)^(?:[.,;:)]|\s?$|\s(?:and|is|are|installed|required|to(?: (?:run|work|be)|$)|\()|\s?[-–—])")
_REQUIRED = re2.compile(r"(?i)^ (?:is|are) (?:required|needed)(?:[.,;]|$)")
_ASIDE = re2.compile(r"^ \(if [^()]*\)")
_CONDITION = re2.compile(
    r"(?i)\b(?:if|when|only|unless|optional(?:ly)?|feature|development|developers?|contribut\w+|tests?|not|recommended"
    r"|until|since|before|after|was|dropped|drop|example|e\.g|plugin|extra)\b|\bor \d"
)
_NEEDS = re2.compile(r"(?i)requir|prerequisite|install|depend|support|compatib|getting started|quick ?start|setup")
_CURRENT = re2.compile(
    r"(?i)^(?:[-+*#]\s*)?(?:the )?(?:current|latest)(?: (?:stable|released?))? (?:version|release)"
    rf"(?: (?:is|of \S+ is))?:?\s{_NUMBER}[.!]?$"
    r"|^(?:[-+*#]\s*)?version:?\s" + _NUMBER + r"\s\(current\)$"
)
_PIN = re2.compile(
    r"(?:\bpip3?\s+install|\buv\s+(?:pip\s+install|add)|\bpoetry\s+add|\bpipx\s+install|\bnpm\s+(?:install|i)|\byarn\s+add"
    r"|\bpnpm\s+add|\bcargo\s+(?:install|add)|\bcomposer\s+require)\s[^\n]{0,200}"
)
_PLAIN = re2.compile(r"\*\*|[`\"“”]|:\w{1,20}:`")
_LINK = re2.compile(r"\[([^\[\]]*)\](?:\([^()]*\)|\[[^\[\]]*\])|`([^`<>]*)\s<[^<>]*>`_{1,2}")
_OLDER = re.compile(
    r"(?i)\b(?:upgrad|downgrad|migrat|older?\b|previous|earlier|legacy|roll ?back|(?:specific|particular) version|pin)"
)
_SENTENCES = re.compile(r"(?<=[a-z)+][.!?])\s|(?<=\d\.\d[.])\s")
_ITEMS = re2.compile(rf"^{_ITEM}\s")
_DIGIT = re.compile(r"[0-9]")
_MAX_LINE = 400
_BADGE = ("shields.io", "badge", "<img", "![")


@dataclass(frozen=True, slots=True)
class _Statement:
    """A version that a line states."""

    of: str
    version: str
    package: str = ""


def find_stated_versions(tree: Tree) -> Iterator[Finding]:
    """A finding for each version that a document states outright and a manifest of the same project contradicts.

    The project of a document is the nearest folder above it with a manifest. Documents about other versions
    (changelogs, notes on upgrades, archives) and badges are left out.
    """
    manifests = read_manifests(tree)
    for file in tree.documents if manifests else ():
        if format_of_page(file) in ("markdown", "rst", "adoc") and not is_of_another_version(file.path):
            stated = _nearest(manifests, file.folder)
            yield from _findings(file, stated)


def _nearest(manifests: Mapping[str, tuple[Stated, ...]], folder: str) -> tuple[Stated, ...]:
    """What the manifests of a folder and of those above it decide: of each thing, the nearest says."""
    found: dict[str, tuple[Stated, ...]] = {}
    while True:
        here = manifests.get(folder, ())
        for of in {one.of for one in here} - found.keys():
            found[of] = tuple(one for one in here if one.of == of)
        if not folder:
            return tuple(one for group in found.values() for one in group)
        folder = folder.rpartition("/")[0]


def _findings(file: TextFile, stated: tuple[Stated, ...]) -> Iterator[Finding]:
    names = frozenset(one.package for one in stated if one.package)
    code, heading = _code_lines(file), ""
    for number, line in enumerate(file.lines, start=1):
        if number not in code and _is_heading(file.lines, number):
            heading = line
        if len(line) > _MAX_LINE or not _DIGIT.search(line) or any(mark in line for mark in _BADGE):
            continue
        for statement in _statements(line, names, heading, number in code):
            truth = None if _OLDER.search(f"{heading} {line}") else _contradicting(statement, stated)
            # A page about one feature may rightly ask for more than the project does.
            if truth and (file.kind == "readme" or not _is_above(statement, truth)):
                yield _finding(file, number, line, statement, truth)


def _is_heading(lines: Sequence[str], number: int) -> bool:
    line, below = lines[number - 1], lines[number].strip() if number < len(lines) else ""
    underlined = len(below) > 2 and below[0] in "=-~^*+#\"'" and below == below[0] * len(below)
    return bool(line.strip()) and (line.startswith(("#", "==")) or underlined)


def _code_lines(file: TextFile) -> frozenset[int]:
    fences = read_page(file).fences
    return frozenset(number for fence in fences for number in range(fence.line, fence.line + len(fence.lines)))


def _statements(line: str, names: frozenset[str], heading: str, in_code: bool) -> Iterator[_Statement]:
    if any(word in line for word in ("install", " add ", " require ")):
        yield from _pins(line, names)
    if in_code:
        return
    for sentence in _SENTENCES.split(_plain(line)):
        if found := _least(sentence, names, heading) or _current(sentence):
            yield found


def _plain(line: str) -> str:
    return " ".join(str(_PLAIN.sub("", _LINK.sub(r"\1\2", line))).split())


def _least(sentence: str, names: frozenset[str], heading: str) -> _Statement | None:
    """What `Requires Python 3.9+` says; without a verb it has to be an item of a list of requirements."""
    found = _least_pattern(names).match(sentence)
    if not found or not _is_statement(found["subject"] or "", found["rest"], _ITEMS.match(sentence) and heading):
        return None
    versions = [group for group in found.groups() if group and group[:1].isdigit() and group != found["rest"]]
    named = next(group for group in found.groups() if group and group.lower() in _NAMES)
    return _Statement(_NAMES[named.lower()], versions[0])


def _is_statement(subject: str, rest: str, heading: str | None) -> bool:
    if _REQUIRED.match(rest):
        return True
    said = bool(subject) or (heading is not None and _NEEDS.search(heading) is not None)
    return said and _REST.match(rest) is not None and _CONDITION.search(_ASIDE.sub("", rest)) is None


@lru_cache(maxsize=64)
def _least_pattern(names: frozenset[str]) -> Any:
    known = "|".join(re2.escape(name) for name in sorted(names)) or "the program"
    return re2.compile(_LEAST.replace("{names}", known))


def _current(sentence: str) -> _Statement | None:
    found = _CURRENT.match(sentence)
    return _Statement(PACKAGE, found[1] or found[2]) if found else None


def _pins(line: str, names: frozenset[str]) -> Iterator[_Statement]:
    """The versions at which commands install the project itself: `pip install bell==1.2`, `npm i bell@1.2`."""
    for command in _PIN.findall(line):
        for name in names:
            pin = rf"[\s\"']{re2.escape(name)}(?:\[[\w,-]*\])?(?:==|@|:){_NUMBER}(?:[\"'`\s]|$)"
            if found := re2.search(pin, command):
                yield _Statement(PACKAGE, found[1], name)


def _contradicting(statement: _Statement, stated: tuple[Stated, ...]) -> Stated | None:
    """What decides otherwise. A version in use contradicts only a lowest version above it."""
    same = [one for one in stated if one.of == statement.of and statement.package in ("", one.package)]
    decided = [one for one in same if not one.pinned]
    if statement.of == PACKAGE and not (len(decided) == 1 and _is_released(decided[0].version)):
        return None
    if decided:
        return None if any(_agree(statement.version, one.version) for one in decided) else decided[0]
    above = [one for one in same if not _agree(statement.version, one.version) and _is_above(statement, one)]
    return above[0] if above and len(above) == len(same) else None


def _agree(documented: str, actual: str) -> bool:
    # `3.9` is 3.9.2 said more shortly, and `3` says nothing of 3.9.
    return all(ours == theirs for ours, theirs in zip(numbers_of(documented), numbers_of(actual), strict=False))


def _is_above(statement: _Statement, truth: Stated) -> bool:
    return statement.of != PACKAGE and numbers_of(statement.version) > numbers_of(truth.version)


def _is_released(version: str) -> bool:
    return re.fullmatch(r"v?\d+(?:\.\d+)+", version) is not None and any(numbers_of(version))


def _finding(file: TextFile, number: int, line: str, statement: _Statement, truth: Stated) -> Finding:
    says = (
        f"version {statement.version} is documented, {truth.place.path} says {truth.version}"
        if truth.of == PACKAGE
        else f"{truth.of} {statement.version} is documented as the lowest, {truth.place.path} "
        + ("uses" if truth.pinned else "requires")
        + f" {truth.version}"
    )
    return Finding(
        "stated-version",
        file.path,
        number,
        says,
        option=truth.package or truth.of,
        documented=statement.version,
        actual=truth.version,
        truth=truth.place,
        won_by="manifest",
        edit=_edit(file.path, number, line, statement.version, truth.version),
    )


def _edit(path: str, number: int, line: str, old: str, new: str) -> Edit | None:
    found = re.findall(rf"(?<![\d.]){re.escape(old)}(?![\d]|\.\d)", line)
    if len(found) != 1:
        return None
    return Edit(path, number, line, re.sub(rf"(?<![\d.]){re.escape(old)}(?![\d]|\.\d)", new, line))
