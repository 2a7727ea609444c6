"""The comments and docstring that stand before a script's first code, with their markers taken off."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from tasks.chunk.block import Block, dedent, read_until
from tasks.chunk.layout import is_rule

_DOCSTRING = re.compile(r"[rRuU]?(\"\"\"|'''|\"|')")
_BOX_END = re.compile(r"\s{2,}#+$")

MIN_WORDS = 4


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
    while index < len(lines):
        read = _read_block(lines, index, syntax)
        if read:
            if not blocks or _is_text(lines, read, syntax):
                blocks.append(read)
            index = read.line_end
        elif not lines[index].strip() or syntax.prelude.match(lines[index].strip()):
            index += 1
        else:
            break
    if len(blocks) > 1 and len(blocks[-1].texts) <= 2 and blocks[-1].line_end == index < len(lines):
        blocks.pop()
    return blocks


def _is_text(lines: Sequence[str], block: Block, syntax: Syntax) -> bool:
    words = sum(len(text.split()) for text in block.texts)
    bare = [line.strip().lstrip("#-/") for line in lines[block.line_start - 1 : block.line_end]]
    # Comments that leave no blank after the marker are code that was switched off.
    is_code = lines[block.line_start - 1].lstrip().startswith(syntax.line) and not any(
        line.startswith((" ", "\t")) for line in bare
    )
    return words >= MIN_WORDS and not is_code


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
    return bare.lstrip("*").removeprefix(" ") if bare.startswith("*") and not is_rule(bare) else text


def _read_run(lines: Sequence[str], index: int, markers: tuple[str, ...]) -> Block:
    end = index
    while end < len(lines) and lines[end].lstrip().startswith(markers):
        end += 1
    return Block(index + 1, dedent([_strip_marker(line.strip(), markers) for line in lines[index:end]]))


def _strip_marker(line: str, markers: tuple[str, ...]) -> str:
    marker = next(marker for marker in markers if line.startswith(marker))
    if is_rule(line):
        return line
    # `## X ##` keeps its second mark, so that it still looks like a heading.
    rest = line[len(marker) :] if line.endswith(marker[0] * 2) else line.lstrip(marker[0])
    return _BOX_END.sub("", rest.removeprefix("'").removeprefix(" "))
