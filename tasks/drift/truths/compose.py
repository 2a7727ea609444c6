"""Compose files: the defaults of `${V:-d}`, and the variables that `environment` sets."""

from __future__ import annotations

import re
from collections.abc import Iterator

from schemas.claims import Truth
from tasks.drift.tree import TextFile
from tasks.drift.truths.assignments import MAX_LINE
from tasks.drift.truths.scope import bare_name, bare_suffix
from tasks.drift.truths.substitution import substituted, substitutions
from tasks.drift.truths.value import Value, computed, truth, unquoted, untyped
from tasks.drift.truths.yaml_nodes import Many, Node, Scalar, read_nodes

_NAME = re.compile(r"(?:.*[.\-_])?compose\b[^/]*\.ya?ml$")
_SERVICES = re.compile(r"^services:[ \t]*(?:#.*)?$", re.MULTILINE)
_SERVICE = re.compile(r"^[ \t]+(?:image|build):", re.MULTILINE)
_VARIABLE = re.compile(r"[A-Za-z_][\w.\-]{0,99}")


def is_compose(file: TextFile) -> bool:
    """Whether a YAML file describes services of Compose, by its name or by what it holds."""
    if bare_suffix(file) not in ("yaml", "yml"):
        return False
    return bool(_NAME.match(bare_name(file)) or (_SERVICES.search(file.text) and _SERVICE.search(file.text)))


def read_compose(file: TextFile) -> Iterator[Truth]:
    """Every default in a substitution, and every variable of an `environment`; one that is passed on has none."""
    for number, line in enumerate(file.lines, start=1):
        if "${" in line and len(line) <= MAX_LINE and not line.lstrip().startswith("#"):
            for name, value in substitutions(line):
                yield truth(file, "compose", name, number, value)
    for node in read_nodes(file.text):
        for name, at, value in _environments(node):
            yield truth(file, "compose", name, at, value)


def _environments(root: Node) -> Iterator[tuple[str, int, Value]]:
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if isinstance(node, Many):
            waiting.extend(node.items)
            if node.is_map:
                for key, value in node.pairs:
                    if isinstance(key, Scalar) and key.text == "environment" and isinstance(value, Many):
                        yield from _variables(value)


def _variables(many: Many) -> Iterator[tuple[str, int, Value]]:
    for key, item in many.pairs if many.is_map else ((item, item) for item in many.items):
        if not isinstance(key, Scalar) or not isinstance(item, Scalar):
            continue
        name, given, text = (
            (key.text, item.text or not item.plain, item.text) if many.is_map else key.text.partition("=")
        )
        text = unquoted(text)[0] if not many.is_map else text
        if given and _VARIABLE.fullmatch(name) and substituted(text) != name:
            yield name, key.line, _value(text)


def _value(text: str) -> Value:
    return computed(text, substituted(text)) if "$" in text.replace("$$", "") else untyped(text)
