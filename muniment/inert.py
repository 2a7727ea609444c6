"""Text from a repository made inert: nothing in it can move a cursor, hide a word or turn a line around."""

import re

# C0 and C1 controls but tab and newline, DEL, bidirectional overrides and isolates, zero-width marks, line separators,
# and the tags, which spell words that only a model reads.
_LIVE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\U000e0000-\U000e007f]"
)


def inert(text: str) -> str:
    """The text with everything a terminal might obey spelled out as `\\xNN`, `\\uNNNN` or `\\UNNNNNNNN`."""
    return _LIVE.sub(lambda found: found.group().encode("unicode_escape").decode(), text)


def one_line(text: str) -> str:
    """The text, inert and on one line: for names and paths."""
    return inert(text.replace("\n", "\\n").replace("\t", "\\t"))
