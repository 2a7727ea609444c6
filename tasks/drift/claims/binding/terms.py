"""The option that a line of text is about because it begins with it: an item, a definition, a parameter, a usage line."""

from __future__ import annotations

import re

from tasks.drift.claims.options import is_plain_word, option_name
from tasks.drift.claims.page import Line, Page

_MARKER = re.compile(r"\s*(?:(?:[-*+•o]|\d{1,3}[.)]|#\.)\s+|:\s+|>\s*|\*\s*)?(?:\[[ x]\]\s+)?")
_CODE = re.compile(r"(?:\*\*|__|\[)?\\?(`{1,2})([^`\n]{1,160}?)\\?\1(?:\*\*|__|\])?")
_LONG_FORM = re.compile(r"\s?[,|/]?\s?(?:or\s)?`(--[^`\s=]{1,60})")
_SEVERAL = re.compile(r"(?:\*\*)?\s?(?:,|or|and|/|\|)\s?(?:\*\*)?`")
_BOLD = re.compile(r"(\*\*|__|\*)([^*\s][^*\n]{0,100}?)\1")
_FLAGS = re.compile(
    r"(-{1,2}[A-Za-z?][\w-]{0,60})(?:[ =]\[?[<{]?[\w|.:,/][\w|.:,/-]{0,40}[>}]?\]?)?((?:\s?[,|/]\s?|\s{1,2})--?[A-Za-z][\w-]{0,60})?"
)
_NAMED = re.compile(
    r"\$?\{?([A-Za-z_][\w.-]{0,90}?)\}?(?:\s*(?:::|:=|=|:)(?:\s|$|<)|\s{2,}|\s+[-–—]{1,2}>?\s|\s*$|\s+\(|\s)"
)
# A usage line with a column for the name, though the name is none of an option.
_ROW = re.compile(r"\s*[\w<\[][\w<>\[\]. -]{0,40}?\s{3,}\S")
_DIRECTIVE = re.compile(
    r"\s*\.\.\s+(?:[\w-]+:)?(?:option|confval|envvar|setting|data|attribute|conf|config|describe|cmdoption|variable)\s?::\s+(.{1,120})"
)
_PARAM = re.compile(
    r"\s*(?::param\s+(?:[\w.\[\], |]{1,60}\s)?|@param\s+(?:\[[^\]]{0,60}\]\s+|\{[^}]{0,60}\}\s+)?(?:[\w|\\\[\]?]{1,60}\s+(?=\$))?)\$?\*{0,2}([\w.-]{1,90})"
)
_ARGUMENT = re.compile(r"\s*\*{0,2}([A-Za-z_]\w{0,60})\s?(?:\([^()\n]{0,120}\)\s?)?:(?:\s|$)")
_SHELL_ECHO = re.compile(r"\s*(?:echo|print|printf|puts|say)\b[\s(-]*(?:[neE]\s+)?[\"']?")


def lead(line: Line) -> str:
    """The option that the line begins with; empty where it begins with something else."""
    text = line.text
    if ".. " in text and (found := _DIRECTIVE.match(text)):
        return option_name(found[1])
    if found := _PARAM.match(text):
        return found[1]
    if line.region == "docstring" and (found := _ARGUMENT.match(text)) and found[1].lower() not in _HEADS:
        return found[1]
    marker = _MARKER.match(text)
    start = marker.end() if marker else 0
    return _marked(text, start) or _bare(line, start, bool(marker and marker[0].strip()))


REACH = 80
"""In lines: a term this far above is another paragraph's."""

_HEADS = frozenset(
    "args arguments parameters returns return raises yields example examples note notes default defaults type usage attributes".split()
)


def _marked(text: str, start: int) -> str:
    if found := _CODE.match(text, start):
        return _coded(text, found.end(), found[2])
    if found := _BOLD.match(text, start):
        return option_name(found[2].strip(":` ")) if not is_plain_word(found[2].strip(":` ")) else ""
    return ""


def _coded(text: str, end: int, span: str) -> str:
    """The option of a code span that an item begins with; none where it is the first of several values."""
    name = option_name(span)
    if name.startswith("-"):
        found = _LONG_FORM.match(text, end) if not name.startswith("--") else None
        return found[1] if found else name
    if not name and span[:1] in ("'", '"') and text.startswith(":", end):
        return option_name(span.strip("\"'"))
    return "" if _SEVERAL.match(text, end) else name


def _bare(line: Line, start: int, item: bool) -> str:
    text = line.text
    if text.startswith("-", start):
        found = _FLAGS.match(text, start)
        if not found:
            return ""
        other = (found[2] or "").strip(" ,|/")
        return other if other.startswith("--") else found[1]
    found = _NAMED.match(text, start)
    if not found or not (name := option_name(found[1])):
        return ""
    rest = found[0][found.end(1) - found.start() :].rstrip("}")
    if "_" in name or "." in name or (name.isupper() and len(name) > 2 and rest != " "):
        return name
    return name if name[0].islower() and rest.strip() in (":", "::", "=") and (item or rest.strip() == "::") else ""


def term_of(page: Page, line: Line) -> tuple[str, str]:
    """The option of the term, parent item or paragraph that a line belongs to, and which of them it was.

    Without one, blanks; `blocked` where the line belongs to something that is no option.
    """
    if page.syntax == "roff":
        return _roff_term(page, line.number), "term"
    depth, item, gap = _depth(line), _is_item(line), bool(_ROW.match(line.text))
    for number in range(line.number - 1, max(0, line.number - REACH), -1):
        over = page.line(number)
        if over is None or over.region not in (line.region, "code"):
            break
        if not over.text.strip() or over.region != line.region:
            gap = True
        elif _depth(over) < depth:
            if name := lead(over):
                return name, "parent" if _is_item(over) else "term"
            if not over.text.lstrip().startswith(": "):
                return "", "" if gap and not _is_item(over) else "blocked"
            depth, item = _depth(over), _is_item(over)
        elif _depth(over) == depth and not _is_item(over) and (name := _in_paragraph(page, over, item, gap)):
            return name, "previous line"
    return "", ""


def _in_paragraph(page: Page, over: Line, item: bool, gap: bool) -> str:
    """The option that a line at the same depth begins with, if it heads the paragraph or list."""
    # Above a comment of a settings file stands another setting.
    if page.syntax == "settings" or (gap and not (item and alone(over))):
        return ""
    name = lead(over)
    previous = page.line(over.number - 1)
    fresh = previous is None or not previous.text.strip() or _depth(previous) != _depth(over)
    return name if name and (fresh or alone(over)) else ""


def alone(line: Line) -> bool:
    """Whether a line is nothing but a name, with its markup and perhaps a type."""
    bare = re.sub(r"\([^()]{0,80}\)", "", line.text).strip().strip("*_`: ")
    return "`" not in bare and len(bare.split()) <= 2 and bool(option_name(bare))


def _depth(line: Line) -> int:
    text = line.text.lstrip()
    return line.indent + (2 if text.startswith(": ") else 0)


def _is_item(line: Line) -> bool:
    found = _MARKER.match(line.text)
    return bool(found and found[0].strip() and not found[0].strip().startswith((":", ">")))


_ROFF_TERM = re.compile(r"\.(?:IP|It)\s+(.{1,200})")
_ROFF_MACRO = re.compile(r"\.[A-Z]{1,3}\s+")
_ROFF_FONT = re.compile(r"\\f(?:\[\w*\]|\(\w\w|\w)|\\&|\\s[-+]?\d")


def _roff_term(page: Page, number: int) -> str:
    for above in range(number - 1, max(0, number - 60), -1):
        text = page.lines[above - 1]
        if text.startswith(".TP") and above < number - 1:
            return _roff_name(page.lines[above])
        if found := _ROFF_TERM.match(text):
            return _roff_name(found[1])
        if text.startswith(".RS") and above > 1:
            return _roff_name(page.lines[above - 2])
        if text.startswith((".SH", ".SS", ".PP", ".LP", ".P ", ".Sh", ".RE")):
            return ""
    return ""


def _roff_name(text: str) -> str:
    if text.startswith("Fl "):
        text = "-" + text[3:].split()[0]
    text = _ROFF_FONT.sub("", _ROFF_MACRO.sub("", text)).replace("\\-", "-").replace('"', "").strip()
    words = text.replace(",", " ").split()
    flags = [word.partition("=")[0] for word in words if word.startswith("--")]
    return option_name(flags[0]) if flags else option_name(words[0].partition("=")[0]) if words else ""
