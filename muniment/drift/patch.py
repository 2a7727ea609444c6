"""The suggested edits as a unified diff that `git apply` takes.

It fits the files byte for byte: line ends, encodings and names stay as the repository has them. Bytes that are no UTF-8
stand in the text as lone surrogates.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from muniment.drift.spans import Change, change
from muniment.drift.view import Original, View
from muniment.drift.wording import counted
from muniment.inert import one_line
from schemas.claims import DriftReport, Edit
from tasks.decode import Decoded, decode
from tasks.secrets.keys import find_keys

CONTEXT = 3
_MARK = "\ufeff"
_BYTE_ENCODINGS = ("utf-8", "utf-8-sig", "cp1252", "latin-1")
"""Of those that `decode` knows, the ones in which a line of the text is a line of the bytes."""

_QUOTED = re.compile(rb'[\x00-\x1f"\\\x7f-\xff]')
_ESCAPES = {7: "a", 8: "b", 9: "t", 10: "n", 11: "v", 12: "f", 13: "r", 34: '"', 92: "\\"}


def render(report: DriftReport, view: View) -> str:
    """The diff of every edit that can be made, after a line for those that can't; empty where none is suggested."""
    wanted = _edits(report)
    originals = view.originals(wanted.keys())
    parts, left_out = [], []
    for path, edits in wanted.items():
        made = _edited(originals[path], edits) if path in originals else _Edited({}, len(edits))
        made = _without_keys(originals[path].raw, made) if made.lines else made
        if made.left_out:
            left_out.append(f"# {one_line(path)}: {counted(made.left_out, 'suggested edit')} left out\n")
        if made.lines:
            parts.append(_diff(originals[path], made.lines))
    return "".join([*left_out, *parts])


@dataclass(frozen=True, slots=True)
class _Edited:
    lines: Mapping[int, bytes]
    """Line number, from 0 -> what stands there in place of the line, its end included."""
    left_out: int


def _edits(report: DriftReport) -> dict[str, list[Edit]]:
    """The edits by path; none of a line that is somebody's truth, since only documents are edited."""
    truths = {finding.truth for finding in report.findings}
    truths |= {place for finding in report.findings for place in (*finding.agreeing, *finding.differing)}
    kept = {(place.path, place.line) for place in truths if place}
    wanted: defaultdict[str, dict[Edit, None]] = defaultdict(dict)
    for finding in report.findings:
        edit = finding.edit
        if edit and edit.path == finding.path and (edit.path, edit.line) not in kept:
            wanted[edit.path][edit] = None
    return {path: list(edits) for path, edits in sorted(wanted.items())}


def _edited(original: Original, edits: Iterable[Edit]) -> _Edited:
    decoded = decode(original.raw)
    encoding = decoded.encoding if isinstance(decoded, Decoded) else ""
    by_line: defaultdict[int, list[Edit]] = defaultdict(list)
    for edit in edits:
        by_line[edit.line - 1].append(edit)
    lines = original.raw.split(b"\n")
    made: dict[int, bytes] = {}
    left_out = 0
    for number, wanted in by_line.items():
        fits = encoding in _BYTE_ENCODINGS and number < len(lines)
        new, count = _new_line(lines[number], encoding, wanted) if fits else (b"", 0)
        left_out += len(wanted) - count
        if count:
            made[number] = new
    return _Edited(made, left_out)


def _without_keys(raw: bytes, made: _Edited) -> _Edited:
    """Those edits beside which no line of the diff looks like holding a key."""
    keys = find_keys(raw.decode("utf-8", "replace"))
    shown = {number for key in keys for number in range(key.start - CONTEXT, key.end + CONTEXT + 1)}
    kept = {number: new for number, new in made.lines.items() if number not in shown}
    return _Edited(kept, made.left_out + len(made.lines) - len(kept))


def _new_line(line: bytes, encoding: str, edits: Iterable[Edit]) -> tuple[bytes, int]:
    """The line with those edits that fit it and one another, and how many they are."""
    encoding = encoding.removesuffix("-sig")
    text = line.decode(encoding)
    body = text.lstrip(_MARK).rstrip("\r")
    mark, end = text[: len(text) - len(text.lstrip(_MARK))], text[len(text.rstrip("\r")) :]
    taken: list[Change] = []
    for edit in edits:
        wanted = change(edit.old, edit.new)
        if edit.old == body and "\n" not in edit.new and all(map(wanted.is_apart_from, taken)):
            taken.append(wanted)
    for start, stop, new in sorted(taken, reverse=True):
        body = body[:start] + new + body[stop:]
    try:
        return (mark + body + end).encode(encoding), len(taken)
    except UnicodeEncodeError:
        return line, 0


def _diff(original: Original, made: Mapping[int, bytes]) -> str:
    before, after = _name(b"a/" + original.name), _name(b"b/" + original.name)
    lines = original.raw.split(b"\n")
    if not lines[-1]:
        lines.pop()
    # A blank in a name would end it, but for the tab that git writes there too.
    tab = "\t" if b" " in original.name else ""
    head = f"diff --git {before} {after}\n--- {before}{tab}\n+++ {after}{tab}\n"
    unended = -1 if original.raw.endswith(b"\n") else len(lines) - 1
    return head + "".join(_hunk(lines, made, start, stop, unended) for start, stop in _stretches(made, len(lines)))


def _stretches(made: Iterable[int], length: int) -> Iterator[tuple[int, int]]:
    """First and past-last line of each hunk."""
    start = stop = -1
    for number in sorted(made):
        if stop < 0 or number - CONTEXT > stop:
            if stop >= 0:
                yield start, stop
            start = max(0, number - CONTEXT)
        stop = min(length, number + CONTEXT + 1)
    yield start, stop


def _hunk(lines: list[bytes], made: Mapping[int, bytes], start: int, stop: int, unended: int) -> str:
    out = [f"@@ -{start + 1},{stop - start} +{start + 1},{stop - start} @@\n"]
    for number in range(start, stop):
        both = [("-", lines[number]), ("+", made[number])] if number in made else [(" ", lines[number])]
        end = "\n\\ No newline at end of file\n" if number == unended else "\n"
        out += [f"{sign}{line.decode('utf-8', 'surrogateescape')}{end}" for sign, line in both]
    return "".join(out)


def _name(raw: bytes) -> str:
    """A name as git quotes it."""
    if not _QUOTED.search(raw):
        return raw.decode()
    return '"' + "".join(_spelled(byte) for byte in raw) + '"'


def _spelled(byte: int) -> str:
    if byte in _ESCAPES:
        return f"\\{_ESCAPES[byte]}"
    return chr(byte) if 32 <= byte < 127 else f"\\{byte:03o}"
