"""Whether a value that stands where a key would is one, or only stands in for one."""

from __future__ import annotations

import base64
import contextlib
import math
import re
from collections import Counter

import re2

_WORDS = "demo dummy fake todo your"
"""Words as short as this stand in long random keys by chance, but for the case of their letters."""
_CASED = "|".join(cased for word in _WORDS.split() for cased in (word, word.upper(), word.capitalize()))
_STAND_IN = re2.compile(
    rf"{_CASED}|x{{4}}|X{{4}}|(?i)example|sample|change.?me|change.?this|replace|insert|placeholder|redact|secret|passw|pa55w"
    r"|p[a@4]ssw[o0]rd|fixme|testing|lorem|qwerty|default|api[_-]?key|access[_-]?key|mytoken|omitted|hidden|admin[^a-z0-9]"
    r"|deadbeef|cafebabe|abcdefg|12345678|87654321|john doe|\*\*\*|\.\.\.|…|[<>{}]|\$\(|\$[A-Za-z_]|%[A-Za-z_]+%"
    r"|(?:^|[^A-Za-z])(?:test|foo|bar|baz|my|the|some|xxx)(?:[^A-Za-z]|$)"
)
_SAME = re.compile(r"(.)\1{4}")
_UUID = r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
_RANDOM_UUID = re2.compile(r"(?i)[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")
_COUNTED = re2.compile(r"(?i)1234|4321|abcd|0000|1111|dead|beef|cafe|ffff|aaaa")
_NAMED = re2.compile(
    r"(?i)"
    + _UUID
    + r"|^[0-9]{4}-[0-9]{2}-[0-9]{2}T|\$(?:2[abxy]|[156]|apr1|y|argon2\w*)\$|^(?:GHSA|CVE|RUSTSEC|PYSEC)-"
    r"|^AAAA[BCE]3Nza"
)
"""What looks random and opens nothing: ids, times, passwords that are hashed, public keys."""
_ALGORITHM = re.compile(r"[A-Z]{1,12}[0-9]{0,4}[A-Z]{0,6}(?:[-_+][A-Z]{0,12}[0-9]{0,4}[A-Z]{0,4}){1,6}")
"""`A128CBC-HS256`."""
_NO_KEY = re2.compile(r"(?i)^(?:[a-z][a-z0-9+.-]*://|[./~$\\]|(?:sha[0-9]+|md5|blake2b?|pbkdf2\w*|scrypt)[:$-]|ssh-)")
_DIGIT_BORDER = re.compile(r"(?=[0-9][A-Za-z]|[A-Za-z][0-9])")
_CASE_BORDER = re.compile(r"(?=[a-z][A-Z]|[A-Z][a-z])")

LEAST_BITS = 3.0
"""Entropy of a letter, in bits: text of words has as much, but not as many digits among its letters."""
LEAST_BORDERS = 3
"""How often a letter and a digit meet. A random key of 20 has 5, a name as long 0 or 1."""
BORDERS_PER_LETTER = 0.1
ANY_PER_LETTER = 0.5
"""The same for small letters, capitals and digits: a random key has 0.6 a letter, a name in camel case 0.4."""
LONG = 32
LONG_PER_LETTER = 0.4
"""The same again for a value of so many letters, which hardly any name has."""

LEAST_ENCODED = 160
"""Letters of a key in its BEGIN and END, put into base64 as in a manifest; without a body there are 50 to 70."""


def stands_in(value: str) -> bool:
    """Whether the value is one that nobody could use: a placeholder, an example, a variable."""
    return bool(_STAND_IN.search(value) or _SAME.search(value)) or len(set(value)) < 8


def looks_random(value: str, least: int = 12) -> bool:
    """Whether the value is long enough and mixed like a key; not so a word, a path, a name, a version, a digest."""
    if stands_in(value):
        return False
    value = value.rstrip(".:)]}\\")
    if len(value) < least or _NAMED.search(value) or _NO_KEY.search(value) or _ALGORITHM.fullmatch(value):
        return False
    inside = decoded(value).strip()
    if inside.startswith("-----BEGIN "):
        return len(inside) >= LEAST_ENCODED
    if len(inside) >= 4 and inside.isascii() and inside.isprintable():
        return looks_random(inside, 8)
    digits, cases = len(_DIGIT_BORDER.findall(value)), len(_CASE_BORDER.findall(value))
    enough = LONG_PER_LETTER if len(value) >= LONG else ANY_PER_LETTER
    mixed = digits >= max(LEAST_BORDERS, BORDERS_PER_LETTER * len(value)) or (
        digits > 0 and digits + cases >= enough * len(value)
    )
    return mixed and _bits(value) >= LEAST_BITS


def is_random_uuid(value: str) -> bool:
    """Whether the value is nothing but a UUID drawn at random, as several providers make their keys; no counted one."""
    return bool(_RANDOM_UUID.fullmatch(value)) and not _COUNTED.search(value) and len(set(value)) >= 11


def is_token(value: str) -> bool:
    """Whether a JSON web token is signed and says nothing that only examples say."""
    header, payload, *signature = value.split(".")
    if not signature or len(signature[0]) < 20:
        return False
    said = decoded(header) + decoded(payload)
    return "{" in said and not stands_in(said.replace("{", "").replace("}", ""))


def decoded(part: str) -> str:
    """What the base64 of a part says; empty where it is none."""
    with contextlib.suppress(ValueError):
        return base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)).decode("utf-8", "replace")
    return ""


def _bits(value: str) -> float:
    counts = Counter(value).values()
    return -sum(count / len(value) * math.log2(count / len(value)) for count in counts)
