"""The names that a page explains, lists or sets among others of their kind that are real."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from tasks.drift.pages import Fence, Page, Term

MIN_SIBLINGS = 3
MIN_SHARE = 0.7
"""Of the names in one table, list, block or row of headings: so many are real where the others are expected to be."""

MANY = 12
"""Names in a group from which on a name need not look like the others."""

CONSTANT = re.compile(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$")

Place = tuple[int, str]
"""Line and name."""
Lacks = Callable[[str], bool]
"""Whether nothing but documentation holds a name."""

_NAME = re.compile(r"(?!self\.|this\.)[A-Za-z][A-Za-z0-9]*(?:[._-][A-Za-z0-9]+){0,8}$")
_COMPOUND = re.compile(r"[._]|[a-z][A-Z]")
_FILE = re.compile(r"\.(?:[a-z]{1,3}|ya?ml|json|toml|conf|html|service|timer|txt|template)$")
_ASSIGNED = re.compile(r"(?:^|\s)(?:export |-e |--env[ =])\s?[\"']?([A-Z][A-Z0-9_]{3,60})=")
_KEYED = re.compile(r"\s*(?:#\s?|- )?[\"']?([A-Z][A-Z0-9_]{3,60})[\"']?\s?(?:=|:\s)")
_SHELLS = frozenset({"", "bash", "sh", "shell", "console", "zsh", "shell-session", "dockerfile"})
_SETTINGS = frozenset({"env", "dotenv", "ini", "properties", "yaml", "yml", "conf", "toml"})
_CALLED_AFTER = re.compile(r"[`*]{1,3} (?:config(?:uration)? )?(?:settings?|options?|env(?:ironment)? var)\b", re.I)
_CALLED_BEFORE = re.compile(r"\b(?:settings?|options?|env(?:ironment)? var(?:iable)?s?):? [`*]{1,3}$", re.I)


def unknown_terms(page: Page, lacks: Lacks) -> Iterator[Place]:
    """The names that head a row, item or section and are not real, while most of their group are."""
    groups: dict[str, list[Term]] = {}
    for term in page.terms:
        if _NAME.match(term.name) and _COMPOUND.search(term.name) and not _FILE.search(term.name):
            groups.setdefault(term.group, []).append(term)
    for terms in groups.values():
        names = {term.name for term in terms}
        unknown = {name for name in names if lacks(name)}
        if unknown and _is_mostly_real(len(names), len(unknown)):
            yield from ((term.line, term.name) for term in terms if term.name in unknown and _is_like(term, terms))


def unknown_mentions(page: Page, lacks: Lacks) -> Iterator[Place]:
    """The constants in running text that are not real, while most on their line are."""
    lines: dict[int, set[str]] = {}
    for span in page.spans:
        if CONSTANT.match(span.text):
            lines.setdefault(span.line, set()).add(span.text)
    for line, names in lines.items():
        unknown = sorted(name for name in names if lacks(name)) if len(names) > 2 else []
        if 2 * len(unknown) < len(names):
            yield from ((line, name) for name in unknown)


def unknown_settings(page: Page, lacks: Lacks, is_ours: Lacks) -> Iterator[Place]:
    """The variables that a block of code sets and that are not real, while its others are, or `is_ours` says so."""
    for fence in page.fences:
        places = list(_set_in(fence))
        names = {name for _, name in places}
        unknown = {name for name in names if lacks(name)}
        mostly = _is_mostly_real(len(names), len(unknown))
        yield from (place for place in places if place[1] in unknown and (mostly or is_ours(place[1])))


def called_settings(page: Page, lines: Sequence[str]) -> Iterator[Place]:
    """The constants that the text calls a setting, option or environment variable: 'the `NAME` setting'."""
    for span in page.spans:
        if CONSTANT.match(span.text):
            before, _, after = lines[span.line - 1].partition(span.text)
            if _CALLED_AFTER.match(after) or _CALLED_BEFORE.search(before[-80:]):
                yield span.line, span.text


def is_read(page: Page, name: str) -> bool:
    """Whether a block of code on the page reads a variable, which makes it the reader's own."""
    used = re.compile(rf"\$\{{?{re.escape(name)}\b|\{{\{{\s?{re.escape(name)}\b")
    return any(used.search(line) for fence in page.fences for line in fence.lines)


def has_heir(page: Page, line: int, name: str) -> bool:
    """Whether a name of another style and with the same last word stands on the line: `OLD_SIZE` is now `new.size`."""
    last = _last_word(name)
    others = (span.text for span in page.spans if span.line == line)
    return any(other.isupper() != name.isupper() and _last_word(other) == last for other in others)


def _last_word(name: str) -> str:
    return re.split(r"[._-]", name.lower())[-1]


def _is_mostly_real(names: int, unknown: int) -> bool:
    return names - unknown >= MIN_SIBLINGS and names - unknown >= MIN_SHARE * names


def _is_like(unknown: Term, terms: Sequence[Term]) -> bool:
    """Whether a name shares its first part, or a dotted one all but its last, with another of its group."""
    return len(terms) >= MANY or any(
        term.name != unknown.name and _above(term.name) == _above(unknown.name) for term in terms
    )


def _above(name: str) -> str:
    return name.rpartition(".")[0] if "." in name else name.partition("_")[0]


def _set_in(fence: Fence) -> Iterator[Place]:
    for number, line in enumerate(fence.lines, start=fence.line):
        if fence.language in _SHELLS:
            yield from ((number, name) for name in _ASSIGNED.findall(line))
        elif fence.language in _SETTINGS and (found := _KEYED.match(line)):
            yield number, found[1]
