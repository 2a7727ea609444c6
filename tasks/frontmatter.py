"""Front matter: the YAML between two `---` lines that a document begins with, read within bounds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

MAX_CHARS = 65_536
MAX_EVENTS = 10_000
MAX_DEPTH = 20
MAX_ALIASES = 20
"""Ten thousand values can be made of eight lines of aliases to aliases."""

_NULLS = frozenset({"null", "~"})

Value = str | list["Value"] | dict[str, "Value"]
"""All scalars stay as they are spelled: `no`, 007 and 2024-02-30 are what somebody wrote, and no more.

But for a null, which is as empty as nothing, and a key that stands twice: it holds a list of both values.
"""


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """What a document says of itself before it begins."""

    values: Mapping[str, Value] = field(default_factory=dict)
    lines: int = 0
    """How many lines it takes, its two marks included; 0 without front matter."""
    broken: str = ""
    """Why its values can't be read."""


def read_front_matter(text: str) -> FrontMatter:
    """The front matter of a text with `\\n` line ends; broken front matter has lines and no values."""
    if not text.startswith("---"):
        return FrontMatter()
    lines = text[: 2 * MAX_CHARS].split("\n")
    if lines[0].rstrip() != "---":
        return FrontMatter()
    end = next((number for number, line in enumerate(lines[1:], start=2) if line.rstrip() in ("---", "...")), 0)
    if not end:
        return FrontMatter()
    values = read_mapping("\n".join(lines[1 : end - 1]))
    return FrontMatter({}, end, values) if isinstance(values, str) else FrontMatter(values, end)


def read_mapping(text: str) -> Mapping[str, Value] | str:
    """The keys and values of a YAML (or JSON) text; or why it has none."""
    import yaml

    if len(text) > MAX_CHARS:
        return f"over {MAX_CHARS:,} characters"
    if why := _beyond_bounds(text):
        return why
    try:
        values = yaml.load(text, Loader=_loader())  # noqa: S506 - it builds texts, lists and maps alone
    except (yaml.YAMLError, ValueError) as error:
        return _said(error)
    if values == "" or values is None:
        return {}
    return values if isinstance(values, dict) else "no keys and values"


def strings(value: Value | None) -> tuple[str, ...]:
    """A value as a list of texts, whether it was written as one or as a list; what is nested is left out."""
    items = value if isinstance(value, list) else [value]
    return tuple(stripped for item in items if isinstance(item, str) and (stripped := item.strip()))


@cache
def _loader() -> Any:
    """What builds texts, lists and maps, whatever a tag asks for: safer than the safe one."""
    import yaml

    base: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
    return type("Loader", (base,), {"construct_scalar": _scalar, "construct_mapping": _mapping})


def _scalar(_loader: Any, node: Any) -> str:
    return "" if node.value in _NULLS and not node.style else str(node.value)


def _mapping(loader: Any, node: Any, deep: bool = False) -> dict[str, Value]:
    """The keys and values of a node: the last of two equal keys would win, and the first may have hidden something."""
    from yaml.constructor import ConstructorError

    made: dict[str, Value] = {}
    for key_node, value_node in node.value:
        if not isinstance(key_node.value, str):
            raise ConstructorError(None, None, "a key is no text", key_node.start_mark)
        value: Value = loader.construct_object(value_node, deep=deep)
        made[key_node.value] = joined(made[key_node.value], value) if key_node.value in made else value
    return made


def joined(one: Value, other: Value) -> list[Value]:
    """Both values of a key that stands twice."""
    return [item for value in (one, other) for item in (value if isinstance(value, list) else [value])]


def _beyond_bounds(text: str) -> str:
    # By events, which are not nested: composing a hundred thousand brackets would overflow the stack.
    import yaml

    depth = aliases = 0
    try:
        for count, event in enumerate(yaml.parse(text, Loader=getattr(yaml, "CBaseLoader", yaml.BaseLoader))):
            depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
            aliases += isinstance(event, yaml.AliasEvent)
            if count > MAX_EVENTS or depth > MAX_DEPTH or aliases > MAX_ALIASES:
                return "too many values, levels or aliases"
    except (yaml.YAMLError, ValueError) as error:
        return _said(error)
    return ""


def _said(error: Exception) -> str:
    problem = getattr(error, "problem", None) or str(error)
    mark = getattr(error, "problem_mark", None)
    return f"{problem} (line {mark.line + 1})" if mark else str(problem)
