"""Shell scripts: `${V:-d}`, `${V:=d}`, set-if-unset, and the first value that a variable is given unconditionally."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import TYPE_CHECKING

from schemas.claims import Truth
from tasks.drift.tree import TextFile
from tasks.drift.truths.grammar import Source, captured, line_of
from tasks.drift.truths.scope import bare_suffix
from tasks.drift.truths.shell_values import word_value
from tasks.drift.truths.value import Value, computed, truth

if TYPE_CHECKING:
    from tree_sitter import Node

MAX_TEST = 200
"""Characters of a test of one variable."""
MAX_HEREDOCS = 300
"""The grammar looks for the end of each one to the end of the text, without a pause in which it could be stopped."""

_SUFFIXES = frozenset({"sh", "bash", "ksh", "dash", "ash", "zsh"})
_SHEBANG = re.compile(r"#!.{0,100}?\b(?:ba|z|k|da|a)?sh\b")

_QUERY = """
(variable_assignment) @assignment
(command (variable_assignment) @prefix)
(expansion (variable_name)) @expansion
(function_definition) @function
(test_command) @test
(if_statement) @if
(list) @list
(case_item) @case
[(elif_clause) (else_clause) (while_statement) (for_statement) (c_style_for_statement) (subshell) (command_substitution)
 (pipeline)] @branch
"""
_LOCAL = frozenset({"local", "declare", "typeset"})
_CONDITIONS = frozenset({"if", "list", "case", "branch"})

# A test of nothing but one variable; every quantifier is bounded or followed by what it can't match.
_V = r"[\"']?\$\{?(\w{1,100})(?::?[-+][^}]{0,40})?\}?[\"']?"
_EMPTY = re.compile(rf"(?:\[\[?|test)\s+(?:-z\s+{_V}|!\s+-[nv]\s+{_V}|{_V}\s+==?\s+(?:''|\"\"))\s*(?:\]?\])?\s*;?$")
_FILLED = re.compile(rf"(?:\[\[?|test)\s+(?:-[nv]\s+{_V}|-v\s+(\w{{1,100}})|{_V})\s*(?:\]?\])?\s*;?$")
_FLAG = re.compile(r"(?<![\w-])--[A-Za-z][\w-]{0,60}")
_ARGUMENT = re.compile(r"[\"']?\$(?:2|OPTARG|\{2\b[^}]{0,80}\}|\{1#[^}]{0,40}\}|\{OPTARG\})[\"']?$")


class Form(Enum):
    """How a variable gets its value."""

    UNSET = auto()
    """Where it is unset: `${V:=d}`, `[ -z "$V" ] && V=d`."""
    READ = auto()
    """Where it is read: `${V:-d}`."""
    GUARD = auto()
    """Where a test reads it, as `set -u` asks for: `[[ -n ${V:-} ]]`."""
    TOP = auto()
    """Once, at the top level."""
    INSIDE = auto()
    """In a function; one that is exported there is given to what it calls, and is no default."""


@dataclass(frozen=True, slots=True)
class _Given:
    name: str
    line: int
    value: Value
    form: Form
    local: bool = False


@dataclass(slots=True)
class _Around:
    """What encloses the place that the sweep has reached."""

    conditions: list[tuple[Node, str]] = field(default_factory=list)
    functions: list[Node] = field(default_factory=list)
    tests: list[Node] = field(default_factory=list)

    def leave(self, position: int) -> None:
        """Forget what ends before a position."""
        while self.conditions and self.conditions[-1][0].end_byte <= position:
            self.conditions.pop()
        for nodes in (self.functions, self.tests):
            while nodes and nodes[-1].end_byte <= position:
                nodes.pop()


def reads_shell(file: TextFile) -> bool:
    """Whether a file is a script of a shell in the line of sh, by suffix or first line."""
    suffix = bare_suffix(file)
    return suffix in _SUFFIXES or (suffix in ("", "in") and bool(_SHEBANG.match(file.text)))


def read_shell(file: TextFile) -> Iterator[Truth]:
    """The defaults of variables, and of the flags that are given to them."""
    if file.text.count("<<") > MAX_HEREDOCS:
        return
    source = Source(file.text)
    given, flags = _sweep(captured("bash", _QUERY, source), source)
    for one in _deciding(given):
        yield truth(file, "shell", one.name, one.line, one.value, local=one.local)
        if one.form is Form.TOP:
            for flag in flags.get(one.name, ()):
                yield truth(file, "shell", flag, one.line, one.value)


def _sweep(found: list[tuple[Node, str]], source: Source) -> tuple[list[_Given], dict[str, list[str]]]:
    """What every variable is given, and the flags whose argument a variable takes."""
    around = _Around()
    given: list[_Given] = []
    flags: dict[str, list[str]] = defaultdict(list)
    prefixes = {node.id for node, name in found if name == "prefix"}
    for node, name in found:
        around.leave(node.start_byte)
        if name in _CONDITIONS:
            around.conditions.append((node, name))
        elif name == "function":
            around.functions.append(node)
        elif name == "test":
            around.tests.append(node)
        elif name == "expansion":
            given.extend(_defaulted(node, source, tested=bool(around.tests)))
        elif name == "assignment" and node.id not in prefixes:
            given.extend(_assigned(node, around, source))
            for flag, variable in _flags(node, around, source):
                flags[variable].append(flag)
    return given, flags


def _defaulted(node: Node, source: Source, *, tested: bool) -> Iterator[_Given]:
    """What `${V:-d}` gives V."""
    operator = node.child(2)
    if operator is None or operator.type not in (":-", "-", ":=", "="):
        return
    raw = source.between(operator.end_byte, node.end_byte - 1)
    value, form = word_value(raw), Form.UNSET if "=" in operator.type else Form.GUARD if tested else Form.READ
    if form is Form.READ and not value.text and not _is_whole(node):
        form = Form.GUARD
    yield _Given(source.of(node.child(1)), line_of(node), value, form)


def _is_whole(node: Node) -> bool:
    """Whether an expansion is all of a value, as in `V="${V:-}"`."""
    parent = node.parent
    if parent is not None and parent.type == "string" and parent.named_child_count == 1:
        parent = parent.parent
    return parent is not None and parent.type == "variable_assignment"


def _assigned(node: Node, around: _Around, source: Source) -> Iterator[_Given]:
    name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
    if name is None or name.type != "variable_name" or node.child_count < 2 or source.of(node.child(1)) != "=":
        return
    variable, line = source.of(name), line_of(node)
    if around.conditions:
        if _is_unset(variable, node, *around.conditions[-1], source):
            given = _value(value, source)
            if given.text:
                yield _Given(variable, line, given, Form.UNSET)
    elif value is None or not _mentions(variable, source.of(value)):
        word = _declared_by(node, source) if around.functions else ""
        if word != "export":
            form = Form.INSIDE if around.functions else Form.TOP
            yield _Given(variable, line, _value(value, source), form, local=word in _LOCAL)


def _declared_by(node: Node, source: Source) -> str:
    """The word that declares a variable where it is assigned: `local`, `export`, or nothing."""
    parent = node.parent
    return source.of(parent.child(0)) if parent is not None and parent.type == "declaration_command" else ""


def _mentions(variable: str, raw: str) -> bool:
    return f"${variable}" in raw or f"${{{variable}" in raw


def _value(node: Node | None, source: Source) -> Value:
    if node is None:
        return Value("", "string")
    if node.type == "array":
        return _list([word_value(source.of(child)) for child in node.named_children if child.type != "comment"])
    inner = node.named_children[0] if node.type == "string" and node.named_child_count == 1 else node
    if inner.type == "expansion" and inner.child_count > 3:
        return _of_expansion(inner, source)
    return word_value(source.of(node))


def _list(values: list[Value]) -> Value:
    text = f"[{', '.join(value.text for value in values)}]"
    return computed(text) if any(value.kind == "computed" for value in values) else Value(text, "list")


def _of_expansion(node: Node, source: Source) -> Value:
    """The value of `${1:-d}` is d; that of `${V:-d}` is V's."""
    name = source.of(node.child(1))
    if name.isdigit():
        defaults = [one.value for one in _defaulted(node, source, tested=False)]
        return defaults[0] if defaults else computed(source.of(node))
    return computed(source.of(node), name if any(_defaulted(node, source, tested=False)) else "")


def _is_unset(variable: str, node: Node, condition: Node, kind: str, source: Source) -> bool:
    """Whether the innermost condition is that the variable has no value."""
    if kind == "if":
        return _names(_EMPTY, condition.child_by_field_name("condition"), source) == variable
    left, operator = (
        (condition.child(0), condition.child(1)) if kind == "list" and condition.child_count == 3 else (None, None)
    )
    if left is None or operator is None or node.start_byte < operator.end_byte:
        return False
    return _names(_EMPTY if operator.type == "&&" else _FILLED, left, source) == variable


def _names(pattern: re.Pattern[str], test: Node | None, source: Source) -> str:
    if test is None or test.end_byte - test.start_byte > MAX_TEST:
        return ""
    found = pattern.match(source.of(test))
    return next(filter(None, found.groups()), "") if found else ""


def _flags(node: Node, around: _Around, source: Source) -> Iterator[tuple[str, str]]:
    """The flags of the `case` arm that gives a variable the argument behind them."""
    name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
    if (
        not around.conditions
        or around.conditions[-1][1] != "case"
        or name is None
        or not _ARGUMENT.match(source.of(value))
    ):
        return
    pattern = around.conditions[-1][0].children_by_field_name("value")
    for flag in _FLAG.findall(" ".join(map(source.of, pattern))[:400]):
        yield flag, source.of(name)


def _deciding(given: Iterable[_Given]) -> Iterator[_Given]:
    by_name: dict[str, list[_Given]] = defaultdict(list)
    for one in given:
        if not one.name.isdigit():
            by_name[one.name].append(one)
    for several in by_name.values():
        yield from _of_one(several)


def _of_one(several: list[_Given]) -> Iterator[_Given]:
    """What decides among all that one variable is given: guards only where there is nothing else, an assignment only
    if it is the first at the top level or, in functions, if all of them agree; an empty one yields to a default."""
    forms = {form: [one for one in several if one.form is form] for form in Form}
    defaults = [*forms[Form.UNSET], *forms[Form.READ]]
    assigned = forms[Form.TOP][:1]
    if not assigned and len({one.value for one in forms[Form.INSIDE]}) == 1:
        assigned = [one for one in forms[Form.INSIDE][:1] if one.value.kind != "computed" or one.value.refers]
    if any(one.value.text for one in defaults):
        assigned = [one for one in assigned if one.value.text]
        defaults = [one for one in defaults if one.value.text or one.form is Form.UNSET]
    guards = [one for one in forms[Form.GUARD] if any(map(str.isalnum, one.value.text))]
    yield from [*assigned, *defaults] or guards
