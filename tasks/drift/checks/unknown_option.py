"""Documented options that occur in no file but documentation."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property
from itertools import chain

from schemas.claims import Edit, Finding
from tasks.drift.pages import format_of_page, read_page
from tasks.drift.pages.documented import FLAGS, NAMES, Documented, document_lines
from tasks.drift.pages.explained import (
    CONSTANT,
    MANY,
    MIN_SHARE,
    MIN_SIBLINGS,
    Place,
    called_settings,
    has_heir,
    is_read,
    unknown_mentions,
    unknown_settings,
    unknown_terms,
)
from tasks.drift.real.names import Names, family, squash
from tasks.drift.real.slips import is_inner_slip, is_slip, slipped_word
from tasks.drift.tree import TextFile, Tree

MIN_FAMILY = 5
"""Real names with the same first part, from which on a name in running text is one of this project's."""

NEAR = 0.8
"""Similarity from which on a real name of the same family is the one that was meant."""

MAX_KIN = 500
RARE = 3
"""How often at most a name that is a slip of the pen stands in all documents."""

_MINE = re.compile(r"(?i:my|your|foo|bar|some|example|dummy|custom)(?=[A-Z_])|MY")
_HUMPS = re.compile(r"[a-z][A-Z]")
_GENERIC = re.compile(
    r"(?:DEFAULT|ENABLED?|DISABLED?|MAX|MIN|USE|IS|HAS|NUM|LOG|FILE|NEW|OLD|BASE|DATA|USER|APP|SET|GET)_"
)
_FOREIGN = re.compile(
    r"(?:AWS|AZURE|GCP|GOOGLE|GITHUB|GITLAB|CI|TRAVIS|CIRCLE|JENKINS|BITBUCKET|DOCKER|COMPOSE|BUILDKIT|KUBE|KUBERNETES"
    r"|HELM|MYSQL|MARIADB|POSTGRES|POSTGRESQL|PG|REDIS|MONGO|RABBITMQ|SSH|GIT|GPG|GNUPG|XDG|LC|DBUS|DISPLAY|HTTP|HTTPS"
    r"|FTP|NO|ALL|SSL|TLS|PYTHON|PIP|VIRTUAL|CONDA|NODE|NPM|YARN|JAVA|JVM|MAVEN|GRADLE|GO|RUST|CARGO|RUBY|BUNDLE|GEM"
    r"|PHP|PERL|TERM|LD|DYLD|CMAKE|CC|CFLAGS|SYSTEMD|SUDO|HIST|EDITOR|OTEL|HEROKU|VAULT|CONSUL|TF|ANSIBLE|SENTRY"
    r"|OS|FOO|BAR|EXAMPLE|SOME|TEST|SQL|ISO|UTF|RFC|GPL|LGPL|BSD|E|EPERM|SIG)_"
)
"""First parts of other programs' variables, of error codes, licences and examples."""

_HISTORIC = re.compile(
    r"\b(?:renam\w*|remov\w*|deprecat\w*|former\w*|previous\w*|replac\w*|no longer|legacy|obsolete\w*|instead of"
    r"|used to|dropp\w*|old|not supported|unsupported|does not exist|doesn.t exist)\b",
    re.IGNORECASE,
)
_INVENTED = re.compile(
    r"\b(?:was|were|upstream|e\.g|for example|for instance|such as|example|custom|arbitrary)\b", re.IGNORECASE
)
_HISTORY = re.compile(
    r"(?:^|[/_-])(?:change(?:s|log)|news|history|releases?|release[-_]?notes|whatsnew|upgrad\w*|migrat\w*|todo"
    r"|[a-z]ep|rfcs?|adrs?|proposals?|plans?|blog|posts|tutorials?|examples?|tests?|faq)(?=[/._-]|\b)",
    re.IGNORECASE,
)


def find_unknown_options(tree: Tree) -> Iterator[Finding]:
    """A finding for each name that a document explains or sets, and that nothing else in the tree holds.

    Either its neighbours in the same table, list, headings or family are real, or it is a slip of the pen of a real
    one. Names that may be put together, other programs' variables, and what the text calls old are not judged.
    """
    look = _Look(tree)
    for file in tree.documents:
        if format_of_page(file) and not _HISTORY.search(file.path):
            first: dict[str, Finding] = {}
            found = chain(_explained(look, file), _slips(look, file), _flag_slips(look, file))
            for finding in sorted(found, key=lambda finding: finding.line):
                first.setdefault(finding.option, finding)
            yield from first.values()


@dataclass(frozen=True)
class _Look:
    """What is looked up over and over in one tree."""

    tree: Tree

    @cached_property
    def real(self) -> Names:
        return Names(self.tree)

    @cached_property
    def documented(self) -> Documented:
        return Documented(self.tree)

    @cached_property
    def rare(self) -> frozenset[str]:
        """Names that stand at most a few times in all documents, and nowhere else."""
        few = {name for name, count in self.documented.counts.items() if count <= RARE} - self.real.words
        return frozenset(name for name in few if not _MINE.match(name))

    @cached_property
    def _documented_families(self) -> Counter[str]:
        return self.documented.family_sizes(self.real.words)

    @cached_property
    def called(self) -> dict[str, list[Place]]:
        """Path -> what the document calls a setting; nothing at all unless nearly all so called are real."""
        pages = ((file, read_page(file)) for file in self.tree.documents if file.kind != "header")
        called = {file.path: list(called_settings(page, file.lines)) for file, page in pages}
        names = {name for places in called.values() for _, name in places}
        known = sum(not self.lacks(name) for name in names)
        return called if known >= MANY and known >= MIN_SHARE * len(names) else {}

    def is_ours(self, name: str) -> bool:
        """Whether a name in capitals belongs to a family of this project's own, which the documents speak of."""
        first = family(name)
        known = len(self.real.families.get(first, ())) >= MIN_FAMILY
        return known and self._documented_families[first] >= MIN_SIBLINGS and not _GENERIC.match(name)

    def lacks(self, name: str) -> bool:
        """Whether nothing but documentation holds a name, or a part of a dotted one.

        A doubled underscore joins a name from sections that are set elsewhere.
        """
        return "__" not in name and not all(self.real.holds(part) for part in name.split("."))


def _explained(look: _Look, file: TextFile) -> Iterator[Finding]:
    """The names that stand where options are explained, listed or set."""
    page = read_page(file)
    spans = ((span.line, span.text.partition("=")[0]) for span in page.spans)
    places = chain(
        unknown_terms(page, look.lacks),
        (place for place in spans if CONSTANT.match(place[1]) and look.is_ours(place[1]) and look.lacks(place[1])),
        unknown_mentions(page, look.lacks),
        unknown_settings(page, look.lacks, look.is_ours),
        (place for place in look.called.get(file.path, ()) if look.lacks(place[1])),
    )
    for line, name in places:
        if not (_is_excused(file, line, name) or is_read(page, name) or has_heir(page, line, name)):
            near = _nearest(look, file, name)
            message = f"option {name} occurs in no file but documentation" + (f"; {near} does" if near else "")
            yield _finding(file, line, name, message, near)


def _is_excused(file: TextFile, line: int, name: str) -> bool:
    """Whether a name is another program's or the reader's own, or the text around calls it old or an example."""
    around = "\n".join(file.lines[max(0, line - 2) : line + 1])
    ours = not _FOREIGN.match(name) and not _MINE.match(name)
    return not ours or bool(_HISTORIC.search(around) or _INVENTED.search(file.lines[line - 1]))


def _nearest(look: _Look, file: TextFile, name: str) -> str:
    """The real name that was likely meant; one that the same page explains as well is another option."""
    page = read_page(file)
    mentioned = {term.name for term in page.terms} | {span.text for span in page.spans}
    slips = [word for word in look.real.slips.of(name) if word not in mentioned]
    if slips:
        return slips[0] if len(slips) == 1 else ""
    kin = look.real.families.get(family(name), [])[:MAX_KIN]
    ranked = sorted((SequenceMatcher(None, name, word).ratio(), word) for word in kin if word not in mentioned)
    return ranked[-1][1] if ranked and ranked[-1][0] >= NEAR else ""


def _slips(look: _Look, file: TextFile) -> Iterator[Finding]:
    """Names that differ from a real one by a slip of the pen, and that the documents hardly have."""
    for line, name in _rare(look, file):
        meant = [word for word in look.real.slips.of(name) if _is_meant(look, name, word)]
        if meant and not look.real.is_made(name):
            best = max(meant, key=lambda word: SequenceMatcher(None, name, word).ratio())
            yield _finding(file, line, name, f"{name} occurs in no file but documentation; {best} does", best)


def _rare(look: _Look, file: TextFile) -> Iterator[Place]:
    """What may be a slip; names without an underscore only where they are in code type."""
    page = read_page(file)
    coded = {span.text for span in page.spans} | {term.name for term in page.terms}
    here = {
        name
        for name in look.documented.names.get(file.path, ())
        if name in look.rare and ("_" in name or (name in coded and _HUMPS.search(name)))
    }
    for number, line in document_lines(file) if here else ():
        yield from ((number, name) for name in NAMES.findall(line) if name in here)


def _is_meant(look: _Look, name: str, word: str) -> bool:
    """Whether a real name of the same kind, which the documents have more often, may be the one meant."""
    if name.isupper() != word.isupper() or look.documented.counts[word] <= look.documented.counts[name]:
        return False
    return squash(word) != squash(name) if name.isupper() else is_inner_slip(name, word)


def _flag_slips(look: _Look, file: TextFile) -> Iterator[Finding]:
    """Flags that are a slip of the pen of one that the code has, and the documents more often."""
    flags, words = look.documented.flags, look.real.words
    for number, line in document_lines(file):
        for name in FLAGS.findall(line) if "--" in line else ():
            if flags[name] <= RARE and name not in words and name.replace("-", "_") not in words:
                meant = [word for word in look.real.slips.of(name) if flags[word] > flags[name]]
                # `--drive-size` is no slip of `--drives-size` where there are drives.
                if len(meant) == 1 and slipped_word(name, meant[0]) not in words and not meant[0].startswith(name):
                    message = f"flag --{name} occurs in no file but documentation; --{meant[0]} does"
                    yield _finding(file, number, f"--{name}", message, f"--{meant[0]}")


def _finding(file: TextFile, line: int, name: str, message: str, near: str) -> Finding:
    text = file.lines[line - 1] if 0 < line <= len(file.lines) else ""
    sure = bool(near) and is_slip(name, near) and text.count(name) == 1
    edit = Edit(file.path, line, text, text.replace(name, near)) if sure else None
    return Finding("unknown-option", file.path, line, message, name, name, near, edit=edit)
