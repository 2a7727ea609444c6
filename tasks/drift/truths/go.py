"""Go: constants, flags, defaults in struct tags, and the fields of what is named a default."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from schemas.claims import Truth
from tasks.drift.tree import TextFile
from tasks.drift.truths.code_values import code_value
from tasks.drift.truths.grammar import captured, line_of, source
from tasks.drift.truths.value import MAX_OPTION, Value, truth

if TYPE_CHECKING:
    from tree_sitter import Node

_QUERY = """
(const_spec) @constant
(function_declaration) @scope
(method_declaration) @scope
(var_spec) @scope
(composite_literal) @literal
(keyed_element) @field
(call_expression) @call
(field_declaration tag: (_)) @tagged
"""
_DEFAULT = re.compile(r"[Dd]efault")
_FLAG = re.compile(
    r"(?:Bool|String|Int|Int32|Int64|Uint|Uint32|Uint64|Float32|Float64|Duration|StringSlice|IntSlice|StringArray)(Var)?(P)?$"
)
_GETTER = re.compile(r"[Ee]nv")
_CONSTANT = re.compile(r"[A-Z][A-Z0-9_]+")
_KINGPIN = re.compile(r"\.Flag\(\"([\w.\-]{1,80})\",[^`]{0,2000}\.Default$", re.DOTALL)
_TAG = re.compile(r"(\w{1,40}):\"([^\"]{0,200})\"")
_NAMING = ("env", "envconfig", "yaml", "json", "mapstructure", "toml", "koanf")
_MAX_CALL = 4_000


def reads_go(file: TextFile) -> bool:
    """Whether a file is Go source and no test."""
    return file.suffix == "go" and not file.name.endswith("_test.go")


def read_go(file: TextFile) -> Iterator[Truth]:
    """Every default that is a literal."""
    scopes: list[Node] = []
    literals: list[Node] = []
    for node, name in captured("go", _QUERY, file.text):
        for nodes in (scopes, literals):
            while nodes and nodes[-1].end_byte <= node.start_byte:
                nodes.pop()
        if name == "scope" and _DEFAULT.search(source(node.child_by_field_name("name"))):
            scopes.append(node)
        elif name == "literal":
            literals.append(node)
        for option, value in _truths_of(node, name, scopes, literals):
            if len(option) <= MAX_OPTION and value.kind != "computed":
                yield truth(file, "go", option, line_of(node), value)


def _truths_of(node: Node, name: str, scopes: Sequence[Node], literals: Sequence[Node]) -> Iterator[tuple[str, Value]]:
    if name == "constant":
        yield from _constants(node)
    elif name == "field" and scopes and literals and node.named_child_count == 2:
        struct = source(literals[-1].child_by_field_name("type"))[:MAX_OPTION]
        yield (
            f"{struct.rpartition('.')[2]}.{source(node.named_child(0))[:MAX_OPTION]}",
            code_value(_short(node.named_child(1))),
        )
    elif name == "call":
        yield from _call(node)
    elif name == "tagged":
        yield from _tagged(node)


def _short(node: Node | None) -> str:
    return source(node) if node is not None and node.end_byte - node.start_byte < _MAX_CALL else ""


def _constants(node: Node) -> Iterator[tuple[str, Value]]:
    names, values = node.children_by_field_name("name"), node.child_by_field_name("value")
    given = values.named_children if values is not None else []
    for name, value in zip([one for one in names if one.type == "identifier"], given, strict=False):
        yield source(name), code_value(_short(value))


def _call(node: Node) -> Iterator[tuple[str, Value]]:
    function, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
    if arguments is None or function is None or function.end_byte - function.start_byte > _MAX_CALL:
        return
    given = [source(one) for one in arguments.named_children[:5]]
    called = source(function)
    if found := _FLAG.search(called.rpartition(".")[2]):
        yield from _flag(given, bool(found[1]), bool(found[2]))
    elif _GETTER.search(called) and len(given) == 2 and _CONSTANT.fullmatch(given[0].strip('"')):
        yield given[0].strip('"'), code_value(given[1])
    elif len(given) == 1 and (found := _KINGPIN.search(called)):
        yield f"--{found[1]}", code_value(given[0])


def _flag(given: Sequence[str], by_pointer: bool, with_letter: bool) -> Iterator[tuple[str, Value]]:
    """`Int("x", 5, "usage")`, `IntVar(&x, "x", 5, ...)`, `IntP("x", "p", 5, ...)`, `IntVarP(&x, "x", "p", 5, ...)`."""
    name, default = int(by_pointer), 1 + by_pointer + with_letter
    if len(given) == default + 2 and (flag := code_value(given[name])).kind == "string" and " " not in flag.text:
        yield f"--{flag.text}", code_value(given[default])


def _tagged(node: Node) -> Iterator[tuple[str, Value]]:
    tags = dict(_TAG.findall(source(node.child_by_field_name("tag"))[:_MAX_CALL]))
    default = tags.get("default", tags.get("envDefault"))
    if default is not None:
        named = [tags[name].partition(",")[0] for name in _NAMING if tags.get(name)]
        field = source(node.child_by_field_name("name"))
        yield from ((name, Value(default, "string")) for name in filter(None, named or [field]))
