"""Scripts: comment header, docstring, POD and usage texts; the code itself is not documentation."""

import re
from collections.abc import Sequence
from pathlib import PurePosixPath

from schemas.chunks import Document
from tasks.chunk.block import Block
from tasks.chunk.boilerplate import documenting
from tasks.chunk.comments import MIN_WORDS, leading_blocks, syntax_of
from tasks.chunk.layout import Heading, Layout, first_level, is_rule
from tasks.chunk.pod import pod_blocks
from tasks.chunk.sections import find_headings
from tasks.chunk.usage import usage_blocks

LANGUAGES = {
    ".php": "php", ".py": "python", ".pl": "perl", ".pm": "perl", ".rb": "ruby", ".lua": "lua",
    ".ps1": "powershell", ".psm1": "powershell",
}  # fmt: skip
"""Those whose comments are not simply `#`."""

_INTERPRETER = re.compile(r"#!.{0,100}?\b(php|python|perl|ruby|lua|pwsh)")


def read_header(document: Document) -> Layout:
    """The documentation blocks of a script."""
    lines = document.text.split("\n")
    blocks = _blocks(lines, _language(document.path, lines[0]))
    texts, documentation = list(lines), [False] * len(lines)
    headings: list[Heading] = []
    breaks: list[int] = []
    for block in blocks:
        span = slice(block.line_start - 1, block.line_end)
        texts[span] = block.texts
        documentation[span] = _documenting(block)
        headings += _headings(block, documentation[span])
        breaks += _paragraphs(block)
    return Layout(texts, documentation, headings, breaks, section=first_level)


def _documenting(block: Block) -> list[bool]:
    """The block's documentation lines: none in a block of nothing but framed titles, which labels the code below it,
    nor where boilerplate leaves but a few words."""
    documents = documenting(block.texts)
    texts = ["", *block.texts, ""]
    left = [index for index, filled in enumerate(documents, start=1) if filled]
    framed = all(is_rule(texts[index - 1]) and is_rule(texts[index + 1]) for index in left)
    dropped = any(
        text.strip() and not is_rule(text) for text, kept in zip(block.texts, documents, strict=True) if not kept
    )
    if framed or (dropped and sum(len(texts[index].split()) for index in left) < MIN_WORDS):
        return [False] * len(documents)
    return documents


def _language(path: str, first_line: str) -> str:
    found = _INTERPRETER.match(first_line)
    named = found[1] if found else ""
    return LANGUAGES.get(PurePosixPath(path).suffix.lower(), "powershell" if named == "pwsh" else named)


def _blocks(lines: Sequence[str], language: str) -> list[Block]:
    """Header, POD and usage texts in the order of their lines; where two overlap, the first stands."""
    found = [*leading_blocks(lines, syntax_of(language)), *usage_blocks(lines)]
    if language == "perl":
        found += pod_blocks(lines)
    kept: list[Block] = []
    for block in sorted(found, key=lambda block: block.line_start):
        if not kept or block.line_start > kept[-1].line_end:
            kept.append(block)
    return kept


def _headings(block: Block, documents: Sequence[bool]) -> Sequence[Heading]:
    if block.headings is not None:
        return block.headings
    return find_headings(block.texts, documents, block.line_start, block.section)


def _paragraphs(block: Block) -> list[int]:
    return [
        block.line_start + index
        for index, text in enumerate(block.texts)
        if text.strip() and (index == 0 or not block.texts[index - 1].strip())
    ]
