"""C and C++: `#define NAME literal`."""

import re
from collections.abc import Iterator

from schemas.claims import Truth
from tasks.drift.tree import TextFile
from tasks.drift.truths.assignments import MAX_LINE
from tasks.drift.truths.code_values import code_value
from tasks.drift.truths.value import truth

_SUFFIXES = frozenset({"c", "h", "cc", "cpp", "cxx", "hpp", "hh", "hxx"})
_DEFINE = re.compile(r"[ \t]*#[ \t]*define[ \t]+([A-Za-z_]\w{0,99})[ \t]+(\S.*)$")
_COMMENT = re.compile(r"(?<![ \t])[ \t]*(?:/\*.*|//.*)$")


def reads_c(file: TextFile) -> bool:
    """Whether a file is C or C++ source."""
    return file.suffix in _SUFFIXES and "define" in file.text


def read_c(file: TextFile) -> Iterator[Truth]:
    """Every macro without parameters that stands for a literal."""
    for number, line in enumerate(file.lines, start=1):
        if "define" in line and len(line) <= MAX_LINE and (found := _DEFINE.match(line)):
            value = code_value(_without_comment(found[2]))
            if value.kind != "computed" or value.refers:
                yield truth(file, "c", found[1], number, value)


def _without_comment(text: str) -> str:
    end = text.rfind('"')
    return text[: end + 1] + _COMMENT.sub("", text[end + 1 :])
