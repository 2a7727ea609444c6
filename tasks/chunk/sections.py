"""Recognises, by their looks, the section headings and named paragraphs of comment headers and usage texts."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from tasks.chunk.layout import CONTINUES, RULE_CHARACTERS, Heading, is_rule, shorten

SECTIONS = frozenset({
    "NAME", "SYNOPSIS", "USAGE", "DESCRIPTION", "PURPOSE", "OVERVIEW", "SUMMARY", "BACKGROUND",
    "OPERATIONAL MODEL", "HOW IT WORKS", "DESIGN PRINCIPLES", "DESIGN", "OPERATIONAL SAFEGUARDS", "SAFEGUARDS",
    "SAFETY", "SECURITY", "CONFIGURATION", "SETTINGS", "VARIABLES", "ENVIRONMENT", "ENVIRONMENT VARIABLES",
    "RUNTIME MODES", "MODES", "COMMANDS", "SUBCOMMANDS", "OPTIONS", "FLAGS", "ARGUMENTS", "PARAMETERS",
    "REQUIREMENTS", "REQUIRES", "PREREQUISITES", "DEPENDENCIES", "INSTALLATION", "SETUP", "SCHEDULE",
    "SCHEDULING", "FILES", "INPUT", "INPUTS", "OUTPUT", "OUTPUTS", "EXAMPLE", "EXAMPLES", "EXIT STATUS",
    "EXIT CODE", "EXIT CODES", "RETURN CODES", "RETURN VALUE", "RETURN VALUES", "DIAGNOSTICS", "LOGGING",
    "TROUBLESHOOTING", "RECOVERY", "NOTES", "WARNINGS", "CAVEATS", "LIMITATIONS", "KNOWN ISSUES", "BUGS",
    "SEE ALSO", "REFERENCES", "OVERHEAD", "FEATURES", "HISTORY",
})  # fmt: skip
"""The names that are sections wherever they stand alone in capitals or with a colon; others need the looks."""

_INLINE = frozenset({
    "USAGE", "SYNOPSIS", "DESCRIPTION", "PURPOSE", "REQUIREMENTS", "REQUIRES", "DEPENDENCIES", "EXAMPLE", "EXAMPLES",
    "OPTIONS", "ARGUMENTS",
})  # fmt: skip
"""Those that may have text after the colon on their own line: `Usage: mover.sh [--dry-run]`."""

_KEYWORD = re.compile(r"\.[A-Z]{4,}(?: \w+)?$")
"""PowerShell's `.SYNOPSIS` and `.PARAMETER Night`."""

_SIDES = RULE_CHARACTERS + " |│┃║"
_LIST_ITEM = re.compile(r"(?:[-*+•>|]|\d{1,3}[.)]|\(\d{1,3}\))\s")
_NOT_IN_CAPITALS = frozenset('_=$<>{}[]`"\\;|*')
MAX_HEADING = 60
MAX_WORDS = 8


@dataclass(frozen=True, slots=True)
class _Section:
    title: str
    text_start: int
    loud: bool = True
    """In capitals, underlined, boxed or between rules. Where a block has such sections, `Usage:` is less than one."""


def find_headings(texts: Sequence[str], documents: Sequence[bool], first_line: int, section: str = "") -> list[Heading]:
    """Sections (level 1) and named paragraphs (level 2) of a block whose first text stands on `first_line`.

    A named paragraph is a title line, not indented, with an indented line right below it; it ends where unindented
    text begins again. The list opens with the block itself, under `section`. Boilerplate ends a piece, and what
    follows goes on where the text before it stopped.
    """
    sections = _find_sections(texts, documents)
    headings = [Heading(first_line, 1, section, first_line - 1)]
    named = interrupted = False
    text_start = 0
    for index, text in enumerate(texts):
        line = first_line + index
        if not documents[index]:
            interrupted = interrupted or (bool(text.strip()) and not is_rule(text))
            continue
        if index in sections:
            found = sections[index]
            text_start = found.text_start
            if named or found.title != section:
                headings.append(Heading(line, 1, found.title, first_line + text_start - 1))
            section, named = found.title, False
        elif section and index >= text_start and _is_named(texts, index):
            headings.append(Heading(line, 2, shorten(text), line))
            named = True
        elif named and not text[:1].isspace() and not _at(texts, index - 1).strip():
            headings.append(Heading(line, 2, "", line - 1))
            named = False
        elif interrupted:
            headings.append(Heading(line, CONTINUES, "", line - 1))
        interrupted = False
    return headings


def heading_words(text: str) -> str:
    """The line without rules, box sides and colon around it."""
    return text.strip(_SIDES).rstrip(":").strip()


def reads_as_heading(text: str) -> bool:
    """Whether a line is short, and no sentence."""
    return (
        2 <= len(text) <= MAX_HEADING
        and len(text.split()) <= MAX_WORDS
        and not text.endswith((".", ",", ";"))
        and any(character.isalpha() for character in text)
    )


def is_capitals(text: str) -> bool:
    """Whether a line is words in capitals, and no CONSTANT or code."""
    letters = sum(character.isalpha() for character in text)
    return text.isupper() and letters >= 3 and "  " not in text and not _NOT_IN_CAPITALS.intersection(text)


def is_between_rules(text: str) -> bool:
    """Whether a line looks like `--- this ---`."""
    text = text.strip()
    start = len(text) - len(text.lstrip(RULE_CHARACTERS))
    end = len(text) - len(text.rstrip(RULE_CHARACTERS))
    return start >= 2 and end >= 2 and text[start : start + 1] == " "


def _find_sections(texts: Sequence[str], documents: Sequence[bool]) -> dict[int, _Section]:
    """The section headings by their index; never the block's first line, which is a title, unless by its name."""
    indented_bodies = any(
        documents[index] and text.rstrip(":") in SECTIONS and _is_indented(_at(texts, index + 1))
        for index, text in enumerate(texts)
    )
    found = {
        index: section
        for index in range(len(texts))
        if documents[index] and (section := _section_at(texts, index, indented_bodies))
    }
    first = next((index for index, documenting in enumerate(documents) if documenting), 0)
    if first in found and found[first].title not in SECTIONS:
        del found[first]
    loud = any(section.loud for section in found.values())
    return {index: section for index, section in found.items() if section.loud or not loud}


def _section_at(texts: Sequence[str], index: int, indented_bodies: bool) -> _Section | None:
    """The section that a line opens by its name, or by its looks."""
    text = texts[index]
    name, colon, rest = text.partition(":")
    known = name.upper()
    if rest.strip() and known in _INLINE:
        return _Section(known, index, name.isupper())
    if not rest.strip() and known in SECTIONS and (colon or name.isupper()):
        return _Section(known, index + 1, name.isupper())
    if _KEYWORD.match(text):
        return _Section(shorten(text[1:]), index + 1)
    words = heading_words(text)
    above = _at(texts, index - 1)
    if reads_as_heading(words) and (not above.strip() or is_rule(above)):
        title = words.upper() if words.upper() in SECTIONS else words
        return _section_by_looks(texts, index, title, indented_bodies)
    return None


def _section_by_looks(texts: Sequence[str], index: int, title: str, indented_bodies: bool) -> _Section | None:
    text, above, below = texts[index], _at(texts, index - 1), _at(texts, index + 1)
    framed = is_rule(above) and is_rule(below)
    underlined = is_rule(below) and len(set(below.strip())) == 1 and not text[:1].isspace()
    capitals = is_capitals(text) and not text[:1].isspace() and (indented_bodies or not _is_indented(below))
    if framed or underlined:
        return _Section(title, index + 2)
    return _Section(title, index + 1) if capitals or is_between_rules(text) else None


def _is_named(texts: Sequence[str], index: int) -> bool:
    text, above = texts[index], _at(texts, index - 1)
    starts = not above.strip() or is_rule(above) or above[0].isspace()
    return (
        (starts or _section_at(texts, index - 1, indented_bodies=False) is not None)
        and not text[:1].isspace()
        and _is_indented(_at(texts, index + 1))
        and reads_as_heading(text)
        and not text.endswith((":", "\\"))
        and "  " not in text
        and not _LIST_ITEM.match(text)
    )


def _at(texts: Sequence[str], index: int) -> str:
    return texts[index] if 0 <= index < len(texts) else ""


def _is_indented(text: str) -> bool:
    return text[:1] in (" ", "\t") and bool(text.strip())
