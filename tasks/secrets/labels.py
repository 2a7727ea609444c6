"""Values that are told by what they are called: beside the name, in a cell, in a sentence, or on the line below."""

from __future__ import annotations

import re
from collections.abc import Iterator

import re2

from tasks.secrets.chosen import is_word, looks_chosen
from tasks.secrets.looked import Found, Looked
from tasks.secrets.values import is_random_uuid, looks_random

ASSIGNED = "assigned secret"
CHOSEN = "password"

NAME = re2.compile(
    r"(?i)pass(?:word|wd|phrase|code)?|pwd|secret|token|credentials?|psk|(?:api|app|auth|access|account|client|encryption"
    r"|fernet|master|pre-?shared|private|secret|service|shared|signing|storage|webhook)[ _-]?key"
)

# What follows a name. Not of re2, which can't be asked what begins at a place without copying the text; every repeat
# is bounded, so that a name costs no more than a few hundred steps.
_REST = r"(?P<rest>[\w.\-\[\]]{0,40}+)"
_VALUE = (
    r"(?:\\?\"(?P<double>[^\"',\s\\]{6,512})\\?\"|'(?P<single>[^'\",\s]{6,512})'"
    r"|(?P<open>[\"'`(\[{*\\]{0,4})(?P<bare>(?:[^\s\"'`<>,;|()\\&]|&(?![\w.-]{1,40}=)){6,512}))"
    r"(?P<end>[\"'`]{1,4}(?![\w])|[\"'`*)\\]{0,4}(?:[ \t]{0,9}$|[ \t]{0,9}[,;&|#}\])\\]|[ \t]{1,9}-|</|[ \t]{1,9}//))?"
)
_TAGS = r"[\"'`]?(?:[ ]{0,3}</?[a-z]{1,10}[^<>\n]{0,60}>){1,4}[ ]{0,3}"
_BESIDE = r"[\"'`*\\\])]{0,4}(?P<sign>[ \t]{0,9}(?::=|=>|==?|:|->|→|>)[ \t*`_]{0,9}|[ ])"
_CELL = (
    r"(?P<sign>[\"'`*_]{0,4}[ \t]{0,40}\|[ \t]{0,40}(?![^|\n]{0,80}(?:\|[^|\n]{0,80}){0,3}\}\})|"
    + _TAGS
    + r"|[\"'][ ]{1,4}value[ ]?=[ ]?)"
)
_SAID = r"[\"'`*_)]{0,3}(?P<sign>(?:[ ][A-Za-z][\w'/-]{0,20}){0,8}?[ ](?:is|was|=|:)[ ])"
_FENCE = r"(?:[ \t>]{0,12}(?:```|~~~|\.\. )[^\n]{0,40}\n(?:[ \t>]{0,12}\n)?)?"
_BELOW = r"(?P<sign>[\"'`*_)\]:=.]{0,6}[ \t]{0,9}\n(?:[ \t>|#*]{0,20}\n){0,2}" + _FENCE + r"[ \t>|#*:$]{0,20})"
# Most words are no value: one without a digit is a password of ten letters, or none.
_LIKELY = r"(?=[\"'`(\[{*\\]{0,4}(?:[^\s\"'`<>]{0,80}?[0-9]|[A-Za-z]{10}))"
_PLACES = [re.compile(_REST + place + _LIKELY + _VALUE, re.MULTILINE) for place in (_BESIDE, _CELL, _SAID, _BELOW)]

_SIGNS = {":=", "=>", "=", "==", ":", "->", "→", ">"}
_OPTION = re.compile(r"(?<!\S)--?[\w-]{0,40}$")
_IS_PASSWORD = re.compile(r"pass(?:word|wd|phrase|code)?|pwd|psk", re.IGNORECASE)
_DIGEST = re.compile(r"(?:0x)?[0-9a-f]{12,}", re.IGNORECASE)
_OF_UUID = re.compile(r"token|secret|pass\w*|(?:api|app|auth|access|client|service)[ _-]?key", re.IGNORECASE)
_ENCODED = re.compile(r"(?=[A-Za-z+/]{0,40}[0-9])[A-Za-z0-9+/]{12,40}$")
_ABOUT_DIGESTS = re.compile(r"commit|hash|sha|digest|sum|finger|version|revision|\bid", re.IGNORECASE)
_OTHER = re.compile(r"id|hash|sum|file|path|ur[li]|name|public|expir|type|ref|alg|enc$|----", re.IGNORECASE)
"""What follows the name of a secret where it names something else."""


def labelled(looked: Looked) -> Iterator[Found]:
    """What stands beside the name of a secret and looks random, or beside that of a password and looks chosen."""
    text = looked.text
    for name in NAME.finditer(text):
        start, past = name.span()
        for there in filter(None, (place.match(text, past) for place in _PLACES)):
            if kind := _kind(_Label(name[0], text[max(0, start - 40) : start], there), looked):
                yield Found(*there.span(_group(there)), kind)
                break


def is_password_name(name: str, rest: str) -> bool:
    """Whether a name with what follows it in the same word is that of a password, and of nothing about one."""
    return _IS_PASSWORD.fullmatch(name) is not None and not rest.strip("0123456789]")


class _Label:
    """A name, and what stands where its value would."""

    def __init__(self, name: str, before: str, match: re.Match[str]) -> None:
        self.value = match[_group(match)].rstrip(":)]}*").removesuffix(".")
        self.rest, self.sign = match["rest"], match["sign"]
        opened = (match["open"] or "").strip("([{*\\")
        self.quoted = match["open"] is None or opened != ""
        self.is_cut = opened != "" and not (match["end"] or "").startswith(opened[0])
        whole = match[_group(match)] == self.value or not is_word(self.value)
        self.ends = self.quoted or self.sign == "=" or (match["end"] is not None and whole)
        self.assigned = self.sign.strip(" \t*`_") in _SIGNS or _OPTION.search(before) is not None
        self.is_password = is_password_name(name, self.rest)
        self.may_be_uuid = _OF_UUID.fullmatch(name) is not None
        self.names_other = _OTHER.search(self.rest) is not None or _ENCODED.search(before) is not None


def _kind(label: _Label, looked: Looked) -> str:
    """Of what kind the value of a label is; nothing where it is none."""
    value = label.value
    if label.names_other or label.is_cut or value.endswith((".", "…")):
        return ""
    if looks_random(value) or (label.may_be_uuid and is_random_uuid(value) and not looked.template):
        return "" if _DIGEST.fullmatch(value) and _ABOUT_DIGESTS.search(label.sign) else ASSIGNED
    if label.is_password and label.ends and looks_chosen(value, looked) and not (is_word(value) and _is_prose(label)):
        return CHOSEN
    return ""


def _is_prose(label: _Label) -> bool:
    """Whether a word there is most likely one of a sentence."""
    if "\n" in label.sign:
        return "#" in label.sign or not (":" in label.sign or "```" in label.sign)
    return not (label.assigned or label.quoted or "|" in label.sign or "<" in label.sign)


def _group(match: re.Match[str]) -> str:
    return next(name for name in ("double", "single", "bare") if match[name] is not None)
