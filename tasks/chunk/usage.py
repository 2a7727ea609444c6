"""Usage texts inside scripts: kept in a variable, in a heredoc, or printed line by line by a usage function."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import takewhile

from tasks.chunk.block import Block, dedent, read_until

# Every quantifier is bounded, or what follows it can't match what it matches: linear on any line.
_NAME = r"\$?\w{0,40}?(?:usage|help|synopsis|USAGE|HELP|SYNOPSIS|Usage|Help)(?![a-z])\w{0,40}"
_QUOTE = r"(\"\"\"|'''|\"|')"
_FUNCTION = re.compile(r"\s*(?:function|sub|def|proc)\s+([\w:-]+)|\s*([\w:-]+)\s*\(\s*\)\s*(?:\{|$)")
_IS_USAGE = re.compile(_NAME)
_ASSIGNED = re.compile(rf"\s*(?:[a-z]{{2,9}}\s(?:-\w\s)?\s*)?({_NAME})\s*(?:\+|\.)?=\s*[rfu$]?{_QUOTE}")
_PARSER_TEXT = re.compile(r"\b(description|epilog)\s?=\s?(?:[\w.]{1,20}\()?[rf]?(\"\"\"|''')")
_PRINTED = re.compile(
    rf"\s*(?:echo|printf|print|puts|say|warn|Write-(?:Host|Output))\b(?:\s+-[neE]+|\s+STDERR)?[\s(]*(?:{_QUOTE}|$)"
)
_KEPT = re.compile(rf"\s*(?:[a-z]{{2,9}}\s[^<=]{{0,40}}?)?({_NAME})\s*+=?\s*+\$?\(?\s*+(?:cat\s*)?<<")
_HEREDOC = re.compile(r"<<[<~-]?[ \t]{0,4}[\"'\\]?([A-Za-z_]\w*)")
_TERMINATOR = re.compile(r"\s*([A-Za-z_]\w*)[;),]{0,3}\s*$")
_FORMAT = re.compile(r"(?:%[sb]|\\n)*")
_NEXT = re.compile(rf"\s*+,?\s*{_QUOTE}")
_MARKUP = re.compile(
    r"\$\{?[A-Z]{0,10}_?(?:BLACK|RED|GREEN|YELLOW|ORANGE|BLUE|PURPLE|MAGENTA|CYAN|WHITE|GR[AE]Y|RESET|NC|BOLD|NORMAL)(?:\}|(?![A-Za-z_]))"
    r"|\\(?:e|033|x1b)\[[0-9;]{0,12}m|\\n$"
)
MIN_WORDS = 3
"""A single line of fewer words, such as `[<version>]`, is a list of arguments and no text."""


def usage_blocks(lines: Sequence[str]) -> Iterator[Block]:
    """Each usage text of a script, in order."""
    ends = _heredoc_ends(lines)
    function_indent = -1
    index = 0
    while index < len(lines):
        line = lines[index]
        indent = len(line) - len(line.lstrip())
        if line.strip() and indent <= function_indent and not line.lstrip().startswith("{"):
            function_indent = -1
        if found := _FUNCTION.match(line):
            function_indent = indent if _IS_USAGE.search(found[1] or found[2]) else -1
        block = _kept_block(lines, index, ends)
        if not block and function_indent >= 0:
            block = _heredoc_block(lines, index, ends) or _printed_block(lines, index)
        if block and _is_text(block):
            yield block
        index = block.line_end if block else index + 1


def _is_text(block: Block) -> bool:
    filled = [text for text in block.texts if text.strip()]
    return len(filled) > 1 or (bool(filled) and filled[0].strip()[0].isalnum() and len(filled[0].split()) >= MIN_WORDS)


def _kept_block(lines: Sequence[str], index: int, ends: dict[str, list[int]]) -> Block | None:
    line = lines[index]
    if _KEPT.match(line):
        return _heredoc_block(lines, index, ends)
    found = _ASSIGNED.match(line) or _PARSER_TEXT.search(line)
    if not found:
        return None
    if found[1].lower().endswith(("args", "arguments", "switches")):
        return None
    block = _quoted_block(lines, index, found.end(), found[2])
    # `help="..."` on one line is the text of a single option, and says nothing without it.
    return None if block and found[1] == "help" and len(block.texts) == 1 else block


def _quoted_block(lines: Sequence[str], index: int, column: int, quote: str) -> Block | None:
    texts = read_until(lines, index, column, quote)
    if not texts:
        return None
    first, rest = texts[0], texts[1:]
    indented = len(quote) == 3 or not first.strip()
    return _block(index, (first.strip(), *(dedent(rest) if indented else rest)))


def _heredoc_block(lines: Sequence[str], index: int, ends: dict[str, list[int]]) -> Block | None:
    found = _HEREDOC.search(lines[index])
    numbers = ends.get(found[1], []) if found else []
    later = bisect_right(numbers, index)
    if later == len(numbers):
        return None
    return _block(index, ("", *dedent(lines[index + 1 : numbers[later]]), ""))


def _heredoc_ends(lines: Sequence[str]) -> dict[str, list[int]]:
    ends: dict[str, list[int]] = {}
    for index, line in enumerate(lines):
        if found := _TERMINATOR.match(line):
            ends.setdefault(found[1], []).append(index)
    return ends


def _printed_block(lines: Sequence[str], index: int) -> Block | None:
    found = _PRINTED.match(lines[index])
    if not found or not found[1]:
        return None
    texts = _printed_texts(lines, index)
    if not texts:
        return None
    if len(texts) > 1:
        return _block(index, (texts[0].strip(), *(texts[1:] if texts[0].strip() else dedent(texts[1:]))))
    following = (_printed_texts(lines, number) for number in range(index, len(lines)))
    run = [texts[0] for texts in takewhile(lambda texts: len(texts) == 1, following)]
    return _block(index, dedent(run))


def _printed_texts(lines: Sequence[str], index: int) -> list[str]:
    """What one command prints, by line: nothing where it is no such command or its text does not begin on the line."""
    line = lines[index]
    found = _PRINTED.match(line)
    if not found:
        return []
    if not found[1]:
        return [""]
    texts = read_until(lines, index, found.end(), found[1]) or []
    if len(texts) == 1 and _FORMAT.fullmatch(texts[0]):
        after = _NEXT.match(line, found.end() + len(texts[0]) + len(found[1]))
        return read_until(lines, index, after.end(), after[1]) or [] if after else texts
    return texts


def _block(index: int, texts: Sequence[str]) -> Block:
    return Block(index + 1, tuple(_MARKUP.sub("", text).rstrip() for text in texts), section="USAGE")
