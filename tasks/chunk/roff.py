"""Manual pages: sections by their man or mdoc macros."""

import re
from collections.abc import Sequence

from schemas.chunks import Document
from tasks.chunk.layout import Heading, Layout, first_level, shorten

_SECTION = re.compile(r"[.'][ \t]{0,8}(SH|SS|Sh|Ss)(?:[ \t]+(.*))?$")
_TITLE = re.compile(r"[.'][ \t]{0,8}(?:TH|Dt)[ \t]+(.*)")
_BLOCK = re.compile(r"[.'][ \t]{0,8}(?:PP|LP|P|TP|IP|HP|sp|Pp|It|Bl)\b")
_COMMENT = re.compile(r"[.'][ \t]{0,8}(?:\\[\"#]|$)|'''")
_ESCAPE = re.compile(r"\\(?:f(?:\[\w{0,8}\]|\(\w\w|.)|s[-+]?\d|&|%|/|,)")
_MACRO = re.compile(r"[.'][A-Za-z]{1,2}[ \t]+")


def is_roff(head: str) -> bool:
    """Whether a text begins like a manual page."""
    for line in head.split("\n", 40)[:40]:
        if _TITLE.match(line) or line.startswith((".Dd", '.\\"', "'\\\"", ".TH")):
            return True
        if line.strip() and not line.startswith((".", "'")):
            return False
    return False


def read_roff(document: Document) -> Layout:
    """The outline of a manual page; comments, and what stands before its title line, document nothing."""
    lines = document.text.split("\n")
    start = next((index for index, line in enumerate(lines) if _TITLE.match(line) or line.startswith(".Dd")), 0)
    documentation = [
        index >= start and bool(line.strip()) and not _COMMENT.match(line) for index, line in enumerate(lines)
    ]
    headings = [
        _heading(lines, index, found)
        for index, line in enumerate(lines)
        if index >= start and (found := _SECTION.match(line))
    ]
    breaks = [index + 1 for index, line in enumerate(lines) if _BLOCK.match(line) or _follows_blank(lines, index)]
    title = _title(lines, headings)
    # The title line says nothing that the text below NAME doesn't.
    return Layout(lines, documentation, headings, breaks, start + 2, title, first_level)


def _heading(lines: Sequence[str], index: int, found: re.Match[str]) -> Heading:
    level = 1 if found[1].upper() == "SH" else 2
    if found[2] and found[2].strip():
        return Heading(index + 1, level, _plain(found[2]), index + 1)
    following = lines[index + 1] if index + 1 < len(lines) else ""
    return Heading(index + 1, level, _plain(following), index + 2)


def _follows_blank(lines: Sequence[str], index: int) -> bool:
    return bool(index and lines[index].strip() and not lines[index - 1].strip())


def _title(lines: Sequence[str], headings: Sequence[Heading]) -> str:
    """The text below NAME (`mover \\- moves cold files`), else what the title macro says."""
    named = next((index for index, heading in enumerate(headings) if heading.title.upper() == "NAME"), None)
    if named is not None:
        end = headings[named + 1].line - 1 if named + 1 < len(headings) else len(lines)
        text = " ".join(
            _named(line) for line in lines[headings[named].line_end : min(end, headings[named].line_end + 4)]
        )
        if words := _plain(text):
            return words
    found = next((found for line in lines if (found := _TITLE.match(line))), None)
    return _plain(found[1].split()[0]) if found and found[1].split() else ""


def _named(line: str) -> str:
    if _COMMENT.match(line):
        return ""
    return ("- " if line.startswith(".Nd") else "") + _MACRO.sub("", line, count=1)


def _plain(text: str) -> str:
    return shorten(_ESCAPE.sub("", text).replace("\\-", "-").strip().strip('"'))
