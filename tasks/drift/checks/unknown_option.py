"""Documented options that occur in no file but documentation."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property

from schemas.claims import Edit, Finding
from tasks.drift.names import Names, family, is_inner_slip, is_slip, squash
from tasks.drift.pages import Fence, Page, Term, format_of_page, read_page
from tasks.drift.tree import TextFile, Tree

MIN_FAMILY = 5
"""Real names with the same first part, from which on a name in running text is one of this project's."""
MIN_SIBLINGS = 3
MANY = 12
MAX_STRANGE = 0.1
MIN_SHARE = 0.7
"""Of the names in one table, list or row of headings: so many are real where the others are expected to be."""
NEAR = 0.8
RARE = 3
"""How often at most a name that is a slip of the pen stands in all documents."""

_CONSTANT = re.compile(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$")
_NAMES = re.compile(r"(?<![\w<%/-])[A-Za-z][a-z0-9]{0,40}(?:[A-Z_][A-Za-z0-9_]{1,60}[A-Za-z0-9])(?![\w>%*/-])")
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9]*(?:[._-][A-Za-z0-9]+){0,8}$")
_MINE = re.compile(r"(?:my|your|foo|bar|some|example|dummy|custom|new)(?=[A-Z_])", re.IGNORECASE)
_FILE = re.compile(r"\.(?:[a-z]{1,3}|ya?ml|json|toml|conf|html|service|timer|txt|template)$")
_HUMPS = re.compile(r"[a-z][A-Z]")
_ASSIGNED = re.compile(r"(?:^|\s)(?:export |-e |--env[ =])\s?[\"']?([A-Z][A-Z0-9_]{3,60})=")
_KEYED = re.compile(r"\s*(?:#\s?|- )?[\"']?([A-Z][A-Z0-9_]{3,60})[\"']?\s?(?:=|:\s)")
_KEY = re.compile(r"\s*\[?\s?(?:- )?([a-z][a-z0-9]{0,30}(?:_[a-z0-9]{1,30}){1,6}):(?:\s|$)")
_GENERIC = re.compile(
    r"(?:DEFAULT|ENABLED?|DISABLED?|MAX|MIN|USE|IS|HAS|NUM|LOG|FILE|NEW|OLD|BASE|DATA|USER|APP|SET|GET)_"
)
_FOREIGN = re.compile(
    r"(?:AWS|AZURE|GCP|GOOGLE|GITHUB|GITLAB|CI|TRAVIS|CIRCLE|JENKINS|BITBUCKET|DOCKER|COMPOSE|BUILDKIT|KUBE|KUBERNETES"
    r"|HELM|MYSQL|MARIADB|POSTGRES|POSTGRESQL|PG|REDIS|MONGO|RABBITMQ|SSH|GIT|GPG|GNUPG|XDG|LC|DBUS|DISPLAY|HTTP|HTTPS"
    r"|FTP|NO|ALL|SSL|TLS|PYTHON|PIP|VIRTUAL|CONDA|NODE|NPM|YARN|JAVA|JVM|MAVEN|GRADLE|GO|RUST|CARGO|RUBY|BUNDLE|GEM"
    r"|PHP|PERL|TERM|LD|DYLD|CMAKE|CC|CFLAGS|SYSTEMD|SUDO|HIST|EDITOR|OTEL|HEROKU|VAULT|CONSUL|TF|ANSIBLE|SENTRY"
    r"|OS|MY|YOUR|FOO|BAR|EXAMPLE|SOME|TEST|SQL|ISO|UTF|RFC|GPL|LGPL|BSD|E|EPERM|SIG)_"
)
_HISTORIC = re.compile(
    r"\b(?:renam\w*|remov\w*|deprecat\w*|former\w*|previous\w*|replac\w*|no longer|legacy|obsolete\w*|instead of|used to"
    r"|dropp\w*|old|not supported|unsupported|does not exist|doesn.t exist)\b",
    re.IGNORECASE,
)
_INVENTED = re.compile(
    r"\b(?:was|were|upstream|e\.g|for example|for instance|such as|example|custom|arbitrary)\b", re.IGNORECASE
)
_HISTORY = re.compile(
    r"(?:^|[/_-])(?:change(?:s|log)|news|history|releases?|release[-_]?notes|whatsnew|upgrad\w*|migrat\w*|todo|[a-z]ep|rfcs?"
    r"|adrs?|proposals?|blog|posts|tutorials?|examples?|tests?|faq)(?=[/._-]|\b)",
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
            seen: set[str] = set()
            for finding in sorted(_page_findings(look, file), key=lambda finding: finding.line):
                if finding.option not in seen:
                    seen.add(finding.option)
                    yield finding


@dataclass(frozen=True)
class _Look:
    tree: Tree

    @cached_property
    def names(self) -> Names:
        return Names(self.tree)

    @cached_property
    def found(self) -> dict[str, Counter[str]]:
        """Path -> names of several words -> how often the document has them."""
        documents = (file for file in self.tree.documents if file.kind != "template")
        return {file.path: Counter(_NAMES.findall(_text(file))) for file in documents}

    @cached_property
    def counts(self) -> Counter[str]:
        """Name of several words -> how often all documents have it."""
        total: Counter[str] = Counter()
        for counter in self.found.values():
            total.update(counter)
        return total

    @cached_property
    def rare(self) -> frozenset[str]:
        """Names that stand at most a few times in all documents, and nowhere else."""
        few = {name for name, count in self.counts.items() if count <= RARE} - self.names.words
        return frozenset(name for name in few if not _MINE.match(name))

    @cached_property
    def families(self) -> Counter[str]:
        """First part of names in capitals -> how many real ones of the family the documents have."""
        return Counter(family(name) for name in self.counts if name.isupper() and name in self.names.words)

    def lacks(self, name: str) -> bool:
        """Whether nothing but documentation holds a name, or a part of a dotted one."""
        return not all(self.names.holds(part) for part in name.split("."))


def _page_findings(look: _Look, file: TextFile) -> Iterator[Finding]:
    page = read_page(file)
    for term in _unknown_terms(look, page):
        yield from _judged(look, file, term.line, term.name)
    for span in page.spans:
        name = span.text.partition("=")[0]
        if _CONSTANT.match(name) and _is_ours(look, name) and "__" not in name and look.lacks(name):
            yield from _judged(look, file, span.line, name)
    for line, name in _listed(look, page):
        yield from _judged(look, file, line, name)
    for line, name in _unknown_keys(look, page):
        yield from _judged(look, file, line, name)
    for fence in page.fences:
        names = dict(_set_names(fence))
        unknown = {line: name for line, name in names.items() if look.lacks(name)}
        known = len(names) - len(unknown)
        common = known >= MIN_SIBLINGS and known >= MIN_SHARE * len(names)
        for line, name in unknown.items():
            if (common or _is_ours(look, name)) and not _is_used(page, name):
                yield from _judged(look, file, line, name)
    yield from _slips(look, file, page)


def _unknown_terms(look: _Look, page: Page) -> Iterator[Term]:
    """The names whose neighbours of the same group are real, while they are not."""
    groups: dict[str, list[Term]] = {}
    for term in page.terms:
        if (
            _NAME.match(term.name)
            and not _FILE.search(term.name)
            and (_CONSTANT.match(term.name) or re.search(r"[._]|[a-z][A-Z]", term.name))
        ):
            groups.setdefault(term.group, []).append(term)
    for terms in groups.values():
        unknown = [term for term in terms if "__" not in term.name and look.lacks(term.name)]
        known = len({term.name for term in terms}) - len({term.name for term in unknown})
        if unknown and known >= MIN_SIBLINGS and known >= MIN_SHARE * len(terms):
            yield from (term for term in unknown if _is_like(term, terms))


def _listed(look: _Look, page: Page) -> Iterator[tuple[int, str]]:
    """The constants in running text that stand on one line with others, most of which are real."""
    lines: dict[int, set[str]] = {}
    for span in page.spans:
        if _CONSTANT.match(span.text):
            lines.setdefault(span.line, set()).add(span.text)
    for line, names in lines.items():
        unknown = [name for name in names if look.lacks(name)] if len(names) > 2 else []
        if 2 * len(unknown) < len(names):
            yield from ((line, name) for name in unknown)


def _is_like(unknown: Term, terms: list[Term]) -> bool:
    """Whether a name shares its first part, or a dotted one all but its last, with another of its group."""
    return len(terms) >= MANY or any(
        term.name != unknown.name and _above(term.name) == _above(unknown.name) for term in terms
    )


def _above(name: str) -> str:
    return name.rpartition(".")[0] if "." in name else name.partition("_")[0]


def _is_ours(look: _Look, name: str) -> bool:
    return (
        look.names.families.get(family(name), 0) >= MIN_FAMILY and not _FOREIGN.match(name) and not _GENERIC.match(name)
    )


def _unknown_keys(look: _Look, page: Page) -> Iterator[tuple[int, str]]:
    """The YAML keys on a page where nearly all others are real, and one of them is much like it."""
    keys = [
        (number, found[1])
        for fence in page.fences
        if fence.language in ("", "yaml", "yml")
        for number, line in enumerate(fence.lines, start=fence.line)
        if (found := _KEY.match(line))
    ]
    known = {name for _, name in keys if not look.lacks(name)}
    unknown = {name for _, name in keys} - known
    if known and len(known) >= MANY and len(unknown) <= MAX_STRANGE * len(known):
        yield from ((line, name) for line, name in keys if name in unknown and _twins(name, known))


def _twins(name: str, known: set[str]) -> bool:
    """Whether a key of the page is nearly the same and ends in the same word."""
    last = name.rpartition("_")[2]
    return any(
        word.endswith("_" + last) and word[:3] == name[:3] and SequenceMatcher(None, name, word).ratio() >= NEAR
        for word in known
    )


def _set_names(fence: Fence) -> Iterator[tuple[int, str]]:
    shell = fence.language in ("", "bash", "sh", "shell", "console", "zsh", "shell-session", "dockerfile")
    keyed = fence.language in ("env", "dotenv", "ini", "properties", "yaml", "yml", "conf", "toml")
    for number, line in enumerate(fence.lines, start=fence.line):
        if shell:
            yield from ((number, name) for name in _ASSIGNED.findall(line))
        if keyed and (found := _KEYED.match(line)):
            yield number, found[1]


def _is_used(page: Page, name: str) -> bool:
    """Whether a block of code on the page reads the name, which makes it the reader's own variable."""
    used = re.compile(r"\$\{?" + name + r"\b")
    return any(used.search(line) for fence in page.fences for line in fence.lines)


def _judged(look: _Look, file: TextFile, line: int, name: str) -> Iterator[Finding]:
    around = "\n".join(file.lines[max(0, line - 2) : line + 1])
    if _HISTORIC.search(around) or _INVENTED.search(file.lines[line - 1]) or _FOREIGN.match(name) or "__" in name:
        return
    near = _nearest(look, file, name)
    message = f"option {name} occurs in no file but documentation" + (f"; {near} does" if near else "")
    yield _finding(file, line, name, message, near)


def _nearest(look: _Look, file: TextFile, name: str) -> str:
    """The real name that was likely meant; one that the same page explains as well is another option."""
    mentioned = {term.name for term in read_page(file).terms} | {span.text for span in read_page(file).spans}
    slips = [word for word in look.names.slips(name) if word not in mentioned]
    if slips:
        return slips[0] if len(slips) == 1 else ""
    kin = [word for word in look.names.words if word.isupper() and family(word) == family(name)] if "_" in name else []
    ranked = sorted((SequenceMatcher(None, name, word).ratio(), word) for word in kin if word not in mentioned)
    return ranked[-1][1] if ranked and ranked[-1][0] >= NEAR else ""


def _slips(look: _Look, file: TextFile, page: Page) -> Iterator[Finding]:
    """Names that differ from a real one by a slip of the pen, and that the documents hardly have."""
    keys = {found[1] for fence in page.fences for line in fence.lines if (found := _KEY.match(line))}
    for line, name in _rare(look, file, page):
        meant = [word for word in look.names.slips(name) if _is_meant(look, name, word, name in keys)]
        if meant and not look.names.is_made(name):
            best = max(
                meant, key=lambda word: (squash(word) == squash(name), SequenceMatcher(None, name, word).ratio())
            )
            yield _finding(file, line, name, f"{name} occurs in no file but documentation; {best} does", best)


def _is_meant(look: _Look, name: str, word: str, is_key: bool) -> bool:
    """Whether a real name is the one meant: of the same kind, and nearer than another name would be.

    What is set to a value is no inflected word, so that its ending may be a slip as well.
    """
    if name.isupper() != word.isupper() or look.counts[word] <= look.counts[name]:
        return False
    if name.isupper():
        return squash(word) != squash(name)
    return is_inner_slip(name, word) or (is_key and word != name + "s")


def _rare(look: _Look, file: TextFile, page: Page) -> Iterator[tuple[int, str]]:
    """Line and name of what may be a slip; names without an underscore only where they are in code type."""
    coded = {span.text for span in page.spans} | {term.name for term in page.terms}
    here = {name for name in look.found.get(file.path, ()) if name in look.rare and ("_" in name or name in coded)}
    for number, line in _lines(file) if here else ():
        yield from ((number, name) for name in _NAMES.findall(line) if name in here)


def _lines(file: TextFile) -> Iterable[tuple[int, str]]:
    """Number and text of the lines of a document; of a script those that document."""
    return read_page(file).documentation if file.kind == "header" else enumerate(file.lines, start=1)


def _text(file: TextFile) -> str:
    return "\n".join(line for _, line in read_page(file).documentation) if file.kind == "header" else file.text


def _finding(file: TextFile, line: int, name: str, message: str, near: str) -> Finding:
    text = file.lines[line - 1] if 0 < line <= len(file.lines) else ""
    sure = bool(near) and is_slip(name, near) and text.count(name) == 1
    edit = Edit(file.path, line, text, text.replace(name, near)) if sure else None
    return Finding("unknown-option", file.path, line, message, name, name, near, edit=edit)
