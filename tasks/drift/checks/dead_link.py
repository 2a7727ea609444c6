"""Links, images, includes, anchors and paths that lead nowhere."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from posixpath import dirname, relpath
from urllib.parse import unquote

from schemas.claims import Edit, Finding
from tasks.drift.pages import Link, Span, format_of_page, read_page
from tasks.drift.pages.slugs import loose
from tasks.drift.real.slips import closest
from tasks.drift.real.targets import Targets
from tasks.drift.tree import TextFile, Tree

MAX_TARGET = 300
MIN_SHARE = 0.6
_GENERATED = frozenset({"genindex", "modindex", "search"})
_EVERYWHERE = frozenset({"readme.md", "index.md", "index.rst", "makefile"})
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]{1,30}:|//")
_PLACEHOLDER = re.compile(r"[{}$<>*@|\\]|\.\.\.|\bexample\b|\burl\b|^(?:link|path|todo|#?$)", re.IGNORECASE)
_LABEL = re.compile(r"^[ \t]*(?:[*+-][ \t]+){0,3}\.\. _`?([^:`\n]{1,200})`?:", re.MULTILINE)
_LINE = re.compile(r"L\d{1,6}|line-?\d{1,6}", re.IGNORECASE)
_PATH = re.compile(r"(?:\./)?([\w.-]{1,60}/(?:[\w.-]{1,60}/){0,8}[\w-][\w.-]{0,80}\.[a-z][a-z0-9]{0,9})$")
_NO_PLACE = re.compile(
    r"(?:^|/)(?:tests?|testdata|test-data|fixtures?|__fixtures__|examples?|templates?|snippets|_?includes?|partials|_?posts|blog|ISSUE_TEMPLATE|node_modules|vendor"
    r"|_?archive[sd]?|old|legacy|i18n|l10n|locales?|translations?)/",
    re.IGNORECASE,
)
_HISTORY = re.compile(
    r"(?:^|/)(?:change(?:s|log)|news|history|releases?|release[-_]?notes|upgrad\w*|migrat\w*)\b", re.IGNORECASE
)
_PROPOSAL = re.compile(r"(?:^|/)(?:[a-z]ep|rfcs?|adrs?|proposals?|decisions|designs?|blog|posts)/", re.IGNORECASE)
_MADE_UP = re.compile(
    r"\b(?:creat\w*|generat\w*|writ\w*|output\w*|produc\w*|e\.g|example\w*|instance|remov\w*|renam\w*|delet\w*|mov(?:e|ed)"
    r"|was|were|inside|former\w*|used to|your|would|new|add(?:ed)?|copy|copied|if|build|built|download\w*"
    r"|install\w*)\b",
    re.IGNORECASE,
)
_EXAMPLE = re.compile(
    r"(?:^|[/_.-])(?:my|your|foo|bar|baz|some|example|sample|path|to|x+|new|name)(?:[/_.-]|$)|your[A-Z_]", re.IGNORECASE
)


def find_dead_links(tree: Tree) -> Iterator[Finding]:
    """A finding for each link, anchor and path of a document that names nothing in the tree.

    Links out of the repository, to what git ignores, and with placeholders are not judged; nor are the documents of
    test data and templates, which are read elsewhere than they lie.
    """
    look = _Look(tree)
    for file in tree.documents:
        if format_of_page(file) and not _NO_PLACE.search(file.path):
            yield from sorted(_page_findings(look, file), key=lambda finding: finding.line)


@dataclass(frozen=True)
class _Look:
    """What is looked up over and over in one tree."""

    tree: Tree
    _anchors: dict[str, frozenset[str]] = field(default_factory=dict)
    _speaks: dict[str, bool] = field(default_factory=dict)

    @cached_property
    def targets(self) -> Targets:
        return Targets(self.tree)

    @cached_property
    def by_name(self) -> dict[str, list[str]]:
        """Lower-case file name -> the paths of that name."""
        named: dict[str, list[str]] = {}
        for path in sorted(self.tree.paths):
            named.setdefault(path.rpartition("/")[2].lower(), []).append(path)
        return named

    @cached_property
    def included(self) -> frozenset[str]:
        """The names of documents that others take in: their links start from where those lie."""
        links = (link for file in self.tree.documents for link in read_page(file).links)
        return frozenset(link.target.rpartition("/")[2] for link in links if link.kind == "include")

    @cached_property
    def suffixes(self) -> frozenset[tuple[str, str]]:
        """Folder and suffix of each file, for all folders that it lies beneath."""
        found: set[tuple[str, str]] = set()
        for path in self.tree.files:
            above, suffix = dirname(path), path.rpartition(".")[2]
            while above and (above, suffix) not in found:
                found.add((above, suffix))
                above = dirname(above)
        return frozenset(found)

    def anchors(self, file: TextFile) -> frozenset[str]:
        """What all renderers' anchors of a page have in common."""
        if file.path not in self._anchors:
            self._anchors[file.path] = frozenset(map(loose, read_page(file).anchors))
        return self._anchors[file.path]

    def is_composed(self, file: TextFile) -> bool:
        """Whether a page may have anchors that can't be seen in it."""
        known = format_of_page(file) in ("markdown", "adoc") and not read_page(file).composed
        return not known or self._is_taken_in(file)

    def _is_taken_in(self, file: TextFile) -> bool:
        """Whether code beside a document names it, and so may put it into another."""
        beside = (other for other in self.tree.files.values() if not other.kind and other.folder == file.folder)
        return any(file.name in other.text for other in beside)

    @cached_property
    def labels(self) -> frozenset[str]:
        """What `:ref:` may name: everything in any file that looks like a label, and the headings of pages."""
        pages = (read_page(file) for file in self.tree.documents if format_of_page(file) in ("rst", "markdown"))
        texts = (file.text for file in self.tree.files.values() if ".. _" in file.text)
        given = {loose(label) for text in texts for label in _LABEL.findall(text)}
        return frozenset(loose(anchor) for page in pages for anchor in page.anchors) | given

    def speaks_of_this_tree(self, file: TextFile) -> bool:
        """Whether most paths in code type on a page are there: a manual for users names files of theirs."""
        if file.path not in self._speaks:
            paths = {found[1] for span in read_page(file).spans if (found := _PATH.match(span.text))}
            known = sum(not self.targets.is_absent(path) or self.ends(path) for path in paths)
            self._speaks[file.path] = known > 1 and known >= MIN_SHARE * len(paths)
        return self._speaks[file.path]

    def ends(self, path: str) -> bool:
        """Whether a path of the tree is this one, or ends so."""
        homes = self.by_name.get(path.rpartition("/")[2].lower(), [])
        return any(home == path or home.endswith("/" + path) for home in homes)

    @cached_property
    def has_outer(self) -> bool:
        """Whether `:ref:` and `:doc:` may name something in another project's documentation."""
        settings = (file for file in self.tree.files.values() if file.name == "conf.py")
        return any("intersphinx" in file.text for file in settings)


def _page_findings(look: _Look, file: TextFile) -> Iterator[Finding]:
    page = read_page(file)
    for link in page.links:
        yield from _link_findings(look, file, link)
    if format_of_page(file) != "script" and not (_HISTORY.search(file.path) or _PROPOSAL.search(file.path)):
        for span in page.spans:
            yield from _span_findings(look, file, span)


def _link_findings(look: _Look, file: TextFile, link: Link) -> Iterator[Finding]:
    target = link.target.strip()
    if not target or len(target) > MAX_TARGET or _SCHEME.match(target):
        return
    if link.kind == "label":
        if not look.has_outer and target not in _GENERATED and loose(target) not in look.labels:
            yield _finding(file, link.line, target, f"label '{target}' is defined nowhere")
        return
    path = unquote(target.partition("#")[0].partition("?")[0])
    if _PLACEHOLDER.search(path or "x") or "\0" in path:
        return
    if link.kind == "doc" and path and format_of_page(file) == "rst":
        path += "" if look.has_outer else ".rst"
    found = look.targets.find(file, path) if path else file.path
    if found == "" and path.strip("./") and file.name not in look.included:
        yield _missing(look, file, link, path)
    elif found and found in look.tree.files and "#" in target:
        yield from _anchor_findings(look, file, link, look.tree.files[found])


def _missing(look: _Look, file: TextFile, link: Link, path: str) -> Finding:
    name = path.rstrip("/").rpartition("/")[2].lower()
    homes = look.by_name.get(name, []) if name not in _EVERYWHERE else []
    near = relpath(homes[0], dirname(file.path) or ".") if len(homes) == 1 and "." in name else ""
    message = f"'{link.target}' leads nowhere" + (f"; {homes[0].rpartition('/')[2]} is at '{near}'" if near else "")
    return _finding(file, link.line, link.target, message, actual=near, wrong=path)


def _anchor_findings(look: _Look, file: TextFile, link: Link, aim: TextFile) -> Iterator[Finding]:
    anchor = unquote(link.target.partition("#")[2])
    wanted = loose(anchor.removeprefix("user-content-"))
    given = not wanted or wanted in ("top", "readme") or _LINE.fullmatch(anchor) or anchor.startswith((":", "!", "/"))
    if given or wanted in look.anchors(aim) or _PLACEHOLDER.search(anchor) or look.is_composed(aim):
        return
    near = closest(anchor, read_page(aim).anchors)
    where = "here" if aim.path == file.path else f"in {aim.path}"
    message = f"anchor '#{anchor}' is none {where}" + (f"; the nearest is '#{near}'" if near else "")
    yield _finding(file, link.line, link.target, message, actual=near, wrong=anchor)


def _span_findings(look: _Look, file: TextFile, span: Span) -> Iterator[Finding]:
    """A path in code type, where its folder holds others of its suffix and the text does not make it up."""
    found = _PATH.match(span.text)
    if not found or _EXAMPLE.search(found[1]) or _MADE_UP.search(file.lines[span.line - 1]):
        return
    path, tops = found[1], ("", file.folder + "/") if file.folder else ("",)
    folder, _, name = path.rpartition("/")
    siblings = any((top + folder, name.rpartition(".")[2]) in look.suffixes for top in tops)
    if not siblings or look.ends(path) or not look.speaks_of_this_tree(file):
        return
    if all(look.targets.is_absent(top + path) for top in tops):
        homes = look.by_name.get(name.lower(), [])
        near = homes[0] if len(homes) == 1 and homes[0] in look.tree.files else ""
        message = f"path '{path}' is not in the repository" + (f"; {near} is" if near else "")
        yield _finding(file, span.line, path, message, actual=near, wrong=path)


def _finding(file: TextFile, line: int, target: str, message: str, *, actual: str = "", wrong: str = "") -> Finding:
    text = file.lines[line - 1] if 0 < line <= len(file.lines) else ""
    sure = bool(actual) and text.count(wrong) == 1 and not _HISTORY.search(file.path)
    edit = Edit(file.path, line, text, text.replace(wrong, actual)) if sure else None
    return Finding("dead-link", file.path, line, message, target, target, actual, edit=edit)
