"""Go, line by line: constants, flags, defaults in struct tags, and the fields of what is named a default."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from schemas.claims import Truth
from tasks.drift.tree import TextFile
from tasks.drift.truths.assignments import MAX_LINE
from tasks.drift.truths.code_values import LITERAL, code_value
from tasks.drift.truths.value import Value, truth, untyped

_TYPE = r"(?:Bool|String|Int|Int32|Int64|Uint|Uint32|Uint64|Float32|Float64|Duration|StringSlice|IntSlice|StringArray)"
_CONSTANT = re.compile(
    rf"^(?:const[ \t]+|[ \t]+)([A-Za-z_]\w{{0,99}})(?:[ \t]+[\w.]{{1,60}})?[ \t]*=[ \t]*({LITERAL})[ \t]*(?://.*)?$"
)
_FLAG = re.compile(rf"\.{_TYPE}P?\(\"([\w.\-]{{1,80}})\", *(?:\"\w?\", *)?({LITERAL}),")
_FLAG_VAR = re.compile(
    rf"\.{_TYPE}VarP?\([^,\n]{{1,100}},[ \t]*\"([\w.\-]{{1,80}})\", *({LITERAL}),(?: *({LITERAL}),)?"
)
_KINGPIN = re.compile(rf"\bFlag\(\"([\w.\-]{{1,80}})\",.{{0,500}}?\)\.Default\(({LITERAL})\)")
_GETTER = re.compile(
    rf"\b(?![Ss]et|[Uu]nset|[Pp]ut)\w{{0,40}}[Ee]nv\w{{0,40}}\(\"([A-Z][A-Z0-9_]{{1,99}})\",[ \t]*({LITERAL})[ \t]*\)"
)
_TAGS = re.compile(r"^[ \t]+(\w{1,99})[ \t]+[^`\n]{1,200}`([^`\n]{1,1000})`")
_TAG = re.compile(r"(\w{1,40}):\"([^\"]{0,200})\"")
_NAMING = ("env", "envconfig", "yaml", "json", "mapstructure", "toml", "koanf")
_SCOPE = re.compile(r"^(?:func|var|const)\b[^={(]{0,100}?(?:\([^)]{0,100}\)[ \t]*)?\w{0,60}[Dd]efault\w{0,60}")
_FIELD = re.compile(rf"^[ \t]+([A-Z]\w{{0,99}}):[ \t]*({LITERAL}),[ \t]*(?://.*)?$")
_COMMENT = re.compile(r"[ \t]*(?://|\*|/\*)")


def reads_go(file: TextFile) -> bool:
    """Whether a file is Go source and no test."""
    return file.suffix == "go" and not file.name.endswith("_test.go")


def read_go(file: TextFile) -> Iterator[Truth]:
    """Every default that is a literal and stands on one line with its name."""
    constants = default = False
    for number, line in enumerate(file.lines, start=1):
        if len(line) > MAX_LINE or _COMMENT.match(line):
            continue
        # gofmt leaves only declarations and closing brackets at the margin.
        if line[:1].isalpha():
            constants, default = line.startswith("const"), bool(_SCOPE.match(line))
        for option, value in _truths_of(line, constants, default):
            yield truth(file, "go", option, number, value)


def _truths_of(line: str, constants: bool, default: bool) -> Iterator[tuple[str, Value]]:
    found = (_CONSTANT.match(line) if constants else None) or (_FIELD.match(line) if default else None)
    if found:
        yield found[1], code_value(found[2])
    elif tags := _TAGS.match(line):
        yield from _tagged(tags[1], dict(_TAG.findall(tags[2])))
    else:
        yield from _called(line)


def _called(line: str) -> Iterator[tuple[str, Value]]:
    if found := _FLAG.search(line):
        yield f"--{found[1]}", code_value(found[2])
    elif found := _FLAG_VAR.search(line):
        yield f"--{found[1]}", code_value(found[3] if "VarP(" in found[0] and found[3] else found[2])
    elif found := _KINGPIN.search(line):
        yield f"--{found[1]}", code_value(found[2])
    for found in _GETTER.finditer(line):
        yield found[1], code_value(found[2])


def _tagged(field: str, tags: dict[str, str]) -> Iterator[tuple[str, Value]]:
    default = tags.get("default", tags.get("envDefault"))
    if default is not None:
        named: Sequence[str] = [tags[name].partition(",")[0] for name in _NAMING if tags.get(name)]
        yield from ((name, untyped(default)) for name in named or [field] if name)
