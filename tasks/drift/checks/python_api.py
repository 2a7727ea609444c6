"""Python names, signatures and docstring defaults that documents state and the repository's packages do not have."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher, get_close_matches

import re2

from schemas.claims import Edit, Finding, Place, Truth
from tasks.drift.pages.past import is_of_another_version
from tasks.drift.python.docstrings import stated_defaults
from tasks.drift.python.library import Found, Library, Missing
from tasks.drift.python.mentions import Mention, mentions
from tasks.drift.python.signatures import declared, definition_of, parameters_of, signature_of, spelled
from tasks.drift.tree import TextFile, Tree
from tasks.drift.truths.python_values import Source, value_of
from tasks.drift.values import compare

_PAST = re2.compile(
    r"(?i)\b(?:renam\w*|remov\w*|deprecat\w*|former\w*|previous\w*|replac\w*|no longer|legacy|obsolete\w*|instead of"
    r"|used to|dropp\w*|old|moved|does(?: not|n.t) exist|not supported|unsupported|before|until|your|custom|e\.g"
    r"|for example|for instance|suppose|imagine)\b"
)
_MADE_UP = re2.compile(r"(?i)(?:^|_)(?:foo|bar|baz|spam|eggs|example|something|my)(?:_|$)|^My[A-Z]")
_NO_NAME = frozenset(
    {
        "py", "pyi", "pyc", "toml", "cfg", "ini", "json", "yaml", "yml", "md", "rst", "txt", "html", "css", "js", "io",
        "org", "com", "dev", "net", "db", "sqlite", "log", "sh", "conf", "service", "png", "svg", "zip", "gz", "whl",
        "lock", "exe", "app", "sock", "pid", "env",
    }
)  # fmt: skip
"""What files and hosts end in."""

_MAX_NAMED = 5
_SURE = 0.9


def find_python_api(tree: Tree) -> Iterator[Finding]:
    """A finding for each name, parameter or default of the repository's packages that is documented otherwise.

    What modules make at run time (`__getattr__`, `setattr`, star imports from elsewhere) and what classes inherit from
    elsewhere is not judged; nor are documents about other versions.
    """
    library = Library(tree)
    if not library.packages:
        return
    modules = {file.path for file in library.files.values()}
    documents = [file for file in tree.documents if file.path not in modules and not is_of_another_version(file.path)]
    mentioned = {file.path: list(mentions(file)) for file in documents}
    declared_names = {one.name for found in mentioned.values() for one in found if one.declares}
    for file in tree.files.values():
        if file.path in modules:
            yield from _docstring_findings(file)
        else:
            wanted = [one for one in mentioned.get(file.path, ()) if one.signature or one.name not in declared_names]
            found = [one for mention in wanted for one in _mention_findings(library, file, mention)]
            yield from sorted({(one.line, one.option): one for one in found}.values(), key=lambda one: one.line)


def _mention_findings(library: Library, file: TextFile, mention: Mention) -> Iterator[Finding]:
    if mention.name.partition(".")[0] not in library.packages or _PAST.search(_around(file, mention.line)):
        return
    outcome = library.find(mention.name)
    if isinstance(outcome, Missing) and not mention.declares and _is_meant(library, mention, outcome):
        yield _missing(library, file, mention, outcome)
    elif isinstance(outcome, Found) and outcome.node and mention.signature:
        yield from _signature_findings(library, file, mention, outcome)


def _around(file: TextFile, line: int) -> str:
    return " ".join(file.lines[max(0, line - 2) : line + 1])[:2_000]


def _is_meant(library: Library, mention: Mention, missing: Missing) -> bool:
    """Whether a name is meant as one of Python, and not as a setting, a file, or a variable named like the package."""
    last = mention.name.rpartition(".")[2]
    if last in _NO_NAME or missing.name.startswith("__") or _MADE_UP.search(last) or _MADE_UP.search(missing.name):
        return False
    if mention.sure:
        return True
    if library.is_text(mention.name):
        return False
    if missing.parent in library.packages:
        if last[0].isupper() and not last.isupper():
            return True
        # `tower.ring()` may speak of an object that is called like its package.
        return mention.called and not library.defined_anywhere(missing.name)
    return True


def _missing(library: Library, file: TextFile, mention: Mention, missing: Missing) -> Finding:
    actual, sure = _meant(library, mention, missing)
    found = library.find(actual) if actual else None
    return Finding(
        "python-api",
        file.path,
        mention.line,
        f"{missing.parent} has no {missing.name}" + (f"; did you mean {actual}" if actual else ""),
        option=mention.name,
        documented=mention.name,
        actual=actual,
        truth=found.place if isinstance(found, Found) else None,
        won_by="python",
        edit=_renamed(file, mention, actual) if sure else None,
    )


def _renamed(file: TextFile, mention: Mention, actual: str) -> Edit | None:
    whole = _edit(file, mention.line, mention.name, actual)
    parent, _, last = mention.name.rpartition(".")
    # An import spells the module and the name apart.
    beside = actual.rpartition(".")[0] == parent
    return whole or (_edit(file, mention.line, last, actual.rpartition(".")[2]) if beside else None)


def _meant(library: Library, mention: Mention, missing: Missing) -> tuple[str, bool]:
    """The name that may be meant, empty where none is near, and whether it is near enough to be put in its place."""
    last = mention.name.rpartition(".")[2]
    if last != missing.name:
        return "", False
    # `info` is defined somewhere in every project; `TaskPool` or `read_all` went from here to there.
    telling = last[0].isupper() or "_" in last
    homes = [home for home in library.homes_of(last) if "._" not in home] if telling else []
    if len(homes) == 1:
        return homes[0], True
    public = {name.lower(): name for name in missing.near if not name.startswith("_")}
    near = get_close_matches(last.lower(), public, n=1, cutoff=0.8)
    if not near:
        return "", False
    return f"{missing.parent}.{public[near[0]]}", SequenceMatcher(None, last.lower(), near[0]).ratio() > _SURE


def _signature_findings(library: Library, file: TextFile, mention: Mention, found: Found) -> Iterator[Finding]:
    signature = signature_of(found.node) if found.node else None
    source = library.text_of(found.place.path)
    if signature is None or source is None:
        return
    documented = declared(mention.signature or "")
    for name, default in documented.items():
        if name not in signature.defaults:
            if not signature.open and name not in ("self", "cls"):
                taken = [real for real in signature.defaults if real not in documented and real not in ("self", "cls")]
                yield _no_parameter(file, mention, name, taken, found.place)
        elif default is not None and (actual := signature.defaults[name]) is not None:
            option = f"{mention.name}.{name}"
            said = spelled(default)
            yield from _default_findings(file, mention.line, option, said, actual=actual, source=source)


def _no_parameter(file: TextFile, mention: Mention, name: str, taken: Sequence[str], place: Place) -> Finding:
    others = f"; not documented: {', '.join(taken[:_MAX_NAMED])}" if taken else ""
    return Finding(
        "python-api",
        file.path,
        mention.line,
        f"{mention.name} has no parameter {name}{others}",
        option=f"{mention.name}.{name}",
        documented=name,
        actual=taken[0] if len(taken) == 1 else "",
        truth=place,
        won_by="python",
    )


def _docstring_findings(file: TextFile) -> Iterator[Finding]:
    for stated in stated_defaults(file):
        own = definition_of(stated.owner)
        actual = parameters_of(own).defaults.get(stated.parameter) if own else None
        if actual is not None:
            option = f"{stated.label}.{stated.parameter}"
            yield from _default_findings(file, stated.line, option, stated.documented, actual=actual, source=file)


def _default_findings(
    file: TextFile, line: int, option: str, documented: str, *, actual: ast.expr, source: TextFile
) -> Iterator[Finding]:
    value = value_of(actual, Source(source.text))
    truth = Truth(option, value.text, value.kind, source.path, actual.lineno, "python")
    if compare(documented, truth).verdict == "disagrees":
        real = spelled(actual)
        plain = documented.strip("`").rstrip(".,")
        yield Finding(
            "python-api",
            file.path,
            line,
            f"{option} is documented to default to {plain}, and defaults to {real}",
            option=option,
            documented=plain,
            actual=real,
            truth=Place(source.path, actual.lineno),
            won_by="python",
            edit=_edit(file, line, plain, real),
        )


def _edit(file: TextFile, line: int, old: str, new: str) -> Edit | None:
    text = file.lines[line - 1]
    return Edit(file.path, line, text, text.replace(old, new)) if new and text.count(old) == 1 else None
