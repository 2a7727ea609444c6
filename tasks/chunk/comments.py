"""The comments and docstring that stand before a script's first code, with their markers taken off."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from tasks.chunk.block import Block, dedent, read_until
from tasks.chunk.layout import is_rule

_DOCSTRING = re.compile(r"[rRuU]?(\"\"\"|'''|\"|')")

MIN_WORDS = 3


@dataclass(frozen=True, slots=True)
class Syntax:
    """How a language writes comments."""

    line: tuple[str, ...] = ("#",)
    block: tuple[tuple[str, str], ...] = ()
    docstring: bool = False
    prelude: re.Pattern[str] = field(default=re.compile(r"(?:set|shopt|setopt|emulate|IFS=|LC_ALL=|export LC_ALL)\b"))
    """Code that may stand before the header."""


_SHELL = Syntax()
_PHP = Syntax(
    ("#", "//"), (("/*", "*/"),), prelude=re.compile(r"<\?(?:php)?\s*$|declare\s*\(|namespace\s|use\s|require|include")
)
_PERL = Syntax(prelude=re.compile(r"(?:use|no|package|BEGIN)\b|1;"))
_PYTHON = Syntax(docstring=True)
_RUBY = Syntax(block=(("=begin", "=end"),), prelude=re.compile(r"require(?:_relative)?\b"))
_LUA = Syntax(("--",), (("--[[", "]]"), ("--[=[", "]=]")))
_POWERSHELL = Syntax(block=(("<#", "#>"),), prelude=re.compile(r"(?:#requires|using\s|Set-StrictMode)", re.IGNORECASE))

SYNTAXES: dict[str, Syntax] = {
    "php": _PHP,
    "python": _PYTHON,
    "perl": _PERL,
    "ruby": _RUBY,
    "lua": _LUA,
    "powershell": _POWERSHELL,
}
"""Language -> syntax, for those that are not written like a shell script."""


def syntax_of(language: str) -> Syntax:
    """The comment syntax of a language."""
    return SYNTAXES.get(language, _SHELL)


def leading_blocks(lines: Sequence[str], syntax: Syntax) -> list[Block]:
    """The comment blocks and the docstring before the first line of code, in order.

    After the first, some comments are left out: of a few words, of code, and short ones right on top of code.
    """
    blocks: list[Block] = []
    index = 1 if lines and lines[0].startswith("#!") else 0
    code_above = False
    while index < len(lines):
        line = lines[index].strip()
        if read := _read_block(lines, index, syntax):
            if not blocks or not line.startswith(syntax.line) or _is_text(lines, read):
                blocks.append(read)
            index = read.line_end
        elif not line or syntax.prelude.match(line):
            code_above = code_above or (bool(line) and not line.startswith("<?"))
            index += 1
        else:
            break
    if (len(blocks) > 1 or code_above) and index < len(lines) and _explains(lines, blocks, index, syntax):
        blocks.pop()
    return blocks


def _explains(lines: Sequence[str], blocks: Sequence[Block], code: int, syntax: Syntax) -> bool:
    """Whether the last block is a comment of a line or two right on top of code."""
    return (
        bool(blocks)
        and blocks[-1].line_end == code
        and len(blocks[-1].texts) <= 2
        and lines[code - 1].strip().startswith(syntax.line)
    )


def _is_text(lines: Sequence[str], block: Block) -> bool:
    """Whether a comment has words enough, and a blank after some marker: without, it is code that was switched off."""
    bare = [line.strip().lstrip("#-/") for line in lines[block.line_start - 1 : block.line_end]]
    words = sum(len(text.split()) for text in block.texts)
    return words >= MIN_WORDS and any(line.startswith((" ", "\t")) for line in bare)


def _read_block(lines: Sequence[str], index: int, syntax: Syntax) -> Block | None:
    line = lines[index]
    column = len(line) - len(text := line.lstrip())
    for opening, closing in syntax.block:
        if text.startswith(opening):
            return _read_pair(lines, index, column + len(opening), closing)
    if syntax.docstring and (found := _DOCSTRING.match(text)):
        return _read_pair(lines, index, column + found.end(), found[1])
    if text.startswith(syntax.line):
        return _read_run(lines, index, syntax.line)
    return None


def _read_pair(lines: Sequence[str], index: int, column: int, closing: str) -> Block | None:
    texts = read_until(lines, index, column, closing)
    if texts is None:
        return None
    if closing == "*/":
        texts = [_strip_star(text) for text in texts]
    # The first line has no indentation to share with the others.
    return Block(index + 1, (texts[0].strip(), *dedent(texts[1:])))


def _strip_star(text: str) -> str:
    bare = text.lstrip()
    return bare.lstrip("*").removeprefix(" ") if bare.startswith("*") else text


def _read_run(lines: Sequence[str], index: int, markers: tuple[str, ...]) -> Block:
    end = index
    while end < len(lines) and lines[end].lstrip().startswith(markers):
        end += 1
    return Block(index + 1, dedent([_strip_marker(line.strip(), markers) for line in lines[index:end]]))


def _strip_marker(line: str, markers: tuple[str, ...]) -> str:
    marker = next(marker for marker in markers if line.startswith(marker))
    rest = line.lstrip(marker[0])
    if not rest and is_rule(line):
        return line
    if rest.endswith(marker[0] * 2):
        # `## X ##` keeps its second mark, so that it still looks like a heading.
        rest = line[len(marker) :]
    return _without_box_end(rest.removeprefix("'").removeprefix(" "))


def _without_box_end(text: str) -> str:
    """The text without the marks that close a box at its right: those after two blanks or more."""
    # Not `\s{2,}#+$`: that looks at every blank of a long row again.
    inside = text.rstrip("#")
    bare = inside.rstrip()
    return bare if inside != text and len(inside) - len(bare) >= 2 else text
