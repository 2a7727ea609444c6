"""Where a link leads: the path in a tree that it names, by the conventions of code hosts and of site generators."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from posixpath import dirname, join, normpath

from tasks.drift.real.ignored import Ignored
from tasks.drift.tree import TextFile, Tree

SITES: dict[str, tuple[str, ...]] = {
    "mkdocs.yml": ("docs",),
    "zensical.toml": ("docs",),
    "docusaurus.config.js": ("", "docs", "static", "src/pages"),
    "docusaurus.config.ts": ("", "docs", "static", "src/pages"),
    "hugo.toml": ("content", "static", "assets", ""),
    "hugo.yaml": ("content", "static", "assets", ""),
    "config.toml": ("content", "static", "assets"),
    "_config.yml": ("",),
    "conf.py": ("",),
    "book.toml": ("src",),
    "antora.yml": ("",),
    "astro.config.mjs": ("src/content/docs", "public"),
    "astro.config.ts": ("src/content/docs", "public"),
    ".vitepress": ("", "public"),
    ".vuepress": ("", "public"),
    "docs.json": ("",),
    "mint.json": ("",),
    "SUMMARY.md": ("",),
    "_sidebar.md": ("",),
    "_toc.yml": ("",),
}
"""A site generator's file or folder -> the folders beside it that its links start from."""

_SOURCES = (".md", ".mdx", ".markdown", ".rst", ".adoc", ".txt", ".html", "/index.md", "/README.md", "/index.rst",
            "/index.mdx", "/_index.md", "/index.html", "/index.adoc", "/readme.md", "/index.markdown")  # fmt: skip
_SOURCE = re.compile(r"\.(?:md|mdx|markdown|rst|adoc)$")
_SUFFIX = re.compile(r"\.[a-z0-9]{1,8}$")
_MKDOCS = re.compile(r"mkdocs[\w-]{0,40}\.ya?ml$")
_MADE = (".html", ".htm", ".xml", ".pdf", ".json", ".txt", ".php")
"""Suffixes of what a site generator makes."""

_DOCS_DIR = re.compile(r"^docs_dir\s{0,4}[:=]\s{0,4}[\"']?([\w./-]{1,100})", re.MULTILINE)
_LANGUAGE = re.compile(r"(.{1,400})\.[a-z]{2}(?:[-_][A-Za-z]{2})?(\.\w{1,8})$")
_PAGE_SUFFIX = re.compile(r"\.(?:html?|md|mdx|markdown|rst|adoc)$")


@dataclass(frozen=True)
class Targets:
    """Looks paths up in one tree."""

    tree: Tree

    @cached_property
    def _ignored(self) -> Ignored:
        return Ignored(self.tree)

    @cached_property
    def _roots(self) -> dict[str, tuple[str, ...]]:
        """Folder that a site's pages lie beneath -> the folders that its links start from."""
        found: dict[str, tuple[str, ...]] = {}
        for path in sorted(self.tree.paths):
            folder, _, name = path.rpartition("/")
            kind = "mkdocs.yml" if _MKDOCS.match(name) else name
            if kind in SITES and not (name == "config.toml" and "baseURL" not in self._text(path)):
                given = _DOCS_DIR.findall(self._text(path)) if name.startswith(("mkdocs", "zensical")) else []
                cleaned = (_clean(join(folder, start)) for start in (given or SITES[kind]))
                starts = tuple(start for start in cleaned if start is not None)
                found[folder] = found.get(folder, ()) + starts
        return found

    def _text(self, path: str) -> str:
        return self.tree.files[path].text if path in self.tree.files else ""

    @cached_property
    def _translated(self) -> dict[str, str]:
        """Path without the language in it (`page.md` for `page.en.md`) -> the path."""
        return {found[1] + found[2]: path for path in sorted(self.tree.paths) if (found := _LANGUAGE.match(path))}

    def site_roots(self, path: str) -> tuple[str, ...]:
        """The folders from which links of a page's site may start; none for a page of no site.

        A page belongs to each site whose folders it lies beneath; the README beside a site's settings to none.
        """
        return tuple(
            start
            for starts in self._roots.values()
            if any(_is_beneath(path, one) for one in starts)
            for start in starts
        )

    def find(self, page: TextFile, target: str) -> str | None:
        """The path that a link's target names: an empty string for one that leads nowhere, None when in doubt."""
        roots = self.site_roots(page.path)
        wanted = list(self._wanted(page, target, roots))
        paths = [path for path in wanted if path is not None]
        for path in paths:
            if (found := self._existing(path)) is not None:
                return found
        if not paths or len(paths) < len(wanted) or any(self._is_unseen(path) for path in paths):
            return None
        if target.startswith("/"):
            inside = target[1:].partition("/")[0] in self.tree.paths or (bool(roots) and target.endswith(".rst"))
            return "" if inside and _SOURCE.search(target) else None
        made = not _SUFFIX.search(target) or target.endswith(_MADE)
        return None if roots and made else ""

    def is_absent(self, path: str) -> bool:
        """Whether a path from the top of the repository is surely not there."""
        return path not in self.tree.paths and not self._is_unseen(path)

    def _wanted(self, page: TextFile, target: str, roots: tuple[str, ...]) -> Iterator[str | None]:
        """The paths that a target may mean, the plainest first; None for one outside of the repository."""
        if target.startswith("/"):
            yield from (_clean(join(root, target.lstrip("/"))) for root in ("", *roots))
            return
        yield _clean(join(page.folder, target))
        if roots:
            # Served as a folder of its own, a page's relative links start one level deeper; some start from the root.
            yield from (_clean(join(page.folder, page.name.partition(".")[0], target)),) if ".." in target else ()
            yield from (_clean(join(root, target)) or "" for root in roots)

    def _existing(self, path: str) -> str | None:
        if not path or path in self.tree.paths:
            return path
        if path in self._translated:
            return self._translated[path]
        stem = _PAGE_SUFFIX.sub("", path)
        return next((path for suffix in _SOURCES if (path := stem + suffix) in self.tree.paths), None)

    def _is_unseen(self, path: str) -> bool:
        """Whether a path may exist where git does not show it: ignored, or behind a link or a submodule."""
        above = dirname(path)
        while above:
            if above in self.tree.others:
                return True
            above = dirname(above)
        return path in self._ignored


def _clean(path: str) -> str | None:
    """The path without `.` and `..`; None when it leaves the repository."""
    normal = normpath(path)
    if normal == ".." or normal.startswith("../"):
        return None
    return "" if normal in (".", "/") else normal.strip("/")


def _is_beneath(path: str, folder: str) -> bool:
    """Whether a site's folder holds a page; one at the top only those in folders, as READMEs are read on a host."""
    return path.startswith(folder + "/") if folder else "/" in path
