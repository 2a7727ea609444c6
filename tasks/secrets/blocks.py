"""Private keys of several lines: between BEGIN and END, PuTTY's files, and the same as the text of a string."""

from __future__ import annotations

import re
from collections.abc import Iterator

import re2

from tasks.secrets.values import stands_in

PRIVATE_KEY = "private key"

_BLOCK = re2.compile(
    r"----[- ]BEGIN (?:[A-Z0-9]+ )*(?:PRIVATE KEY(?: BLOCK)?|OpenVPN Static key V1)[ -]----|PuTTY-User-Key-File-[0-9]"
)
_MARKS = r"[\s#>*/|+\"'`-]*+"
_BODY = re.compile(_MARKS + r"(?P<body>[A-Za-z0-9+/=]{16,}+|(?:\\n|[A-Za-z0-9+/=])++)(?:\\{1,4}[rn]|[\s\"'`,+.;\\])*+")
_NO_BODY = re.compile(r"\\{1,4}[rn]|[^A-Za-z0-9+/=]")
_HEADER = re.compile(_MARKS + r"(?:[A-Za-z0-9-]{2,40}: ?.*)?")
_END = re.compile(r"---- ?END|-----END|Private-MAC:")
LEAST_BODY = 100
"""Letters of base64: the shortest real key has more, and an example is cut short after one line."""
MOST_LINES = 400


def blocks(text: str) -> Iterator[tuple[int, int]]:
    """First and last line of each private key of which enough is there to be one."""
    if not _BLOCK.search(text):
        return
    lines = text.split("\n")
    number = 0
    while number < len(lines):
        first = number
        if _BLOCK.search(lines[first]):
            body, number = _body(lines, first)
            if len(body) >= LEAST_BODY and len(set(body)) >= 16 and not stands_in(body[:40]):
                yield first, number
        number += 1


def _body(lines: list[str], first: int) -> tuple[str, int]:
    """The base64 that follows the line on which a block begins, and the number of the line that ends it."""
    inside = re.split(r"-----BEGIN [^-]{1,60}-----", lines[first])[-1].partition("-----")[0]
    body = [_NO_BODY.sub("", inside)]
    last = first
    for number in range(first + 1, min(first + MOST_LINES, len(lines))):
        line = lines[number]
        if _END.search(line):
            last = number
            break
        if found := _BODY.fullmatch(line):
            body.append(found["body"])
            last = number
        elif not _HEADER.fullmatch(line):
            break
    return "".join(body), last
