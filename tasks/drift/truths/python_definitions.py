"""Python definitions that hold a default: constants, dictionaries of them, fields of classes, and parameters."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from tasks.drift.truths.python_calls import (
    Found,
    defaults_of,
    first_text,
    is_environment,
    is_unsaid,
    keywords_of,
    text_of,
)
from tasks.drift.truths.python_values import Source, dotted, value_of
from tasks.drift.truths.value import Value, computed

_MAX_NESTING = 5
_MAX_KEYS = 500

_FIELDS = frozenset({"Field", "field", "attrib", "ib", "reactive", "var", "Query", "Form", "Body", "Header", "Cookie"})
_ALIASES = ("env", "alias", "validation_alias")
_FLAGS = frozenset({"Option"})
_KEY = re.compile(r"[\w.\-/]{1,100}$")
_FACTORIES = {
    "list": Value("[]", "list"),
    "set": Value("[]", "list"),
    "tuple": Value("[]", "list"),
    "dict": Value("{}", "map"),
}


def truths_of_definition(node: ast.stmt, above: str, source: Source) -> Iterator[Found]:
    """What a statement of a module or class gives; `above` is what its names stand behind, `Class.`."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        yield from _parameters(node, above, source)
    elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value is not None:
        yield from _given(above + node.target.id, node.target, node.value, source)
    elif isinstance(node, ast.Assign):
        for target in node.targets:
            if isinstance(target, ast.Name):
                yield from _given(above + target.id, target, node.value, source)


def truths_of_unset(node: ast.If, source: Source) -> Iterator[Found]:
    """What `if "k" not in options: options["k"] = d` gives k."""
    test = node.test
    if isinstance(test, ast.Compare) and isinstance(test.ops[0], ast.NotIn) and (key := text_of(test.left)):
        owner = dotted(test.comparators[0])
        for one in node.body:
            if isinstance(one, ast.Assign) and _is_item(one.targets[0], owner, key):
                yield f"{owner.rpartition('.')[2]}.{key}", one.lineno, value_of(one.value, source)


def _is_item(node: ast.expr, owner: str, key: str) -> bool:
    return isinstance(node, ast.Subscript) and text_of(node.slice) == key and dotted(node.value) == owner


def truths_of_pair(node: ast.Tuple, source: Source) -> Iterator[Found]:
    """What `("name", Type(default=d))` in a table of options gives its name."""
    option, call = (text_of(node.elts[0]), node.elts[1]) if len(node.elts) == 2 else (None, None)
    if option and isinstance(call, ast.Call) and _KEY.match(option) and (default := keywords_of(call).get("default")):
        yield option, default.lineno, value_of(default, source)


def _given(option: str, target: ast.Name, value: ast.expr, source: Source) -> Iterator[Found]:
    if target.id.startswith("__") and target.id != "__version__":
        return
    if isinstance(value, ast.Dict) and value.keys:
        yield from _keys(option, value, source)
    elif isinstance(value, ast.Call):
        yield from _called(option, target, value, source)
    else:
        yield option, target.lineno, value_of(value, source)


def _keys(option: str, node: ast.Dict, source: Source, depth: int = 0) -> Iterator[Found]:
    for key, value in list(zip(node.keys, node.values, strict=True))[:_MAX_KEYS]:
        if not isinstance(key, ast.Constant) or not isinstance(key.value, str) or not _KEY.match(key.value):
            continue
        name = f"{option}.{key.value}"
        if isinstance(value, ast.Dict) and value.keys:
            if depth < _MAX_NESTING:
                yield from _keys(name, value, source, depth + 1)
        else:
            yield name, key.lineno, value_of(value, source)


def _called(option: str, target: ast.Name, call: ast.Call, source: Source) -> Iterator[Found]:
    """What is given by a call: a field's default, the variable that it looks up, or what a wrapper leaves as it is."""
    variable = _looked_up(call)
    if variable == target.id:
        return
    if variable:
        yield option, target.lineno, computed(source.of(call), variable)
        return
    nested = keywords_of(call).get("default")
    if isinstance(nested, ast.Dict) and nested.keys:
        yield from _keys(option, nested, source)
        return
    value = field_default(call, source)
    if value is None and not (dotted(call.func).rpartition(".")[2] in _FIELDS or _is_required(call)):
        value = value_of(call, source)
    if value is not None:
        yield option, target.lineno, value
        for name in _ALIASES:
            if alias := text_of(keywords_of(call).get(name)):
                yield alias, target.lineno, value


def _looked_up(call: ast.Call) -> str:
    """The variable that a call comes down to, as in `int(os.getenv("K", 5))`."""
    inner: ast.expr = call
    for _ in range(3):
        if not isinstance(inner, ast.Call) or not inner.args:
            return ""
        if is_environment(inner):
            return first_text(inner) or ""
        inner = inner.args[0]
    return ""


def _is_required(call: ast.Call) -> bool:
    default = keywords_of(call).get("default")
    return default is not None and is_unsaid(default)


def field_default(call: ast.Call, source: Source) -> Value | None:
    """The default that a field is declared with: `Field(5)`, `Integer(default=5)`, `field(default_factory=list)`."""
    keywords = keywords_of(call)
    default = keywords.get("default")
    if default is None and dotted(call.func).rpartition(".")[2] in _FIELDS | _FLAGS and call.args:
        default = call.args[0]
    if default is not None:
        return None if is_unsaid(default) or isinstance(default, ast.Starred) else value_of(default, source)
    factory = keywords.get("default_factory", keywords.get("factory"))
    if isinstance(factory, ast.Lambda):
        return value_of(factory.body, source)
    return _FACTORIES.get(dotted(factory)) if factory is not None else None


def _parameters(node: ast.FunctionDef | ast.AsyncFunctionDef, above: str, source: Source) -> Iterator[Found]:
    """The defaults of a public function's parameters, `function.name`; those of a constructor, `Class.name`."""
    made = node.name == "__init__"
    if node.name.startswith("_") and not made:
        return
    annotations = {one.arg: one.annotation for one in (*node.args.args, *node.args.kwonlyargs)}
    for name, default in defaults_of(node.args).items():
        option = f"{above}{name}" if made else f"{above}{node.name}.{name}"
        flag = _flag_call(default, annotations.get(name))
        if flag is not None:
            yield from _typer(name, default, flag, source)
        elif isinstance(default, ast.Call) and dotted(default.func).rpartition(".")[2] in _FIELDS:
            if (value := field_default(default, source)) is not None:
                yield option, default.lineno, value
        elif not is_unsaid(default):
            yield option, default.lineno, value_of(default, source)


def _flag_call(default: ast.expr, annotation: ast.expr | None) -> ast.Call | None:
    """The `typer.Option(...)` that declares a parameter, as its default or in `Annotated[...]`."""
    inside = [default]
    if isinstance(annotation, ast.Subscript) and isinstance(annotation.slice, ast.Tuple):
        inside += annotation.slice.elts
    calls = (one for one in inside if isinstance(one, ast.Call))
    return next((one for one in calls if dotted(one.func).rpartition(".")[2] in _FLAGS), None)


def _typer(name: str, default: ast.expr, flag: ast.Call, source: Source) -> Iterator[Found]:
    value = field_default(flag, source) if default is flag else value_of(default, source)
    if value is None or is_unsaid(default):
        return
    texts = filter(None, map(text_of, flag.args))
    names = [text.partition("/")[0] for text in texts if text.startswith("--")] or [f"--{name.replace('_', '-')}"]
    if variable := text_of(keywords_of(flag).get("envvar")):
        names.append(variable)
    yield from ((one, default.lineno, value) for one in names)
