"""PHP, line by line: constants, settings in arrays, and what stands in for a variable of the environment."""

from __future__ import annotations

import re
from collections.abc import Iterator

from schemas.claims import Truth
from tasks.drift.tree import TextFile
from tasks.drift.truths.assignments import MAX_LINE
from tasks.drift.truths.code_values import LITERAL, code_value
from tasks.drift.truths.scope import bare_suffix
from tasks.drift.truths.value import truth

_NAME = r"([A-Z][A-Z0-9_]{1,99})"
_END = rf"[ \t]*({LITERAL})[ \t]*[;,)]"
_COMMENT = re.compile(r"[ \t]*(?://|#|\*|/\*)")
_FORMS = tuple(
    re.compile(before + _END)
    for before in (
        rf"^[ \t]*(?:(?:final|public|protected|private)[ \t]+){{0,2}}const[ \t]+(?:\??\w{{1,20}}[ \t]+)?{_NAME}[ \t]*=",
        rf"\bdefine\([ \t]*['\"]{_NAME}['\"],",
        r"\bgetenv\(['\"](\w{1,99})['\"]\)[ \t]*(?:\?:|\?\?)",
        r"\$_(?:ENV|SERVER)\[['\"](\w{1,99})['\"]\][ \t]*\?\?",
        rf"\b(?:env|setting|config|option|(?!set|put)\w{{1,30}}_env|get_?[Ee]nv\w{{0,20}})\([ \t]*['\"]{_NAME}['\"],",
    )
)
_ITEM = re.compile(
    r"^[ \t]*\$(\w{0,20}(?:conf|cfg|setting|option|default)\w{0,20})((?:\[['\"][\w.\-]{1,60}['\"]\]){1,4})[ \t]*="
    + _END,
    re.IGNORECASE,
)


def reads_php(file: TextFile) -> bool:
    """Whether a file is a PHP script."""
    return bare_suffix(file) == "php"


def read_php(file: TextFile) -> Iterator[Truth]:
    """Every default that is a literal and stands on one line with its name."""
    for number, line in enumerate(file.lines, start=1):
        if len(line) <= MAX_LINE and ("'" in line or '"' in line or "const" in line) and not _COMMENT.match(line):
            for form in _FORMS:
                for found in form.finditer(line):
                    yield truth(file, "php", found[1], number, code_value(found[2]))
            if item := _ITEM.match(line):
                option = ".".join([item[1], *re.findall(r"[\w.\-]+", item[2])])
                yield truth(file, "php", option, number, code_value(item[3]))
