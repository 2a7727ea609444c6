"""The command lines that documents show: in blocks of shell code, and in code type inside of prose."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tasks.drift.pages import Fence, Page

SHELLS = frozenset({"", "bash", "sh", "shell", "console", "zsh", "shell-session", "shellsession", "terminal"})
"""Languages of blocks that hold commands; without a language, a block may."""

MAX_LINE = 2_000
_PROMPT = re.compile(r"^\s*(?:[\w.@~:/-]{0,60}[$%] |\$ |> )?\s*")
_SPLIT = re.compile(r"&&|\|\||[;|&]")
_GAP = re.compile(r"(?<=\S)\s{3,}")
"""What follows is a remark in a column of its own."""

_ASSIGNMENT = re.compile(r"[A-Za-z_]\w{0,60}=\S*$")
_ELSEWHERE = frozenset({"git", "docker", "ssh", "vagrant", "kubectl"})
_ENTERS = (("clone",), ("exec",), ("run",), ("ssh",))
_STARTERS = frozenset({"sudo", "time", "exec", "nohup", "env", "nice", "then", "do", "command"})


@dataclass(frozen=True, slots=True)
class Command:
    """One simple command."""

    line: int
    words: tuple[str, ...]
    """Without assignments and `sudo` before it; quotes are not taken off."""
    folder: str | None
    """Where an earlier `cd` of the block leads: empty for nowhere else, None when that can't be told."""


def commands(page: Page) -> Iterator[Command]:
    """The commands of a page, block by block, then those in prose."""
    for fence in page.fences:
        if fence.language in SHELLS:
            yield from _of_fence(fence)
    for span in page.spans:
        if " " in span.text:
            yield from _of_fence(Fence(span.line, "", (span.text,)))


def _of_fence(fence: Fence) -> Iterator[Command]:
    folder: str | None = ""
    for number, line in _joined(fence.lines):
        for words in _simple(line):
            if words[0] in ("cd", "pushd"):
                folder = _entered(folder, words)
            elif words[0] in _ELSEWHERE and words[1:2] in _ENTERS:
                folder = None
            else:
                yield Command(fence.line + number, words, folder)


def _entered(folder: str | None, words: Sequence[str]) -> str | None:
    place = words[1].strip("\"'").rstrip("/") if len(words) > 1 else "~"
    if folder is None or place.startswith(("~", "/", "$", "<", "-")):
        return None
    return f"{folder}/{place}".strip("/")


def _joined(lines: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Index and text of each line, with those that it continues on joined to it."""
    start, held = 0, ""
    for index, line in enumerate(lines):
        start = start if held else index
        held += line[:MAX_LINE]
        if held.endswith("\\") and len(held) < MAX_LINE:
            held = held[:-1] + " "
            continue
        yield start, held
        held = ""


def _simple(line: str) -> Iterator[tuple[str, ...]]:
    """The simple commands of a line, up to a comment."""
    text = _PROMPT.sub("", line[:MAX_LINE], count=1)
    if text.startswith("#"):
        return
    for part in _SPLIT.split(_GAP.split(text.partition(" #")[0].rstrip(), maxsplit=1)[0]):
        words = part.split()
        while words and (words[0] in _STARTERS or _ASSIGNMENT.match(words[0])):
            words.pop(0)
        if words:
            yield tuple(words)
