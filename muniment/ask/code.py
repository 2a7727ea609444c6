"""Which lines of a document no person says: code, and what stands for other files."""

import re
from collections.abc import Iterator, Sequence

_FENCE = re.compile(r"[ \t]{0,20}(`{3,}|~{3,})")
_DIRECTIVE = re.compile(
    r"[ \t]*\.\. (?:include|image|figure|literalinclude|toctree|contents|highlight|role|code|code-block|sourcecode"
    r"|parsed-literal|raw|math|graphviz|auto\w{1,20})::"
    r"|[ \t]*\.\. (?![\w:+-]{1,60}::|[_\[|])\S"  # a comment
)


def code_lines(text: str) -> frozenset[int]:
    """The lines, from 0, of blocks between fences, one that is never closed to its end; in reStructuredText what a `::`
    announces, and directives that stand for code or other files, with all that is theirs."""
    lines = text.split("\n")
    fenced = frozenset(_fenced(lines))
    return fenced | frozenset(number for number in _indented(lines) if number not in fenced)


def _fenced(lines: Sequence[str]) -> Iterator[int]:
    mark = ""
    for number, line in enumerate(lines):
        fence = _FENCE.match(line)
        if mark or fence:
            yield number
        if fence and not mark:
            mark = fence[1]
        elif fence and fence[1].startswith(mark) and not line.strip(" \t`~"):
            mark = ""


def _indented(lines: Sequence[str]) -> Iterator[int]:
    depth, announced = -1, -1
    for number, line in enumerate(lines):
        indent = len(line) - len(line.lstrip())
        if line.strip():
            depth = announced if 0 <= announced < indent else depth if 0 <= depth < indent else -1
            announced = -1
        if depth >= 0:
            yield number
        elif _DIRECTIVE.match(line):
            yield number
            depth = indent
        elif line.rstrip().endswith("::") and not line.lstrip().startswith(".. "):
            announced = indent
