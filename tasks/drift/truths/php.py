"""PHP: constants, settings in arrays, and what stands in for a variable of the environment that is not set."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from schemas.claims import Truth
from tasks.drift.tree import TextFile
from tasks.drift.truths.code_values import code_value
from tasks.drift.truths.grammar import captured, line_of, source
from tasks.drift.truths.scope import bare_suffix
from tasks.drift.truths.value import MAX_OPTION, Value, truth

if TYPE_CHECKING:
    from tree_sitter import Node

_QUERY = """
(const_element) @constant
(function_call_expression function: (name)) @call
(conditional_expression) @fallback
(binary_expression operator: "??") @fallback
(assignment_expression left: (subscript_expression)) @item
"""
_CONSTANT = re.compile(r"[A-Z][A-Z0-9_]+")
_LOOK_UP = re.compile(r"(?:getenv\(|\$_(?:ENV|SERVER)\[)['\"]([A-Za-z_]\w{0,99})['\"][)\]]")
_ITEM = re.compile(r"\$(\w{1,50})((?:\[['\"][\w.\-]{1,60}['\"]\]){1,4})")
_SETTINGS = re.compile(r"conf|cfg|config|setting|option|param|default", re.IGNORECASE)


def reads_php(file: TextFile) -> bool:
    """Whether a file is a PHP script."""
    return bare_suffix(file) == "php"


def read_php(file: TextFile) -> Iterator[Truth]:
    """Every default that is a literal."""
    for node, name in captured("php", _QUERY, file.text):
        for option, value in _READ[name](node):
            if len(option) <= MAX_OPTION and (value.kind != "computed" or value.refers):
                yield truth(file, "php", option, line_of(node), value)


def _constant(node: Node) -> Iterator[tuple[str, Value]]:
    if node.named_child_count == 2:
        yield source(node.named_child(0)), code_value(source(node.named_child(1)))


def _call(node: Node) -> Iterator[tuple[str, Value]]:
    """`define('X', v)`, and helpers such as `env('X', v)`."""
    arguments = node.child_by_field_name("arguments")
    if arguments is not None and arguments.named_child_count == 2:
        first, second = (code_value(source(argument)) for argument in arguments.named_children)
        if first.kind == "string" and _CONSTANT.fullmatch(first.text):
            yield first.text, second


def _fallback(node: Node) -> Iterator[tuple[str, Value]]:
    """`getenv('X') ?: v` and `$_ENV['X'] ?? v`."""
    if node.type == "conditional_expression":
        looked_up, value = node.child_by_field_name("condition"), node.child_by_field_name("alternative")
        if node.child_by_field_name("body") is not None:
            return
    else:
        looked_up, value = node.child_by_field_name("left"), node.child_by_field_name("right")
    text = source(looked_up) if looked_up is not None and looked_up.end_byte - looked_up.start_byte < 200 else ""
    if found := _LOOK_UP.fullmatch(text):
        yield found[1], code_value(source(value))


def _item(node: Node) -> Iterator[tuple[str, Value]]:
    """`$conf['mail']['port'] = v`."""
    left = node.child_by_field_name("left")
    text = source(left) if left is not None and left.end_byte - left.start_byte < MAX_OPTION else ""
    if (found := _ITEM.fullmatch(text)) and _SETTINGS.search(found[1]):
        yield (
            ".".join([found[1], *re.findall(r"[\w.\-]+", found[2])]),
            code_value(source(node.child_by_field_name("right"))),
        )


_READ = {"constant": _constant, "call": _call, "fallback": _fallback, "item": _item}
