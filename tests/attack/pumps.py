"""Texts that a backtracking pattern would choke on, made from the pattern itself: what a repeat takes, many times over.

It loads everything there is, so it is a program: `python -m tests.attack.pumps` names all patterns of ours;
`python -m tests.attack.pumps LENGTH MILLISECONDS` tries all patterns of ours on such texts and names
each before it does; a text that takes one of them more CPU than that ends it.
"""

from __future__ import annotations

import ast
import importlib
import itertools
import pkgutil
import re
import signal
import sys
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path
from re import _constants as op  # type: ignore[attr-defined]  # the parser's own, which no stub names
from re import _parser  # type: ignore[attr-defined]
from types import ModuleType
from typing import Any

ROOTS = ("schemas", "tasks", "flows", "muniment")
WAYS = ("search", "match", "fullmatch", "finditer", "findall", "sub", "subn", "split")
ENDS = ("", "\0", "!\n")
"""What may follow, so that a match fails where it could have ended."""
_TRIED = "a1 -_=.:,`*#|[(<\"'/\\$@~+!?%&;{}>])\tA\n"
_REPEATS = (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT)
_CLASSES = {
    op.CATEGORY_DIGIT: r"\d",
    op.CATEGORY_NOT_DIGIT: r"\D",
    op.CATEGORY_SPACE: r"\s",
    op.CATEGORY_NOT_SPACE: r"\S",
    op.CATEGORY_WORD: r"\w",
    op.CATEGORY_NOT_WORD: r"\W",
}


Try = tuple[str, re.Pattern[Any], str]
"""A pattern's name, the pattern, and the method that is called on it."""


def our_tries() -> list[Try]:
    """Every pattern of ours with each way that a text is held against it."""
    tries: dict[tuple[Any, int, str], Try] = {}
    for module in _modules():
        for name, pattern, way in _calls(module):
            tries.setdefault((pattern.pattern, pattern.flags, way), (name, pattern, way))
    return list(tries.values())


def _modules() -> Iterator[ModuleType]:
    for root in ROOTS:
        package = importlib.import_module(root)
        for found in pkgutil.walk_packages(package.__path__, f"{root}."):
            # Those of the deployments load Prefect, and with it the settings of whoever runs this.
            if not found.name.endswith("__main__") and not found.name.startswith("flows.deployments"):
                yield importlib.import_module(found.name)


def _calls(module: ModuleType) -> Iterator[Try]:
    """Of patterns with a name, the calls that there are; of those in a table or a record, any that there could be."""
    assert module.__file__
    tree = ast.parse(Path(module.__file__).read_text())
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr in WAYS:
            held = _resolved(node.value, module)
            if isinstance(held, re.Pattern):
                yield f"{module.__name__}.{ast.unparse(node.value)}", held, node.attr
        if isinstance(node, ast.Call) and (inline := _inline(node)):
            yield f"{module.__name__}:{node.lineno}", *inline
    for name, value in vars(module).items():
        if not isinstance(value, re.Pattern):
            for pattern in _held(value, 3):
                yield from ((f"{module.__name__}.{name}", pattern, way) for way in ("search", "match", "fullmatch"))


def _resolved(node: ast.expr, module: ModuleType) -> Any:
    if isinstance(node, ast.Name):
        return getattr(module, node.id, None)
    return getattr(_resolved(node.value, module), node.attr, None) if isinstance(node, ast.Attribute) else None


def _inline(call: ast.Call) -> tuple[re.Pattern[Any], str] | None:
    """The pattern of `re.sub("...", ...)` and its like."""
    named = call.func
    if not (isinstance(named, ast.Attribute) and isinstance(named.value, ast.Name) and named.value.id == "re"):
        return None
    if named.attr not in WAYS or not call.args or not isinstance(call.args[0], ast.Constant):
        return None
    return re.compile(call.args[0].value), named.attr


def _held(value: Any, depth: int) -> Iterator[re.Pattern[Any]]:
    if isinstance(value, re.Pattern):
        yield value
    elif not depth or isinstance(value, type):
        return
    elif isinstance(value, dict):
        yield from _held([*value, *value.values()], depth)
    elif isinstance(value, (list, tuple, set, frozenset)):
        yield from itertools.chain.from_iterable(_held(one, depth - 1) for one in value)
    elif is_dataclass(value):
        yield from _held([getattr(value, field.name, None) for field in fields(value)], depth)


def attacks(pattern: re.Pattern[Any], length: int) -> Iterator[str]:
    """Texts of about this length: the way to each repeat, then what it takes many times, then what it does not."""
    source = pattern.pattern if isinstance(pattern.pattern, str) else pattern.pattern.decode("latin-1")
    tree = _parser.parse(source, pattern.flags & ~re.UNICODE if isinstance(pattern.pattern, bytes) else pattern.flags)
    for before, pump in dict.fromkeys(_sites(tree, [""])):
        for end in ENDS:
            yield before + pump * max(1, length // len(pump)) + end


def _sites(tree: Any, before: list[str]) -> Iterator[tuple[str, str]]:
    for code, value in tree:
        if code in _REPEATS:
            if value[1] > 5:
                yield from ((way, text) for way in before[:2] for text in _matching(value[2]) if text)
            yield from _sites(value[2], before)
        elif code is op.SUBPATTERN:
            yield from _sites(value[3], before)
        elif code is op.ATOMIC_GROUP:
            yield from _sites(value, before)
        elif code is op.BRANCH:
            for branch in value[1]:
                yield from _sites(branch, before)
        elif code in (op.ASSERT, op.ASSERT_NOT):
            yield from _sites(value[1], before)
        before = [way + text for way in before[:2] for text in _matching([(code, value)])[:2]][:3]


def _matching(tree: Any) -> list[str]:
    """A few short texts that match."""
    texts = [""]
    for code, value in tree:
        texts = [text + more for text in texts[:3] for more in _one(code, value)[:4]][:8]
    return texts


def _one(code: Any, value: Any) -> list[str]:
    if code is op.LITERAL:
        return [chr(value)]
    if code is op.IN:
        return _of_class(value) or [""]
    if code is op.BRANCH:
        return [text for branch in value[1] for text in _matching(branch)[:2]] or [""]
    if code is op.SUBPATTERN:
        return _matching(value[3])
    if code is op.ATOMIC_GROUP:
        return _matching(value)
    if code in _REPEATS:
        return [text * value[0] for text in _matching(value[2])[:3]] if value[0] else [""]
    if code is op.ANY:
        return ["a", " ", "1"]
    return [one for one in _TRIED if ord(one) != value][:4] if code is op.NOT_LITERAL else [""]


def _of_class(items: list[tuple[Any, Any]]) -> list[str]:
    """A few characters of a class: its own, then any that it takes."""
    named = [one for code, value in items for one in _named(code, value)]
    without = [item for item in items if item[0] is not op.NEGATE]
    negated = len(without) < len(items)
    taken = [one for one in _TRIED if any(_takes(one, *item) for item in without) != negated]
    return taken[:6] if negated else list(dict.fromkeys([*named, *taken]))[:6]


def _named(code: Any, value: Any) -> list[str]:
    return [chr(value)] if code is op.LITERAL else [chr(value[0])] if code is op.RANGE else []


def _takes(one: str, code: Any, value: Any) -> bool:
    if code is op.LITERAL:
        return bool(ord(one) == value)
    if code is op.RANGE:
        return bool(value[0] <= ord(one) <= value[1])
    return code is op.CATEGORY and re.match(_CLASSES[value], one) is not None


def hold(pattern: re.Pattern[Any], way: str, text: str) -> None:
    """Holds the text against the pattern in one way, to the end."""
    tried: Any = text.encode("latin-1", "replace") if isinstance(pattern.pattern, bytes) else text
    if way in ("match", "fullmatch"):
        getattr(pattern, way)(tried)
        return
    # `search` stops at the first; `sub`, `split` and `findall` go on as this does.
    for _ in itertools.islice(pattern.finditer(tried), 1 if way == "search" else None):
        pass


def main() -> None:
    """Tries every pattern in every way that a text is held against it."""
    for name, pattern, way in our_tries():
        sys.stdout.write(f"{name} {way} {pattern.pattern!r:.200}\n")
        sys.stdout.flush()
        for text in attacks(pattern, int(sys.argv[1])) if sys.argv[1:] else ():
            # Of the CPU, not of the clock; nobody handles the signal, so it ends the process in the midst of a match.
            signal.setitimer(signal.ITIMER_VIRTUAL, int(sys.argv[2]) / 1_000)
            hold(pattern, way, text)
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)


if __name__ == "__main__":
    main()
