"""The option that a line is about because it, or the term or item above, begins with it."""

from __future__ import annotations

import re
from functools import lru_cache

from tasks.drift.claims.binding.roff import roff_term
from tasks.drift.claims.reading.options import is_plain_word, option_name
from tasks.drift.claims.reading.page import Line, Page

REACH = 60
"""In lines: a term this far above is another paragraph's."""

_MARKER = re.compile(r"\s*(?:(?:[-*+•o]|\d{1,3}[.)]|#\.)\s+|:\s+|>\s*|\*\s*)?(?:\[[ x]\]\s+)?")
_CODE = re.compile(r"(?:\*\*|__|\[)?\\?(`{1,2})([^`\n]{1,160}?)\\?\1(?:\*\*|__|\])?")
_LONG_FORM = re.compile(r"\s?[,|/]?\s?(?:or\s)?`(--[^`\s=]{1,60})")
_SEVERAL = re.compile(r"(?:\*\*)?\s?(?:,|or|and|/|\|)\s?(?:\*\*)?`")
_BOLD = re.compile(r"(\*\*|__|\*)([^*\s][^*\n]{0,100}?)\1")
_FLAGS = re.compile(
    r"(-{1,2}[A-Za-z?][\w-]{0,60})(?:[ =]\[?[<{]?[\w|.:,/][\w|.:,/-]{0,40}[>}]?\]?)?"
    r"((?:\s?[,|/]\s?|\s{1,2})--?[A-Za-z][\w-]{0,60})?"
)
_NAMED = re.compile(
    r"\$?\{?([A-Za-z_][\w.-]{0,90}?)\}?(\s{0,40}(?:::|:=|=|:)(?:\s|$|<)|\s{2,40}|\s{1,40}[-–—]{1,2}>?\s|\s{1,40}\(|\s|$)"
)
_DIRECTIVE = re.compile(
    r"\s*\.\. (?:[\w-]+:)?(?:option|confval|envvar|setting|data|attribute|conf|config|describe|cmdoption|variable)\s?::"
    r"\s+(.{1,120})"
)
_PARAM = re.compile(
    r"\s*(?::param\s+(?:[\w.\[\], |]{1,60}\s)?|@param\s+(?:\[[^\]]{0,60}\]\s+|\{[^}]{0,60}\}\s+)?"
    r"(?:[\w|\\\[\]?]{1,60}\s+(?=\$))?)\$?\*{0,2}([\w.-]{1,90})"
)
_ARGUMENT = re.compile(r"\s*\*{0,2}([A-Za-z_]\w{0,60})\s?(?:\([^()\n]{0,120}\)\s?)?:(?:\s|$)")
_TITLES = """
    args arguments parameters returns return raises yields example examples note notes default defaults type usage
    attributes
"""
_SECTIONS = frozenset(_TITLES.split())
# A usage line with a column of its own for what it explains, though that is no option.
_COLUMNS = re.compile(r"\s*[\w<\[][\w<>\[\]. -]{0,40}?\s{3,}\S")
# A name that goes on as a sentence does, without anything that sets it off.
_RUNNING = re.compile(r"\s*(?:`{1,2}[^`\n]{1,160}`{1,2}|\$?\w[\w.-]{0,89})(?: [A-Za-z]|[,.)])")
_ASIDE = re.compile(r"\([^()]{0,80}\)")


@lru_cache(maxsize=4_096)
def lead(line: Line) -> str:
    """The option that the line begins with; empty where it begins with something else."""
    if ".. " in line.text and (found := _DIRECTIVE.match(line.text)):
        return option_name(found[1])
    name = _parameter(line) or _first_of(line.text)
    # Docstrings shout their headings.
    return "" if line.region == "docstring" and is_plain_word(name) and name.isupper() else name


def _parameter(line: Line) -> str:
    """The parameter that a line of a docstring, or an annotation in a comment, explains."""
    if found := _PARAM.match(line.text):
        return found[1]
    found = _ARGUMENT.match(line.text) if line.region == "docstring" else None
    typed = found is not None and found[1].islower() and "(" in found[0]
    return found[1] if found and (typed or found[1].lower() not in _SECTIONS) else ""


def _first_of(text: str) -> str:
    """The option behind the marker of an item: in a code span, bold, a flag, or a name."""
    marker = _MARKER.match(text)
    start = marker.end() if marker else 0
    if found := _CODE.match(text, start):
        return _coded(text, found.end(), found[2])
    if found := _BOLD.match(text, start):
        name = found[2].strip(":` ")
        return "" if is_plain_word(name) else option_name(name)
    if text.startswith("-", start):
        return _flag(text, start)
    return _named(text, start, item=bool(text[:start].strip()))


def _coded(text: str, end: int, span: str) -> str:
    """The option of a code span that an item begins with; none where it is the first of several values."""
    name = option_name(span)
    if name.startswith("-"):
        found = _LONG_FORM.match(text, end) if not name.startswith("--") else None
        return found[1] if found else name
    if not name and span[:1] in ("'", '"') and text.startswith(":", end):
        return option_name(span.strip("\"'"))
    return "" if _SEVERAL.match(text, end) else name


def _flag(text: str, start: int) -> str:
    """The flag that a line begins with, in its long form if it has one."""
    found = _FLAGS.match(text, start)
    other = (found[2] or "").strip(" ,|/") if found else ""
    return other if other.startswith("--") else found[1] if found else ""


def _named(text: str, start: int, *, item: bool) -> str:
    """The bare name that a line begins with: one that is spelled like an option, or is set off like a term."""
    found = _NAMED.match(text, start)
    name = option_name(found[1]) if found else ""
    if not found or not name:
        return ""
    after = found[2].rstrip("<")
    if "_" in name or "." in name or (name.isupper() and len(name) > 2 and after != " "):
        return name
    set_off = after.strip() == "::" or (item and after.strip() in (":", "="))
    return name if name[0].islower() and set_off else ""


def begins_with(page: Page, line: Line) -> str:
    """The option that a line begins with, unless the line only goes on with the sentence of the one above."""
    name = lead(line)
    if not name or line.region == "usage" or is_item(line) or not _RUNNING.match(line.text):
        return name
    over = page.line(line.number - 1)
    apart = over is None or over.region != line.region or not over.text.strip() or over.text.rstrip()[-1] in ".:;!?|"
    inside = over is not None and (_depth(over) == _depth(line) or _defines(over))
    return name if apart or not inside else ""


def term_of(page: Page, line: Line) -> tuple[str, str]:
    """The option of the term, parent item or paragraph that a line belongs to, and which of them it was.

    Without one, blanks; `blocked` where the line belongs to something that is no option.
    """
    if page.syntax == "roff":
        return roff_term(page.lines, line.number), "term"
    depth, item, gap = _depth(line), is_item(line), bool(_COLUMNS.match(line.text))
    for number in range(line.number - 1, max(0, line.number - REACH), -1):
        over = page.line(number)
        if over is None or over.region not in (line.region, "code"):
            break
        if not over.text.strip() or over.region != line.region:
            gap = True
        elif _depth(over) < depth:
            if name := begins_with(page, over):
                return name, "parent" if is_item(over) else "term"
            if not _defines(over):
                return "", "" if gap and not is_item(over) else "blocked"
            depth, item = _depth(over), is_item(over)
        elif item and depth and _depth(over) == depth and _introduces(over):
            return "", "blocked"
        elif _depth(over) == depth and not is_item(over) and (name := _in_paragraph(page, over, item, gap)):
            return name, "previous line"
    return "", ""


def _in_paragraph(page: Page, over: Line, item: bool, gap: bool) -> str:
    """The option that a line at the same depth begins with, if it heads the paragraph or list."""
    # Above a comment of a settings file stands another setting.
    if page.syntax == "settings" or (gap and not (item and is_alone(over))):
        return ""
    previous = page.line(over.number - 1)
    fresh = previous is None or not previous.text.strip() or _depth(previous) != _depth(over)
    return lead(over) if fresh or is_alone(over) else ""


def _introduces(line: Line) -> bool:
    """Whether a line leads up to a list of something else than an option's traits."""
    return line.text.rstrip().endswith(":") and not is_item(line) and not lead(line) and not is_alone(line)


def is_alone(line: Line) -> bool:
    """Whether a line is nothing but a name, with its markup and perhaps a type."""
    bare = _ASIDE.sub("", line.text).strip().strip("*_`: ")
    return "`" not in bare and len(bare.split()) <= 2 and bool(option_name(bare))


def is_item(line: Line) -> bool:
    """Whether a line begins an item of a list."""
    marker = _MARKER.match(line.text)
    return bool(marker and marker[0].strip() and not marker[0].strip().startswith((":", ">")))


def _defines(line: Line) -> bool:
    """Whether a line begins a definition, as Markdown dialects write them: `: text`."""
    return line.text.lstrip().startswith(": ")


def _depth(line: Line) -> int:
    return line.indent + (2 if _defines(line) else 0)
