"""In what syntax a file documents options: by its name, as far as claims care."""

from __future__ import annotations

import re
from typing import Literal

from tasks.drift.tree import TextFile

Syntax = Literal["markdown", "rst", "asciidoc", "roff", "text", "python", "slashes", "hashes", "settings", ""]

BY_SUFFIX: dict[str, Syntax] = {
    **dict.fromkeys(("md", "markdown", "mkd", "mdx"), "markdown"),
    **dict.fromkeys(("rst", "rest"), "rst"),
    **dict.fromkeys(("adoc", "asciidoc"), "asciidoc"),
    "py": "python",
    **dict.fromkeys(("php", "inc"), "slashes"),
    **dict.fromkeys(("conf", "cnf", "cfg", "ini", "env", "toml", "yml", "yaml", "service", "timer", "socket"), "settings"),
}  # fmt: skip
"""Suffix -> syntax, for those that the kind of the file does not tell."""

_HISTORY = re.compile(r"^(?:change|history|news|release|whats[-_]?new)|migrat|upgrad|changelog|release[-_ ]?notes", re.IGNORECASE)
_CONF_IN = re.compile(r"\.(?:conf|cfg|ini)(?:\.\w{1,20})?\.in$")
_ENDINGS = frozenset(("template", "tmpl", "example", "sample", "dist", "default", "defaults", "in"))


def syntax_of(file: TextFile) -> Syntax:
    """The syntax of a file; empty for one that documents nothing, or only what was true once (a changelog)."""
    if any(_HISTORY.search(part) for part in file.path.split("/")):
        return ""
    if file.kind in ("readme", "doc", "manual", "note", "record"):
        return BY_SUFFIX.get(file.suffix, _manual_or_text(file))
    if file.kind == "header":
        return "python" if file.suffix == "py" or _is_python(file) else BY_SUFFIX.get(file.suffix, "hashes")
    if file.kind == "template" or file.suffix in ("yml", "yaml", "toml") or _CONF_IN.search(file.name):
        return "settings"
    return ""


def is_yaml(file: TextFile) -> bool:
    """Whether a settings file nests its keys by indentation."""
    parts = file.name.lower().split(".")
    while parts and parts[-1] in _ENDINGS:
        parts.pop()
    return bool(parts) and parts[-1] in ("yml", "yaml")


def _manual_or_text(file: TextFile) -> Syntax:
    return "roff" if re.search(r"^\.(?:TH|Dd|SH)\s", file.text[:65_536], re.MULTILINE) else "text"


def _is_python(file: TextFile) -> bool:
    return file.text.startswith("#!") and "python" in file.text[:120].partition("\n")[0]
