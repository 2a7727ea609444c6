"""YAML defaults and values: chart values, role defaults and vars, config files; nested keys joined by dots."""

from __future__ import annotations

import re
from collections.abc import Iterator

from schemas.claims import Truth
from tasks.drift.tree import TextFile
from tasks.drift.truths.compose import is_compose
from tasks.drift.truths.scope import bare_suffix
from tasks.drift.truths.value import MAX_OPTION, Value, computed, truth, untyped
from tasks.drift.truths.yaml_nodes import Many, Node, Scalar, read_nodes

MAX_LIST = 2_000
"""Characters of a list as one value; a longer one is data."""

_NOT_VALUES = re.compile(
    r"\.pre-commit|\.travis|\.gitlab-ci|mkdocs\.ya?ml$|chart\.ya?ml$|requirements\.ya?ml$"
    r"|galaxy\.ya?ml$|openapi|swagger|.*crds?[-./]|\.|codecov|appveyor"
)
_FOLDERS = frozenset({"tasks", "handlers", "meta", "crds", "workflows", "templates"})
_PLAIN_KEY = re.compile(r"[\w./\-$@%+]+(?: [\w./\-]+){0,3}$")
_NULLS = frozenset({"", "~", "null", "Null", "NULL"})
_JINJA = re.compile(r"\{\{-?\s{0,4}([A-Za-z_][\w.]{0,99})\s{0,4}(?:\|[^{}|]{0,200}){0,5}-?\}\}")


def reads_yaml(file: TextFile) -> bool:
    """Whether a file holds values: YAML that is no task list, manifest, chart or set-up of a service for developers."""
    if bare_suffix(file) not in ("yaml", "yml") or _NOT_VALUES.match(file.name.lower()):
        return False
    return _FOLDERS.isdisjoint(file.folder.split("/")) and not is_compose(file) and not _is_manifest(file.text)


def read_yaml(file: TextFile) -> Iterator[Truth]:
    """Every scalar and list by its dotted keys, and empty maps; what is in a list of maps only where that has one."""
    for root in read_nodes(file.text):
        if isinstance(root, Many) and root.is_map:
            for option, line, value in _below(root, ""):
                yield truth(file, "yaml", option, line, value)


def _is_manifest(text: str) -> bool:
    return bool(re.search(r"^apiVersion:", text, re.MULTILINE) and re.search(r"^kind:", text, re.MULTILINE))


def _below(many: Many, above: str) -> Iterator[tuple[str, int, Value]]:
    for key, node in many.pairs:
        if not isinstance(key, Scalar) or not _PLAIN_KEY.match(key.text) or len(above) + len(key.text) > MAX_OPTION:
            continue
        option = above + key.text
        if isinstance(node, Many):
            yield from _nested(node, option, key.line)
        elif isinstance(node, Scalar):
            yield option, key.line, scalar_value(node)


def _nested(many: Many, option: str, line: int) -> Iterator[tuple[str, int, Value]]:
    if not many.items:
        yield option, line, Value("{}", "map") if many.is_map else Value("[]", "list")
    elif many.is_map:
        yield from _below(many, f"{option}.")
    elif all(isinstance(item, Scalar) for item in many.items):
        yield option, line, list_value(many.items)
    elif len(many.items) == 1 and isinstance(many.items[0], Many) and many.items[0].is_map:
        yield from _below(many.items[0], f"{option}.")
    else:
        yield option, line, computed("")


def scalar_value(node: Scalar) -> Value:
    """The value of a scalar by the rules of YAML 1.1; computed where a tag or a template makes it."""
    text = node.text
    if node.tag or "{{" in text or "{%" in text:
        found = _JINJA.fullmatch(text)
        return computed(text, found[1] if found and not node.tag else "")
    if not node.plain:
        return Value(text, "string")
    return Value("", "null") if text in _NULLS else untyped(text)


def list_value(items: list[Node]) -> Value:
    """A list of scalars as one value, `[a, b]`; computed where one of them is, or where it is long."""
    values = [scalar_value(item) for item in items if isinstance(item, Scalar)]
    text = f"[{', '.join(value.text for value in values)}]"
    if len(text) > MAX_LIST:
        return computed(text[:MAX_LIST])
    return computed(text) if any(value.kind == "computed" for value in values) else Value(text, "list")
