"""Passwords that people chose: words with a number or a sign, told from placeholders and from ordinary text."""

from __future__ import annotations

import re

import re2

from tasks.secrets.looked import Looked
from tasks.secrets.values import decoded, looks_random

# Compared with the value as it stands and with its digits read as the letters that they are put for (`p4ssw0rd`).
_STAND_IN = re2.compile(
    r"p[a-z]?ss|pass|psw|pwd|paswd|passw|secr|sekr|geheim|test|demo|exampl|sampl|chang|repla|insert|your|plac|dummy|fake"
    r"|redact|todo|fixme|lorem|qwer|asdf|admin|root|defau|strong|secur|random|hidden|omit|mask|crypt|plain|clear|genera|cred"
    r"|letme|welcome|foo|bar(?:$|[^a-z])|baz|hello|value|string|token|key|guest|user|login|server|client|host|databa|require"
    r"|option|here|true|false|null|none|blank|empty|undefin|manag|servic|system|config|setting|prompt|provid|read|write"
    r"|sesame|hack|master|super|mypw|myp[a-z]?w|abc|xyz|xxx|yyy|zzz|aaa|nobody|anonym|public|private|certific|auth|basic|digest"
    r"|bearer|enable|disable|allow|access|account|name|file|path|data|text|type|some|any(?:$|[^a-z])|must|should"
    r"|^(?:my|the|new|old|an?|is|in|on|to|of|or|and|for|if|the)[^a-z]|^(?:new|old|my|the)[a-z]{0,12}$|(?:pw|pwd)[0-9]*$"
)
_SIGNS = re2.compile(
    r"^[-./~$@%&*\\!:#\[{(<_]|[{}<>$`\\\[\]()…]|\.\.|\*\*|://|[:/]|=.*=|%[a-z_]+%|@[\w.-]+\.[a-z]{2,}$|\.[a-z]{1,5}$"
)
"""Variables, paths, addresses, calls, anything cut short."""
_NUMBERED = re2.compile(
    r"1234|2345|3456|4567|5678|6789|7890|123$|4321|0000|1111|9999|^(?:base|oauth|sha|shake|md|utf|aes|rsa|hmac|pbkdf|argon|ipv?|http|h|x|pkcs|ed|rc|des|blake|ssl"
    r"|tls|v|s|k|p|c|web|curve|ripemd|scrypt|win|python|py|php|java|node|es|uuid|log|arm|amd|i|x|mp|sqlite|neo|ldapv|level"
    r"|stage|phase|part|step|version|rev|r|rfc|id|no|num|line|col|row|page|vol|disk|eth|tty|usb|gpu|cpu)-?[0-9]"
)
"""Numbers that nobody would put behind a password, or behind a name as it is."""
_LEET = str.maketrans("43105$7@!8", "aeiosstaib")
_LETTERS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")
_STEM = re.compile(r"[a-z]{4,}")

_CASE_BORDER = re.compile(r"(?=[a-z][A-Z]|[A-Z][a-z])")
LEAST = 6
LEAST_WORDS = 10
"""Letters of a password that is nothing but letters, where the place leaves open whether it is one."""

LEAST_RANDOM = 12
CASES_PER_LETTER = 0.35
"""The same for random letters: small ones and capitals meet that often; in a name in camel case less."""


def looks_chosen(value: str, looked: Looked) -> bool:
    """Whether a value beside the name of a password is one that somebody made: letters with a digit or a sign, or at
    least ten letters that are no word of the text."""
    if len(value) < LEAST or not _could_be(value, looked):
        return False
    if is_word(value):
        return len(value) >= LEAST_WORDS
    if value.isalpha():
        return len(value) >= LEAST_RANDOM and len(_CASE_BORDER.findall(value)) >= CASES_PER_LETTER * len(value)
    letters, digits = any(map(str.isalpha, value)), any(map(str.isdigit, value))
    return letters and digits and (value.isalnum() or not value.replace("-", "").replace("_", "").isalnum())


def is_word(value: str) -> bool:
    """Whether the value is nothing but letters, as one word is written."""
    return _LETTERS.fullmatch(value) is not None


def is_password(value: str, looked: Looked, user: str = "") -> bool:
    """Whether a value that stands where only a password can is more than a placeholder, or the user's own name."""
    if looks_random(value, 8):
        return True
    if len(value) < 5 or value.isdigit() or value.lower() == user.lower():
        return False
    return _could_be(value, looked)


def _could_be(value: str, looked: Looked) -> bool:
    if looked.template or not value.isascii() or len(value) > 64 or len(set(value)) < 4:
        return False
    inside = decoded(value).strip()
    if len(inside) >= 4 and inside.isascii() and inside.isprintable():
        value = inside
    lowered = value.lower()
    if _SIGNS.search(lowered) or _NUMBERED.search(lowered):
        return False
    if _STAND_IN.search(lowered) or _STAND_IN.search(lowered.translate(_LEET)):
        return False
    # A word that is nothing else stands once where it is the password.
    times = 2 if lowered.isalpha() else 1
    return not any(looked.speaks_of(stem, times) for stem in _STEM.findall(lowered))
