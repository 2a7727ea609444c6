"""Whether a value that stands where a key would is one, or only stands in for one."""

from __future__ import annotations

import base64
import contextlib
import math
import re
from collections import Counter

import re2

_STAND_IN = re2.compile(
    r"(?i)example|sample|change.?me|change.?this|replace|insert|your|placeholder|dummy|fake|redact|secret|passw|pa55w"
    r"|p[a@4]ssw[o0]rd|todo|fixme|testing|demo|lorem|qwerty|admin|default|api[_-]?key|access[_-]?key|mytoken|omitted|hidden"
    r"|deadbeef|cafebabe|abcdefg|xxx|12345678|87654321|john doe|\*\*\*|\.\.\.|…|[<>{}]|\$\(|\$[A-Za-z_]|%[A-Za-z_]+%"
    r"|(?:^|[^A-Za-z])(?:test|foo|bar|baz|my|the|some)(?:[^A-Za-z]|$)"
)
_SAME = re.compile(r"(.)\1{4}")
_NAMED = re2.compile(
    r"(?i)[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|^[0-9]{4}-[0-9]{2}-[0-9]{2}T"
    r"|\$(?:2[abxy]|[156]|apr1|y|argon2\w*)\$"
)
"""What looks random and opens nothing: ids, times, and passwords that are hashed."""
_NO_KEY = re2.compile(
    r"(?i)^(?:[a-z][a-z0-9+.-]*://|[./~$@%&*\\!]|(?:sha[0-9]+|md5|blake2b?|pbkdf2\w*|scrypt)[:$-]|ssh-)"
)
_DIGIT_BORDER = re.compile(r"(?=[0-9][A-Za-z]|[A-Za-z][0-9])")
_CASE_BORDER = re.compile(r"(?=[a-z][A-Z]|[A-Z][a-z])")

LEAST_BITS = 3.0
"""Entropy of a letter, in bits: text of words has as much, but not as many digits among its letters."""
LEAST_BORDERS = 3
"""How often a letter and a digit meet. A random key of 20 has 5, a name as long 0 or 1."""
BORDERS_PER_LETTER = 0.1
ANY_PER_LETTER = 0.5
"""The same for small letters, capitals and digits: a random key has 0.6 a letter, a name in camel case 0.4."""


LEAST_ENCODED = 160
"""Letters of a key in its BEGIN and END, put into base64 as in a manifest; without a body there are 50 to 70."""


def stands_in(value: str) -> bool:
    """Whether the value is one that nobody could use: a placeholder, an example, a variable."""
    return bool(_STAND_IN.search(value) or _SAME.search(value)) or len(set(value)) < 8


def looks_random(value: str, least: int = 12) -> bool:
    """Whether the value is long enough and mixed like a key; not so a word, a path, a name, a version, a digest."""
    value = value.rstrip(".:)]}\\")
    if len(value) < least or stands_in(value) or _NAMED.search(value) or _NO_KEY.search(value):
        return False
    inside = _decoded(value)
    if inside.startswith("-----BEGIN "):
        return len(inside) >= LEAST_ENCODED
    if len(inside) >= 8 and inside.isascii() and inside.isprintable():
        return looks_random(inside, 8)
    digits, cases = len(_DIGIT_BORDER.findall(value)), len(_CASE_BORDER.findall(value))
    mixed = digits >= max(LEAST_BORDERS, BORDERS_PER_LETTER * len(value)) or (
        digits > 0 and digits + cases >= ANY_PER_LETTER * len(value)
    )
    return mixed and _bits(value) >= LEAST_BITS


def is_token(value: str) -> bool:
    """Whether a JSON web token is signed and says nothing that only examples say."""
    header, payload, *signature = value.split(".")
    if not signature or len(signature[0]) < 20:
        return False
    said = _decoded(header) + _decoded(payload)
    return "{" in said and not stands_in(said.replace("{", "").replace("}", ""))


def _decoded(part: str) -> str:
    with contextlib.suppress(ValueError):
        return base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)).decode("utf-8", "replace")
    return ""


def _bits(value: str) -> float:
    counts = Counter(value).values()
    return -sum(count / len(value) * math.log2(count / len(value)) for count in counts)
