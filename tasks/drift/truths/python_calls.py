"""Python calls that hold a default: environment look-ups and their helpers, look-ups in options, parsers of flags."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping

from tasks.drift.truths.python_values import Source, dotted, environment_value, value_of
from tasks.drift.truths.value import Value, computed

Found = tuple[str, int, Value]
"""An option, the line of its value, and the value."""

_ENVIRONMENT = re.compile(r"(?:os\.)?(?:getenv|environ\.(?:get|pop|setdefault))$")
_LOOK_UPS = frozenset({"get", "pop", "setdefault"})
_OPTIONS = re.compile(
    r"(?:^|[._])(?:kwargs|kw|opts?|options?|params?|args|conf|config|cfg|settings?|defaults?|preferences)$"
)
_SETTER = re.compile(r"(?:^|[_.])(?:set|unset|put|write|patch)_\w*$")
_GETTER = re.compile(r"(?:^|_|\.)(?:get|read|load|fetch|from|env|environ|getenv|conf|config|setting|option)(?:_|\.|$)")
_MAKER = re.compile(r"^(?:Setting|Option|Config|Param)|(?:Setting|Option|Config|Parameter|Param)$")
_CONSTANT = re.compile(r"[A-Z][A-Z0-9_]+$")
_NAME = re.compile(r"[A-Za-z_][\w.\-]{0,100}$")
_FIRST = frozenset(
    {"key", "k", "name", "var", "variable", "env", "env_var", "env_name", "env_key", "varname", "var_name"}
)
_TYPES = frozenset({"int", "str", "bool", "float", "list", "dict", "tuple", "set", "bytes", "Path"})
_FLAG_MAKERS = frozenset({"add_argument", "add_option", "option"})
_STORED = {"store_true": Value("False", "boolean"), "store_false": Value("True", "boolean")}
_UNSAID = frozenset({"SUPPRESS", "MISSING", "UNSET", "NOTSET", "NOT_SET", "NOTGIVEN", "NOT_GIVEN", "UNDEFINED", "EMPTY",
                     "REQUIRED", "SENTINEL", "NOT_PROVIDED", "PYDANTICUNDEFINED"})  # fmt: skip


def helpers_of(module: ast.Module) -> dict[str, ast.expr | None]:
    """The functions that take the name of a variable and a default, by name, with what that default is by itself."""
    functions = [node for node in module.body if isinstance(node, ast.FunctionDef)]
    return {node.name: defaults_of(node.args).get(name) for node in functions if (name := _default_name(node.args))}


def defaults_of(arguments: ast.arguments) -> dict[str, ast.expr]:
    """The parameters that have a default, in order."""
    places = [*arguments.posonlyargs, *arguments.args]
    found = dict(
        zip([one.arg for one in places[len(places) - len(arguments.defaults) :]], arguments.defaults, strict=True)
    )
    keyed = zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    return found | {one.arg: default for one, default in keyed if default is not None}


def _default_name(arguments: ast.arguments) -> str:
    names = [one.arg for one in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)]
    if not names or names[0] not in _FIRST:
        return ""
    return next((name for name in names[1:] if name.startswith("default") or name == "fallback"), "")


def truths_of_call(call: ast.Call, helpers: Mapping[str, ast.expr | None], source: Source) -> Iterator[Found]:
    """What one call says of options."""
    function = dotted(call.func)
    receiver, _, method = function.rpartition(".")
    if isinstance(call.func, ast.Attribute):
        method = call.func.attr
    if method in _FLAG_MAKERS:
        yield from _flags(call, source)
    elif (option := first_text(call)) is None or not _NAME.match(option):
        return
    elif is_environment(call) or (_gets(function, helpers) and _CONSTANT.match(option)):
        yield from _variable(call, function, option, helpers, source)
    elif (default := _default(call)) is None:
        return
    elif method in _LOOK_UPS and _OPTIONS.search(receiver):
        # `.get("k", None)` asks whether it is there; what is used where it is not stands elsewhere.
        if method != "pop" and isinstance(default, ast.Constant) and default.value is None:
            return
        yield f"{receiver.rpartition('.')[2]}.{option}", call.lineno, value_of(default, source)
    elif _MAKER.search(method):
        yield option, call.lineno, value_of(default, source)


def _gets(function: str, helpers: Mapping[str, ast.expr | None]) -> bool:
    return function in helpers or (bool(_GETTER.search(function)) and not _SETTER.search(function))


def truths_of_or(node: ast.BoolOp, source: Source) -> Iterator[tuple[ast.Call, Found]]:
    """What `os.getenv("K") or d` says of K, with the call that it says more of."""
    call, default = node.values[0], node.values[-1]
    if isinstance(call, ast.Call) and isinstance(node.op, ast.Or) and (option := first_text(call)):
        receiver = dotted(call.func).rpartition(".")[0]
        if is_environment(call):
            yield call, (option, call.lineno, environment_value(default, source))
        elif _OPTIONS.search(receiver) and _NAME.match(option):
            yield call, (f"{receiver.rpartition('.')[2]}.{option}", call.lineno, value_of(default, source))


def is_environment(call: ast.Call) -> bool:
    """Whether a call looks up a variable of the environment by the standard library."""
    return bool(_ENVIRONMENT.match(dotted(call.func)))


def first_text(call: ast.Call) -> str | None:
    """The first argument, where it is a string."""
    return text_of(call.args[0]) if call.args else None


def text_of(node: ast.expr | None) -> str | None:
    """The text of a string constant; None for any other expression."""
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def keywords_of(call: ast.Call) -> dict[str, ast.expr]:
    """The arguments that are given by name."""
    return {one.arg: one.value for one in call.keywords if one.arg}


def is_unsaid(node: ast.expr) -> bool:
    """Whether a default says that there is none: `...`, or a marker such as `MISSING` and `argparse.SUPPRESS`."""
    if isinstance(node, ast.Constant) and node.value is ...:
        return True
    return dotted(node).rpartition(".")[2].strip("_").upper() in _UNSAID


def _variable(
    call: ast.Call, function: str, option: str, helpers: Mapping[str, ast.expr | None], source: Source
) -> Iterator[Found]:
    """What a look-up of a variable says; where it leaves out the default, its helper has it: here, or elsewhere."""
    default = _default(call)
    if not is_environment(call) and default is not None and _is_choice(call, default):
        return
    if default is None and function in helpers and len(call.args) == 1:
        default = helpers[function]
        if isinstance(default, ast.Constant) and default.value is None:
            return
    if default is not None:
        yield option, call.lineno, environment_value(default, source)
    elif function not in helpers and not is_environment(call) and len(call.args) == 1 and "." not in function:
        yield option, call.lineno, computed(source.of(call), f"{function}.default")


def _is_choice(call: ast.Call, second: ast.expr) -> bool:
    """Whether the second argument of a look-up says what may be given, or of which type, and not the default."""
    if second not in call.args:
        return False
    return len(call.args) > 2 or isinstance(second, ast.Set) or dotted(second) in _TYPES


def _default(call: ast.Call) -> ast.expr | None:
    """The default that a call names, or else its second argument; None where it is left out."""
    named = keywords_of(call)
    default = named.get("default", named.get("fallback"))
    if default is None and len(call.args) > 1 and not isinstance(call.args[1], ast.Starred):
        default = call.args[1]
    return None if default is None or is_unsaid(default) else default


def _flags(call: ast.Call, source: Source) -> Iterator[Found]:
    """The flags of `add_argument` and `click.option`, and the names that stand for them elsewhere."""
    texts = [text for one in call.args if (text := text_of(one))]
    flags = [text.partition("/")[0].strip() for text in texts if text.startswith("-")]
    keywords = keywords_of(call)
    if not flags or (value := _flag_value(keywords, source)) is None:
        return
    others = [text for name in ("dest", "envvar") if (text := text_of(keywords.get(name)))]
    names = [flag for flag in flags if flag.startswith("--")] or flags[:1]
    yield from ((name, call.lineno, value) for name in [*names, *others])


def _flag_value(keywords: Mapping[str, ast.expr], source: Source) -> Value | None:
    if (default := keywords.get("default")) is not None:
        return None if is_unsaid(default) else value_of(default, source)
    action, is_flag = keywords.get("action"), keywords.get("is_flag")
    if action is not None:
        return _STORED.get(text_of(action) or "")
    return _STORED["store_true"] if isinstance(is_flag, ast.Constant) and is_flag.value is True else None
