"""Since which commit a finding holds: a walk along the main line of history, of which nothing is executed.

A line says what it says today while some line of the file carries the option and the value as words (or, where today's
line does not carry both, while a line like today's stands there). Where several lines do today, the lines above it
must stand above it too. Line numbers play no part. A finding holds since the later of two commits: the oldest in the
unbroken run up to now in which the document's line stands, and the same for the line that decides. Only values that
stay are seen, so a search by halves would be wrong: values come, go, and come back.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Literal, NamedTuple

import re2

from schemas.claims import Finding
from tasks.decode import Decoded, decode
from tasks.drift.history import MAX_FILES, Change, History, read_history
from tasks.enumerate.blobs import Blobs
from tasks.enumerate.outcomes import Unread

State = Literal["head", "worktree", "staged"]

_MAX_BYTES = 4 * 2**20
_CONTEXT = 3
_MAX_WORD = 500
"""Characters up to which a word's ends are looked at; what is longer can hardly be part of another."""


class Start(NamedTuple):
    """Where the run in which a line stands begins."""

    age: int
    """As that of a change; `UNKNOWN`, or `OLDER` than any that was listed."""
    commit: str
    note: str = ""


UNKNOWN = -1
OLDER = 1 << 40


@dataclass(frozen=True, slots=True)
class Said:
    """A line to be followed through history."""

    path: str
    line: int
    option: str
    value: str


def since(
    repository: str, findings: Sequence[Finding], *, max_commits: int = 200, state: State = "head"
) -> tuple[Finding, ...]:
    """The findings with `since` and `since_note` filled where their lines can be followed.

    Of a finding without a truth only the document's line is followed: what it names may have gone later.
    `state` says of which state of the repository the findings are. At most `max_commits` commits are looked at for each
    file. Six git processes or fewer, however many findings. Raises SourceUnreadable.
    """
    pairs = [_said(finding) for finding in findings]
    paths = sorted({said.path for pair in pairs for said in pair})[:MAX_FILES]
    if not paths:
        return tuple(findings)
    history = read_history(repository, paths, max_commits)
    wanted = {said for pair in pairs for said in pair if said.path in paths}
    starts = _find_starts(repository, wanted, history, max_commits, committed=state == "head")
    beyond = Start(UNKNOWN, "", f"only {MAX_FILES} files are looked at")
    return tuple(
        _dated(finding, [starts.get(said, beyond) for said in pair])
        for finding, pair in zip(findings, pairs, strict=True)
    )


def _said(finding: Finding) -> tuple[Said, ...]:
    document = Said(finding.path, finding.line, finding.option, finding.documented or finding.option)
    if finding.truth is None:
        return (document,)
    return document, Said(finding.truth.path, finding.truth.line, finding.option, finding.actual)


def _dated(finding: Finding, starts: Sequence[Start]) -> Finding:
    # The younger of the two decides; what is unknown leaves the pair unknown.
    start = min(starts, key=lambda start: start.age)
    bound = "at the earliest" if start.commit and len(starts) == 1 else ""
    return replace(finding, since=start.commit, since_note=start.note or bound)


def _find_starts(
    repository: str, wanted: Collection[Said], history: History, max_commits: int, *, committed: bool
) -> Mapping[Said, Start]:
    by_path: dict[str, set[Said]] = defaultdict(set)
    for said in wanted:
        by_path[said.path].add(said)
    starts: dict[Said, Start] = {}
    with Blobs(repository) as blobs:
        for path, lines in sorted(by_path.items()):
            text = _lines(blobs, history.now.get(path, ""))
            marks = {said: _mark(said, text, committed) for said in lines}
            starts |= {said: Start(UNKNOWN, "", mark) for said, mark in marks.items() if isinstance(mark, str)}
            followed = {said: mark for said, mark in marks.items() if isinstance(mark, Mark)}
            starts |= _follow(followed, history.changes[path][:max_commits], history.shallow, blobs)
    return starts


def _follow(followed: dict[Said, Mark], changes: Sequence[Change], shallow: bool, blobs: Blobs) -> dict[Said, Start]:
    """The start of each line of one file. Reads each version once, and stops when no line is left to follow."""
    starts: dict[Said, Start] = {}
    for change in changes:
        if not followed:
            return starts
        earlier = _lines(blobs, change.before)
        ended = {said for said, mark in followed.items() if not mark.stands_in(earlier or ())}
        starts |= dict.fromkeys(ended, Start(change.age, change.commit, _note(change, earlier, shallow)))
        followed = {said: mark for said, mark in followed.items() if said not in ended}
    oldest = changes[-1] if changes else Change(OLDER, "", False, "")
    looked = f"the {len(changes)} commits" if changes else "all commits"
    note = "shallow clone" if shallow else f"older than {looked} looked at"
    return starts | dict.fromkeys(followed, Start(oldest.age, oldest.commit, note))


def _note(change: Change, earlier: Sequence[str] | None, shallow: bool) -> str:
    if earlier is None:
        return "the file can't be read before"
    if change.first and shallow:
        return "shallow clone"
    # Which may be a move: to see one, git would have to compare contents.
    return "" if earlier else "the file begins there"


def _lines(blobs: Blobs, blob: str) -> list[str] | None:
    """The lines of a file with single blanks; none of a file that is not there, None of one that can't be read."""
    if not blob.strip("0"):
        return []
    try:
        raw = blobs.read(blob, _MAX_BYTES)
    except Unread:
        return None
    if not raw:
        return []
    decoded = decode(raw)
    return [_squeezed(line) for line in decoded.text.split("\n")] if isinstance(decoded, Decoded) else None


@dataclass(frozen=True, slots=True)
class Mark:
    """By what a line is known again."""

    words: tuple[str, ...]
    """Those that it carries; where there are none, all of it."""
    line: str
    above: tuple[str, ...] = ()
    """Nearest first."""

    def stands_in(self, lines: Sequence[str]) -> bool:
        """Whether some line is the one."""
        return next(self.found_in(lines), None) is not None

    def found_in(self, lines: Sequence[str]) -> Iterator[int]:
        """The indexes of the lines which are the one."""
        for at, line in enumerate(lines):
            alike = _carries(line, self.words) if self.words else line == self.line
            if alike and self.above == _above(lines, at, len(self.above)):
                yield at


def _mark(said: Said, lines: Sequence[str] | None, committed: bool) -> Mark | str:
    """By what a line is known again in other versions, or why it is not."""
    if lines is None:
        return "the file can't be read in git"
    at = _find(said, lines, committed)
    if at is None:
        return "not yet committed"
    words = _words(said, lines[at])
    for depth in range(_CONTEXT + 1):
        mark = Mark(words, lines[at], _above(lines, at, depth))
        if len(list(mark.found_in(lines))) == 1:
            return mark
    return "its line stands more than once"


def _find(said: Said, lines: Sequence[str], committed: bool) -> int | None:
    """Where a line stands at HEAD: at its number, unless the working copy may have moved or made it."""
    at = said.line - 1
    if at < len(lines) and (committed or _carries(lines[at], (said.value,))):
        return at
    found = [at for at, line in enumerate(lines) if _words(said, line)]
    return found[0] if len(found) == 1 else None


def _words(said: Said, line: str) -> tuple[str, ...]:
    """An option and its value as a line carries them; nothing where it does not carry both."""
    for option in (said.option, said.option.rpartition(".")[2]):
        words = (_squeezed(option), _squeezed(said.value))
        if all(words) and _carries(line, words):
            return words
    return ()


def _carries(line: str, words: tuple[str, ...]) -> bool:
    # Looking for the characters first spares the engine nearly all lines.
    return all(word in line for word in words) and all(
        len(word) > _MAX_WORD or _pattern(word).search(line) for word in words
    )


@lru_cache(maxsize=1024)
def _pattern(word: str) -> Any:
    # `5` stands in `(5).`, and neither in `15` nor in `1.5`.
    return re2.compile(rf"(?:^|[^\w.-]){re2.escape(word)}(?:$|[^\w.-]|[.-](?:$|\W))")


def _above(lines: Sequence[str], at: int, depth: int) -> tuple[str, ...]:
    if not depth:
        return ()
    return tuple(line for line in reversed(lines[max(0, at - 20) : at]) if line)[:depth]


def _squeezed(text: str) -> str:
    return " ".join(text.split())
