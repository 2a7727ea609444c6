"""Trees made of texts, as the checks read those of a repository."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from tasks.drift.tree import TextFile, Tree, text_file


def tree_of(texts: Mapping[str, str | bytes], others: Iterable[str] = ()) -> Tree:
    """A tree made of texts by path; what is no text is there all the same, as it is in a repository."""
    raw = {path: text if isinstance(text, bytes) else text.encode() for path, text in sorted(texts.items())}
    made = {path: text_file(path, content) for path, content in raw.items()}
    files = {path: file for path, file in made.items() if isinstance(file, TextFile)}
    return Tree(files, frozenset({*others, *(made.keys() - files.keys())}))
