"""Where the code blocks of a document stand."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

_FENCE = re.compile(r"[\s>]{0,12}(`{3,}|~{3,})\s*([\w+.-]*)")
_CODE_BLOCK = re.compile(r"\.\. (?:code|code-block|sourcecode|prompt|parsed-literal|literalinclude)::\s*([\w+.-]*)")


def code_lines(lines: Sequence[str], syntax: str) -> Mapping[int, str]:
    """Line inside of a code block -> the language that the block names, or nothing."""
    readers = {"markdown": _fenced, "asciidoc": _listings, "rst": _literals}
    return dict(readers[syntax](lines)) if syntax in readers else {}


def _fenced(lines: Sequence[str]) -> Iterator[tuple[int, str]]:
    fence, language = "", ""
    for number, line in enumerate(lines, start=1):
        found = _FENCE.match(line) if "```" in line or "~~~" in line else None
        if found and not fence:
            fence, language = found[1], found[2]
        elif found and found[1].startswith(fence) and not line[found.end(1) :].strip():
            fence = ""
        elif fence:
            yield number, language


def _listings(lines: Sequence[str]) -> Iterator[tuple[int, str]]:
    fence = ""
    for number, line in enumerate(lines, start=1):
        bare = line.rstrip()
        if len(bare) >= 4 and bare[0] in "-." and not bare.strip(bare[0]):
            fence = bare if not fence else "" if bare == fence else fence
        elif fence:
            yield number, ""


def _literals(lines: Sequence[str]) -> Iterator[tuple[int, str]]:
    """The indented blocks after `::` and below `code-block` directives, whose own options are no code."""
    indent, language, code = -1, "", False
    for number, line in enumerate(lines, start=1):
        bare = line.strip()
        if bare and len(line) - len(line.lstrip()) <= indent:
            indent = -1
        if indent >= 0 and bare:
            code = code or not bare.startswith(":")
            if code:
                yield number, language
        elif indent < 0 and (opened := _opens(bare)):
            language, code = opened
            indent = len(line) - len(line.lstrip())


def _opens(bare: str) -> tuple[str, bool] | None:
    """The language of the block that a line of reStructuredText opens, and whether it is code from its first line."""
    if bare.endswith("::") and not bare.startswith(".. "):
        return "", True
    found = _CODE_BLOCK.match(bare) if bare.startswith(".. ") else None
    return (found[1], False) if found else None
