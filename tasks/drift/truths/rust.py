"""Rust: `const` and `static` items."""

import re
from collections.abc import Iterator

from schemas.claims import Truth
from tasks.drift.tree import TextFile
from tasks.drift.truths.assignments import MAX_LINE
from tasks.drift.truths.code_values import code_value
from tasks.drift.truths.value import truth

_ITEM = re.compile(
    r"[ \t]*(?:pub(?:\([^)\n]{0,40}\))?[ \t]+)?(?:const|static)[ \t]+([A-Z_][A-Z0-9_]{0,99})[ \t]*:"
    r"[^=\n]{1,100}=[ \t]*+([^;]+);"
)


def reads_rust(file: TextFile) -> bool:
    """Whether a file is Rust source."""
    return file.suffix == "rs"


def read_rust(file: TextFile) -> Iterator[Truth]:
    """Every constant on one line that is a literal."""
    for number, line in enumerate(file.lines, start=1):
        if len(line) <= MAX_LINE and (found := _ITEM.match(line)):
            value = code_value(found[2])
            if value.kind != "computed" or value.refers:
                yield truth(file, "rust", found[1], number, value)
