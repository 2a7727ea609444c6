"""Settings of templates that no document mentions, where documents mention nearly all others."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from schemas.claims import Finding, Place, Truth
from tasks.drift.pages import read_page
from tasks.drift.real.names import PROSE
from tasks.drift.tree import TextFile, Tree
from tasks.drift.truths import read_truths

MIN_SETTINGS = 5
LISTED = 0.75
"""Of a template's settings: from this share on, documents are meant to list all of them."""

_READERS = frozenset({"template", "env", "ini", "toml", "yaml"})
_SAMPLES = frozenset({"template", "tmpl", "example", "sample", "dist", "default"})
_WORD = re.compile(r"[A-Za-z_][\w-]*")
_NAME = re.compile(r"[A-Z][A-Z0-9]{1,80}$|(?<!\w)\w+[._-]\w+|(?<![a-z])[a-z]+[A-Z]")
"""What is a name even in prose; a plain word such as `port` would seem to be mentioned everywhere."""

_SPECIMEN = re.compile(r"(?:^|/)(?:tests?|testdata|fixtures?|examples?|ci|\.github|\.circleci)/|compose[\w.-]*\.ya?ml")


def find_undocumented_settings(tree: Tree) -> Iterator[Finding]:
    """A finding for each setting of a template, in use elsewhere, that is in no document though nearly all others are.

    Templates are samples of settings and environment files, the defaults of a role and the values of a chart.
    """
    look = _Look(tree)
    for file in tree.files.values():
        home = _home(tree, file) if file.kind == "template" and not _SPECIMEN.search(file.path) else None
        settings = _settings(file) if home is not None else {}
        if home is not None and len(settings) >= MIN_SETTINGS:
            missing = [truth for name, truth in settings.items() if not look.mentions(name, home)]
            listed = len(settings) - len(missing)
            if listed >= LISTED * len(settings):
                told = f"{listed} of {len(settings)} in {file.name} are"
                yield from (_finding(truth, told) for truth in missing if look.uses(truth.option, file))


@dataclass(frozen=True)
class _Look:
    """What is looked up over and over in one tree."""

    tree: Tree
    _mentioned: dict[str, frozenset[str]] = field(default_factory=dict)

    def mentions(self, name: str, home: str) -> bool:
        """Whether a document below a folder has a name, or each part of a dotted one."""
        if home not in self._mentioned:
            self._mentioned[home] = frozenset(self._words(home))
        return self._mentioned[home].issuperset(_WORD.findall(name))

    def _words(self, home: str) -> Iterator[str]:
        """The words of documents, and of the documentation in scripts."""
        for file in self.tree.documents:
            if file.kind == "template" or (home and not file.path.startswith(home + "/")):
                continue
            if file.kind == "header":
                yield from (word for _, line in read_page(file).documentation for word in _WORD.findall(line))
            else:
                yield from _WORD.findall(file.text)

    def uses(self, name: str, template: TextFile) -> bool:
        """Whether a file that is neither document nor the template itself holds a name, or the end of a dotted one."""
        last = name.rpartition(".")[2]
        others = (file for file in self.tree.files.values() if file.kind not in PROSE and file is not template)
        return any(last in file.text for file in others)


def _home(tree: Tree, file: TextFile) -> str | None:
    """The folder whose documents are meant to list a template's settings; None for a file that is no template.

    Samples may be explained anywhere; the defaults of a role and the values of a chart in the README of their own.
    """
    if not _SAMPLES.isdisjoint(file.name.lower().split(".")) or file.suffix == "env":
        return ""
    home = file.folder.removesuffix("defaults").rstrip("/")
    readme = f"{home}/README.md" if home else "README.md"
    return home if file.suffix in ("yml", "yaml") and readme in tree.files else None


def _settings(file: TextFile) -> dict[str, Truth]:
    """Name -> the first place of each setting.

    Those commented out are often examples, and what is nested in YAML is mostly documented with its parent.
    """
    settings: dict[str, Truth] = {}
    for truth in read_truths(file):
        nested = truth.reader == "yaml" and "." in truth.option
        if truth.reader in _READERS and not (truth.commented or nested) and _NAME.search(truth.option):
            settings.setdefault(truth.option, truth)
    return settings


def _finding(truth: Truth, told: str) -> Finding:
    message = f"setting {truth.option} is in no document; {told}"
    place = Place(truth.path, truth.line)
    return Finding(
        "undocumented-setting", truth.path, truth.line, message, truth.option, truth=place, won_by=truth.reader
    )
