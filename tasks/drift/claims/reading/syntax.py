"""In what syntax a file documents options: by its kind and name, as far as claims care."""

from __future__ import annotations

import re
from typing import Literal

from tasks.drift.tree import TextFile

Syntax = Literal["markdown", "rst", "asciidoc", "roff", "text", "python", "slashes", "hashes", "settings", ""]

DOCUMENTS: frozenset[Syntax] = frozenset(("markdown", "rst", "asciidoc", "roff", "text"))
"""Those that are read as running text, and not as code with comments."""

_BY_SUFFIX: dict[str, Syntax] = {
    **dict.fromkeys(("md", "markdown", "mkd", "mdx"), "markdown"),
    **dict.fromkeys(("rst", "rest"), "rst"),
    **dict.fromkeys(("adoc", "asciidoc"), "asciidoc"),
}
_NESTED = ("yml", "yaml")
_ENDINGS = frozenset(("template", "tmpl", "example", "sample", "dist", "default", "defaults", "in"))
_HISTORY = re.compile(
    r"^(?:change|history|news|release|whats[-_]?new)|migrat|upgrad|changelog|release[-_ ]?notes", re.IGNORECASE
)
_CONF_IN = re.compile(r"\.(?:conf|cfg|ini)(?:\.\w{1,20})?\.in$")
_PAGE = re.compile(r"^\.(?:TH|Dd|SH)\s", re.MULTILINE)
_HEAD = 65_536


def syntax_of(file: TextFile) -> Syntax:
    """The syntax of a file; empty for one that documents nothing, or only what was true once (a changelog)."""
    if any(_HISTORY.search(part) for part in file.path.split("/")):
        return ""
    if file.kind in ("readme", "doc", "manual", "note", "record"):
        return _BY_SUFFIX.get(file.suffix) or ("roff" if _PAGE.search(file.text[:_HEAD]) else "text")
    if file.kind == "header":
        return _script(file)
    if file.kind == "template" or _CONF_IN.search(file.name):
        return "settings"
    # Manifests that are generated from templates hold another program's settings.
    plain = file.suffix in (*_NESTED, "toml") and "templates" not in file.folder.split("/")
    return "settings" if plain else ""


def is_yaml(file: TextFile) -> bool:
    """Whether a settings file nests its keys by indentation."""
    parts = file.name.lower().split(".")
    while parts and parts[-1] in _ENDINGS:
        parts.pop()
    return bool(parts) and parts[-1] in _NESTED


def _script(file: TextFile) -> Syntax:
    first = file.text[:120].partition("\n")[0]
    if file.suffix == "py" or (first.startswith("#!") and "python" in first):
        return "python"
    return "slashes" if file.suffix in ("php", "inc") or "php" in first else "hashes"
