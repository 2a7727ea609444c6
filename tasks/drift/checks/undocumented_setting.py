"""Settings of templates that no document mentions, where documents mention nearly all others."""

from __future__ import annotations

import re
from collections.abc import Iterator

from schemas.claims import Finding, Place, Truth
from tasks.drift.pages import read_page
from tasks.drift.tree import TextFile, Tree
from tasks.drift.truths import read_truths

MIN_SETTINGS = 5
LISTED = 0.8
"""Of a template's settings: from this share on, documents are meant to list all, those with a comment too."""
EXPLAINED = 0.5
"""From this share on, settings are meant to be explained somewhere: in a document, or by a comment of their own."""

_READERS = frozenset({"template", "env", "ini", "toml", "yaml"})
_WORD = re.compile(r"[\w-]+")
_SPECIMEN = re.compile(r"(?:^|/)(?:tests?|testdata|fixtures?|examples?|ci|\.github|\.circleci)/|docker-compose|compose\.ya?ml")


def find_undocumented_settings(tree: Tree) -> Iterator[Finding]:
    """A finding for each setting of a template that is in no document, where most of the template's others are.

    A comment of its own documents a setting as well, unless documents list nearly all settings of the template.
    """
    mentioned: frozenset[str] | None = None
    for file in tree.files.values():
        if file.kind != "template" or _SPECIMEN.search(file.path):
            continue
        settings = _settings(file)
        if len(settings) >= MIN_SETTINGS:
            mentioned = _mentioned(tree) if mentioned is None else mentioned
            yield from _unmentioned(file, settings, mentioned)


def _settings(file: TextFile) -> dict[str, Truth]:
    """Name -> the first place of each setting; those commented out are often examples, and left out."""
    settings: dict[str, Truth] = {}
    for truth in read_truths(file):
        if truth.reader in _READERS and not truth.commented:
            settings.setdefault(truth.option, truth)
    return settings


def _mentioned(tree: Tree) -> frozenset[str]:
    """Every word of documents, and of the documentation in scripts."""
    words: set[str] = set()
    for file in tree.documents:
        if file.kind == "header":
            documenting = read_page(file).documenting
            words.update(word for number in documenting for word in _WORD.findall(file.lines[number - 1]))
        elif file.kind != "template":
            words.update(_WORD.findall(file.text))
    return frozenset(words)


def _unmentioned(file: TextFile, settings: dict[str, Truth], mentioned: frozenset[str]) -> Iterator[Finding]:
    missing = {name: truth for name, truth in settings.items() if not _is_mentioned(name, mentioned)}
    bare = {name: truth for name, truth in missing.items() if not _is_commented(file, truth.line)}
    if len(settings) - len(missing) >= LISTED * len(settings):
        found = missing
    elif len(settings) - len(bare) >= EXPLAINED * len(settings) and len(settings) - len(missing) >= EXPLAINED * len(settings):
        found = bare
    else:
        return
    for name, truth in sorted(found.items(), key=lambda item: item[1].line):
        message = f"setting {name} is in no document; {len(settings) - len(missing)} of {len(settings)} in {file.name} are"
        place = Place(file.path, truth.line)
        yield Finding("undocumented-setting", file.path, truth.line, message, name, "", truth.value, place, truth.reader)


def _is_mentioned(name: str, mentioned: frozenset[str]) -> bool:
    """Whether a document has a name, or the last part of a dotted one."""
    return all(word in mentioned for word in _WORD.findall(name.rpartition(".")[2]))


def _is_commented(file: TextFile, line: int) -> bool:
    """Whether a comment stands beside a setting, or above it or the settings that it follows without a gap."""
    if " #" in file.lines[line - 1] or " ;" in file.lines[line - 1]:
        return True
    above = line - 1
    while above and file.lines[above - 1].strip():
        if file.lines[above - 1].lstrip().startswith(("#", ";", "//")):
            return True
        above -= 1
    return False
