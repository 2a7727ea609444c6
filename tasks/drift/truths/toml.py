"""TOML config files: values by the standard library, lines by scanning; tables joined to their keys by dots."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from schemas.claims import Truth
from tasks.drift.tree import TextFile
from tasks.drift.truths.assignments import MAX_LINE
from tasks.drift.truths.scope import bare_name, bare_suffix
from tasks.drift.truths.value import MAX_OPTION, Value, computed, truth, unquoted

_SET_UP = frozenset(
    f"{name}.toml"
    for name in ("pyproject", "cargo", "rust-toolchain", "rustfmt", "clippy", "netlify", "ruff", "uv", "deny", "cross")
)
_PART = r"(?:[\w\-]+|\"[^\"\n]*\"|'[^'\n]*')"
_KEY = rf"{_PART}(?:[ \t]*\.[ \t]*{_PART}){{0,20}}"
_MANY_PARTS = r"(?:\.\s*[\w\-\"']+\s*){30}"
_TABLE = re.compile(rf"[ \t]*(\[\[?)[ \t]*({_KEY})[ \t]*\]\]?[ \t]*(?:#.*)?$")
_SETTING = re.compile(rf"[ \t]*({_KEY})[ \t]*=(.*)$")
_COMMENTED = re.compile(rf"#[ \t]?({_PART})[ \t]*=[ \t]*(\S.*)$")


def reads_toml(file: TextFile) -> bool:
    """Whether a file is a config file in TOML, and not the set-up of a tool for developers."""
    return bare_suffix(file) == "toml" and bare_name(file) not in _SET_UP and not file.name.startswith(".")


def read_toml(file: TextFile) -> Iterator[Truth]:
    """Every key whose value is a scalar or a list of scalars, commented-out ones marked as such."""
    values = _parse(file.text)
    if values is None:
        return
    table: list[str] = []
    for number, line in enumerate(file.lines, start=1):
        if len(line) > MAX_LINE:
            continue
        if found := _TABLE.match(line):
            table = _parts(found[2])
        elif (off := _COMMENTED.match(line)) and (parsed := _parse(line[1:])):
            value = _value(next(iter(parsed.values())), off[2])
            yield from _truths(file, [*table, *_parts(off[1])], number, value, commented=True)
        elif found := _SETTING.match(line):
            path = [*table, *_parts(found[1])]
            if (given := _look_up(values, path)) is not _NOTHING:
                yield from _truths(file, path, number, _value(given, found[2]))


_NOTHING = object()


def _parse(text: str) -> dict[str, Any] | None:
    import tomllib

    import re2

    # The standard library takes quadratic time over the parts of a key: half a minute for one of 500 kB.
    if re2.search(_MANY_PARTS, text):
        return None
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError):
        return None


def _parts(key: str) -> list[str]:
    return [part.strip("\"'") for part in re.findall(_PART, key)]


def _look_up(values: Any, path: Sequence[str]) -> Any:
    """The value at a path; in an array of tables only where that has one."""
    for part in path:
        if isinstance(values, list) and len(values) == 1:
            values = values[0]
        if not isinstance(values, dict) or part not in values:
            return _NOTHING
        values = values[part]
    return values


def _truths(
    file: TextFile, path: Sequence[str], line: int, value: Value | None, *, commented: bool = False
) -> Iterator[Truth]:
    option = ".".join(path)
    if value is not None and len(option) <= MAX_OPTION:
        yield truth(file, "toml", option, line, value, commented=commented)


def _value(value: Any, raw: str) -> Value | None:
    match value:
        case _ if "{{" in raw:
            return computed(unquoted(raw)[0])
        case bool() | int() | float():
            return Value(unquoted(raw)[0], "boolean" if isinstance(value, bool) else "number")
        case str():
            return Value(value, "string")
        case dict():
            return None if value else Value("{}", "map")
        case list():
            return _list(value)
        case _:
            return Value(unquoted(raw)[0], "string")


def _list(items: list[Any]) -> Value:
    if any(isinstance(item, list | dict) for item in items):
        return computed("")
    return Value(f"[{', '.join(str(item) for item in items)}]", "list")
