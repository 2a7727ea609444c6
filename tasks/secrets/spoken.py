"""Passwords by the place they stand in: an option of a command, an address, a line of a file with a form of its own."""

from __future__ import annotations

import re
from typing import Any

import re2

from tasks.secrets.chosen import is_password
from tasks.secrets.labels import CHOSEN
from tasks.secrets.looked import Judge, Looked, Rule
from tasks.secrets.values import decoded

IN_URL = "password in an address"

_V = r"([^\s\"'`<>|]{4,100})"
_BEFORE = 300
"""Letters before an option within which its command stands; it may go over several lines."""
_EXAMPLE = re2.compile(
    r"(?i)(?:^|[.@/])example\.|\.(?:example|test|invalid|tld)\b|(?:your|my|some)[-_.]?(?:domain|server|host|site)|foo|bar\b"
)
_ENDS = ".,:;)]}*"


def _password(group: int, user: int = 0, host: int = 0) -> Judge:
    def judge(match: Any, looked: Looked) -> tuple[int, int] | None:
        value = match.group(group).rstrip(_ENDS)
        if host and _EXAMPLE.search(match.group(host)):
            return None
        known_as = match.group(user) if user else ""
        start = match.start(group)
        return (start, start + len(value)) if is_password(value, looked, known_as) else None

    return judge


def _of(commands: str, judge: Judge) -> Judge:
    """The judge for an option that means a password in these commands only."""
    named = re.compile(rf"\b(?:{commands})\b")

    def of_command(match: Any, looked: Looked) -> tuple[int, int] | None:
        start = match.start()
        command = looked.text[max(0, start - _BEFORE) : start].rpartition("\n\n")[2]
        return judge(match, looked) if named.search(command) else None

    return of_command


def _encoded(group: int) -> Judge:
    """The judge for a user and a password in base64."""

    def judge(match: Any, looked: Looked) -> tuple[int, int] | None:
        user, colon, value = decoded(match.group(group)).rpartition(":")
        sound = value.isascii() and value.isprintable()
        return match.span(group) if sound and is_password(value, looked, user if colon else "") else None

    return judge


RULES: tuple[Rule, ...] = (
    Rule(
        IN_URL,
        r"[A-Za-z][A-Za-z0-9+.-]{1,20}://([^\s:/@\"'`<>()|]{0,64}):([^\s@\"'`<>/|]{3,100})@([^\s/\"'`<>),]{0,100})",
        _password(2, 1, 3),
    ),
    Rule(
        CHOSEN,
        r"(?m)(?:^|[ \t])(?:-u|-U|-a|--user|--proxy-user|--auth|--creds)[ =]?[\"']?"
        r"([\w.@+\\-]{1,64}):([^\s\"'`<>|:/][^\s\"'`<>|]{3,100})",
        _of("curl|wget|https?|xh|ab|skopeo", _password(2, 1)),
    ),
    Rule(CHOSEN, r"[ \t]-p[\"']?" + _V, _of(r"(?:mysql|mariadb|mycli)[\w-]*|7z\w*|u?n?rar|unzip|zip", _password(1))),
    Rule(CHOSEN, r"[ \t](?:-p|--password)[ =][\"']?" + _V, _of("login", _password(1))),
    Rule(CHOSEN, r"\bsshpass[ \t]{1,4}-p[ \t]{0,4}[\"']?" + _V, _password(1)),
    Rule(CHOSEN, r"[ \t]-w[ \t]{0,4}[\"']?" + _V, _of(r"ldap\w+", _password(1))),
    Rule(CHOSEN, r"[ \t]-a[ \t]{1,4}[\"']?" + _V, _of(r"\w+-cli", _password(1))),
    Rule(CHOSEN, r"[ \t]-U[ =]?[\"']?([\w.\\/-]{1,64})%" + _V, _of(r"smb\w+|rpcclient|net", _password(2, 1))),
    Rule(CHOSEN, r"-pass(?:in|out)?[ =][\"']?pass:" + _V, _password(1)),
    Rule(
        CHOSEN,
        r"\bhtpasswd[ \t]+(?:-\w+[ \t]+)*-\w*b\w*[ \t]+(?:-\S+[ \t]+)*(?:[\w./$~-]+[ \t]+)?([\w.@-]+)[ \t]+[\"']?" + _V,
        _password(2, 1),
    ),
    Rule(
        CHOSEN,
        r"\becho[ \t]+(?:-[en]+[ \t]+)?[\"']?([\w.-]{1,64}):([^\s\"'`<>|]{4,100})[\"']?"
        r"[ \t]*\|[ \t]*(?:sudo[ \t]+)?chpasswd",
        _password(2, 1),
    ),
    Rule(
        CHOSEN,
        r"\becho[ \t]+[\"']?([^\s\"'`<>|]{4,100})[\"']?[ \t]*\|"
        r"[ \t]*(?:sudo[ \t]+(?:-\w+[ \t]+)*-\w*S|(?:sudo[ \t]+)?passwd[ \t]+--stdin)",
        _password(1),
    ),
    Rule(CHOSEN, r"\bmachine[\s>#*]+\S+[\s>#*]+login[\s>#*]+(\S+)[\s>#*]+password[\s>#*]+" + _V, _password(2, 1)),
    Rule(
        CHOSEN,
        r"(?m)^[ \t>#$*`-]*[A-Za-z0-9_.*-]{1,80}:(?:[0-9]{2,5}|\*):"
        r"[A-Za-z0-9_.*-]{1,64}:([A-Za-z0-9_.*@-]{1,64}):([^\s:`\"'|]{4,100})[ \t`]*$",
        _password(2, 1),
    ),
    Rule(CHOSEN, r"(?i)\bbasic[ ]+([A-Za-z0-9+/_-]{8,}={0,2})", _encoded(1)),
    Rule(
        CHOSEN,
        r"(?:\"auth\\?\"[ ]{0,3}:[ ]{0,3}\\?\"|:_auth=\"?|:_password=\"?)([A-Za-z0-9+/_-]{8,}={0,2})",
        _encoded(1),
    ),
    Rule(CHOSEN, r"(?i)\bpsk[ ]{0,3}(?:=[ ]{0,3})?\"([^\"\s]{8,100})\"", _password(1)),
    Rule(
        CHOSEN,
        r"(?i)\b(?:identified[ ]+(?:with[ ]+\S+[ ]+)?by|(?:with|encrypted)[ ]+password|[ ]password)"
        r"[ ]+'([^'\s]{4,100})'",
        _password(1),
    ),
)
"""A row for each place."""
