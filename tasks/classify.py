"""Classify: which files are documentation, and of what kind, by path and, where that leaves it open, by content."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fnmatch import translate
from functools import lru_cache
from typing import TYPE_CHECKING

from muniment.patterns import compile_patterns
from schemas.files import Skipped

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec


class Unsure:
    """The path alone does not say; `kind_from_content` does."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One row of the table: a file is what the first row says whose suffix and pattern both match.

    Everything is compared in lower case. A pattern that ends in `/` names a folder anywhere above the file, one with
    another `/` is a gitignore pattern of the whole path, any other is matched against the file's name.
    """

    kind: str = ""
    """A key of KINDS; empty where `reason` says why it is none, or where the content decides."""
    reason: str = ""
    detail: str = ""
    suffixes: str = ""
    """Separated by blanks; `-` stands for no suffix, nothing for any."""
    patterns: str = ""


_DOCUMENTS = "md markdown mkd mdx rst rest adoc asciidoc txt text"
_SCRIPTS = "sh bash zsh ksh dash fish php py pl pm rb awk ps1 psm1 lua tcl r"

RULES: tuple[Rule, ...] = (
    Rule(
        reason="not documentation",
        detail="vendored or generated",
        patterns="node_modules/ bower_components/ vendor/ third_party/ third-party/ site-packages/ .venv/ venv/ dist/"
        " __pycache__/",
    ),
    Rule("template", suffixes="template tmpl example sample dist default defaults"),
    Rule("template", patterns=".env*example* .env*sample* .env*template*"),
    Rule(reason="may hold secrets", suffixes="pem key p12 pfx jks keystore kdbx kdb gpg ovpn tfvars"),
    Rule(
        reason="may hold secrets",
        patterns=".env .env.* id_rsa* id_dsa* id_ecdsa* id_ed25519* .netrc _netrc .pgpass .my.cnf .npmrc .pypirc"
        " .htpasswd htpasswd .dockercfg .git-credentials .s3cfg .boto",
    ),
    Rule(
        reason="may hold secrets",
        suffixes="- conf cfg cnf ini env json yml yaml toml xml txt csv properties",
        patterns="credential* *credentials.* secret* *secrets.* password* *passwords.* *.vault.* vault.*",
    ),
    Rule(
        reason="not documentation",
        detail="a licence text",
        suffixes=f"- {_DOCUMENTS}",
        patterns="licen[cs]e licen[cs]e.* licen[cs]e[-_]mit* licen[cs]e[-_]apache* licen[cs]e[-_]bsd*"
        " licen[cs]e[-_]*gpl* copying copying.* copyright copyright.* unlicense unlicense.* notice notice.* licenses/"
        " licences/",
    ),
    Rule(
        reason="not documentation",
        detail="a list for a program",
        suffixes="- txt",
        patterns="*requirements*.txt constraints*.txt *packages*.txt cmakelists.txt robots.txt humans.txt"
        " makefile dockerfile jenkinsfile gemfile vagrantfile rakefile codeowners",
    ),
    Rule("readme", suffixes=f"- {_DOCUMENTS}", patterns="readme*"),
    Rule("manual", suffixes=_DOCUMENTS, patterns="man/ manual/ manuals/ manual*"),
    Rule("doc", suffixes=_DOCUMENTS),
    Rule("doc", suffixes="-", patterns="changelog changes news history contributing hacking install usage faq todo"),
    Rule("header", suffixes=_SCRIPTS),
    Rule("template", suffixes="conf cnf cfg ini cf service timer socket mount"),
    Rule(
        "template",
        suffixes="yml yaml",
        patterns="**/defaults/*.yml **/defaults/*.yaml defaults.y*ml values*.y*ml docker-compose*.y*ml compose*.y*ml"
        " *.template.* *.example.* *.sample.* *.default.*",
    ),
    Rule(suffixes="- env 1 2 3 4 5 6 7 8"),
)
"""What files are, first match wins; a new kind of file is a new row."""

_SHEBANG = re.compile(
    rb"#!.{0,100}?\b(?:sh|bash|zsh|ksh|dash|fish|php|python|perl|ruby|[gmn]?awk|pwsh|lua|tclsh|Rscript)[\d.]*\b"
)
_PAGE = re.compile(rb"(?:^|\n)(?:\.TH|\.Dd|\.SH)\s")
_ENV_LINE = re.compile(r"(?:export\s+)?([A-Za-z_]\w*)=(.*)")
_SECRET_NAME = re.compile(r"(?:PASS(?:WORD|WD)?|SECRET|TOKEN|CREDENTIALS?|KEY)$", re.IGNORECASE)
_UNSURE = Unsure()
MANUAL_HEAD = 65_536
"""Pages made from POD define macros for some hundred lines before their title."""


def kind_of(path: str) -> str | Skipped | Unsure:
    """The kind of a file by its path, why it has none, or that its content has to be read."""
    lowered = path.lower()
    *folders, name = lowered.split("/")
    for rule in _rules_for(_suffix(name)):
        if rule.matches(lowered, folders, name):
            return Skipped(path, rule.reason, rule.detail) if rule.reason else rule.kind or _UNSURE
    return Skipped(path, "not documentation")


def kind_from_content(path: str, raw: bytes) -> str | Skipped:
    """The kind of a file that its path leaves open: a script by its first line, a manual page by its macros, and a
    settings file when it explains itself and fills in nothing that is named like a secret."""
    suffix = _suffix(path.rpartition("/")[2].lower())
    if suffix == "env":
        return "template" if _explains_itself(raw) else Skipped(path, "may hold secrets")
    if suffix and _PAGE.search(raw[:MANUAL_HEAD]):
        return "manual"
    return "header" if _SHEBANG.match(raw) else Skipped(path, "not documentation")


def _suffix(name: str) -> str:
    stem, dot, suffix = name.rpartition(".")
    return suffix if dot and stem else ""


def _explains_itself(raw: bytes) -> bool:
    lines = [line.strip() for line in raw.decode("utf-8", "replace").split("\n") if line.strip()]
    settings = [found for line in lines if (found := _ENV_LINE.match(line))]
    comments = sum(line.startswith("#") for line in lines)
    filled = any(_SECRET_NAME.search(found[1]) and found[2].strip("\"' ") for found in settings)
    return 2 * comments >= len(settings) > 0 and not filled


@dataclass(frozen=True, slots=True)
class _Compiled:
    kind: str
    reason: str
    detail: str
    folders: frozenset[str]
    names: re.Pattern[str] | None
    paths: GitIgnoreSpec | None
    always: bool

    def matches(self, path: str, folders: list[str], name: str) -> bool:
        return (
            self.always
            or not self.folders.isdisjoint(folders)
            or (self.names is not None and self.names.match(name) is not None)
            or (self.paths is not None and self.paths.match_file(path))
        )


@lru_cache(maxsize=256)
def _rules_for(suffix: str) -> tuple[_Compiled, ...]:
    """The rows that a suffix leaves in question, up to the first that needs no more."""
    rows: list[_Compiled] = []
    for rule in RULES:
        if not rule.suffixes or (suffix or "-") in rule.suffixes.split():
            rows.append(_compiled(rule))
            if rows[-1].always:
                break
    return tuple(rows)


@lru_cache(maxsize=len(RULES))
def _compiled(rule: Rule) -> _Compiled:
    patterns = rule.patterns.split()
    paths = [pattern for pattern in patterns if "/" in pattern[:-1]]
    names = [translate(pattern) for pattern in patterns if "/" not in pattern]
    return _Compiled(
        rule.kind,
        rule.reason,
        rule.detail,
        frozenset(pattern[:-1] for pattern in patterns if pattern.endswith("/") and pattern not in paths),
        re.compile("|".join(names)) if names else None,
        compile_patterns(paths) if paths else None,
        not patterns,
    )
