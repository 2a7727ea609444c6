r"""Words: what is the same but for case, blanks, quotes inside, and backslashes."""

from __future__ import annotations

import re2

from schemas.claims import Verdict
from tasks.drift.values.markup import squeezed, unescaped
from tasks.drift.values.numbers import number_of

_MARKS = str.maketrans("", "", " \t\n\"'`\\")
_JOINTS = str.maketrans("", "", " \t\n\"'`\\-_")
_ENUMERATION = re2.compile(r"[A-Za-z][A-Za-z0-9_-]*")
_QUALIFIER = frozenset("./:")
_VERSION = re2.compile(r"[vV]?(\d[\w.+-]*)")


def words(left: str, right: str, _option: str) -> Verdict | None:
    """Whether two texts are the same but for what carries no meaning. Always has an answer: it is asked last."""
    if squeezed(unescaped(left)) == squeezed(unescaped(right)):
        return "agrees"
    bare, other = left.translate(_MARKS), right.translate(_MARKS)
    if bare == other and bare:
        return "agrees"
    if bare.casefold() == other.casefold() and bare:
        return "agrees" if _of_one_case(bare) and _of_one_case(other) else "unknown"
    return "unknown" if _akin(left, right) else "disagrees"


def _of_one_case(word: str) -> bool:
    # `INFO` and `info` are one member of an enumeration; `fooBar` and `foobar` may be two names.
    return _ENUMERATION.fullmatch(word) is not None and (word.isupper() or word.islower() or word.istitle())


def _akin(left: str, right: str) -> bool:
    """Whether one may be a shorter spelling of the other: without its module, registry, tag, `v` or last digits."""
    if number_of(left) is not None and number_of(right) is not None:
        return False
    if left.translate(_JOINTS).casefold() == right.translate(_JOINTS).casefold():
        return True
    short, long = sorted((left.casefold(), right.casefold()), key=len)
    one, other = _VERSION.fullmatch(short), _VERSION.fullmatch(long)
    if one and other:
        return one[1] == other[1] or ("." in one[1] and other[1].startswith(one[1] + "."))
    if len(short) > 1 and long.startswith((f"{short}:", f"{short}@")):
        return True
    rest = long[: len(long) - len(short)]
    if len(short) < 2 or not long.endswith(short) or rest[-1:] not in _QUALIFIER:
        return False
    # `gs` is not `/usr/bin/gs`: one is looked up, the other is a place. `bin/gs` may be meant from some folder.
    return "/" not in rest or bool(_QUALIFIER & set(short))
