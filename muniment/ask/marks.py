"""What in a document is no word: signs of comments, rules, fences, cells, and the requests of manual pages."""

import re

_MARKS = re.compile(
    # Of reStructuredText: targets, directives and numbered items; then rules, comment signs, fences, cells.
    r"(?m)^[ \t]*\.\. (?:_[^:\n]+:.*$|[\w:-]+::[ \t]*)|^[ \t]*#\.[ \t]"
    r"|^[ \t]*+(?:#+|;+|//+)?(?:[^\S\n]|\|)*+[-=~*─━_]{3,}.*$|^[ \t]*(?:#+|;+|//+)[ \t]?"
    r"|^[ \t]*```.*$|^[ \t]*\||\|[ \t]*$"
)
# Of roff: lines that only name the page or a section, requests before words, and escapes.
_NAMING = re.compile(r"(?m)^\.[ \t]*(?:TH|SH|SS|Dd|Dt|Os|Sh|Ss)\b.*$")
_REQUEST = re.compile(r"(?m)^\.[ \t]*[A-Za-z]{1,2}(?:[ \t]+|$)")
_ESCAPE = re.compile(r"\\(?:f(?:\[\w{0,8}\]|\(\w\w|.)|s[-+]?\d|[&%/,|^])")
_SPELLED = {"\\-": "-", "\\(aq": "'", "\\(dq": '"', "\\(em": "-", "\\(en": "-", "\\e": "\\", "\\ ": " "}


def unmarked(text: str, kind: str) -> str:
    """The text without marks; what looks like a request is one in documents of kind `manual` alone."""
    if kind == "manual":
        text = _ESCAPE.sub("", _REQUEST.sub("", _NAMING.sub("", text)))
        for spelled, meant in _SPELLED.items():
            text = text.replace(spelled, meant)
    return _MARKS.sub("", text)
