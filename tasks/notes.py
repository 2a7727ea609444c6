"""Notes of a vault: of which type each is, by its front matter, else its file's name, else its folder."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from muniment.patterns import admits
from schemas.files import Label, NoteRules, Skipped
from tasks.classify import Unsure
from tasks.decode import Decoded, decode
from tasks.frontmatter import FrontMatter, Value, read_front_matter

if TYPE_CHECKING:
    from collections.abc import Callable

KIND = "note"
SUFFIXES = (".md", ".markdown")
ALL = "*"
UNTYPED = "untyped"
"""How a note without a type is counted among the types that are left out."""
MAX_TYPE = 60
"""In characters: a longer value is a sentence, and no type."""
_LINKED = 2
"""So many lists around a text are the brackets of a link that nobody quoted."""
_MAX_NESTED = 20
_MAX_VALUES = 50

_BRACKETED = re.compile(r"\[([^\[\]]{1,60})\] ")
_LEADING = (re.compile(r"(\w[^\-–—]{0,59}?) [-–—] "), re.compile(r"([^\W_]{1,60})_"))
"""`TYPE - title` and `TYPE_title`."""
_CAPITALS = re.compile(r"[A-Z][A-Z0-9]{1,19}")
_LINK = re.compile(r"!?\[\[([^\[\]|#^]*+)[^\[\]]*\]\]")


def is_note(path: str) -> bool:
    """Whether a file of a vault is a note: Markdown that is not hidden."""
    name = path.rpartition("/")[2]
    return name.lower().endswith(SUFFIXES) and not name.startswith(".")


@dataclass(frozen=True)
class Notes:
    """Sorts the files of a vault: Markdown is a note, and everything else is an attachment."""

    rules: NoteRules

    def by_path(self, path: str) -> Label | Skipped | Unsure:
        """That a file is no note; whether a note is wanted, its content has to say."""
        return Unsure() if is_note(path) else Skipped(path, "not documentation", "no note")

    def by_content(self, path: str, raw: bytes) -> Label | Skipped:
        """The type and namespace of a note, or that its type is one that is left out.

        A note whose front matter can't be read is kept whatever is left out: nobody knows what it is.
        """
        decoded = decode(raw)
        front = read_front_matter(decoded.text) if isinstance(decoded, Decoded) else FrontMatter()
        names = self._types(path, front)
        wanted = next((spelled for name in names if (spelled := self._spelling(name))), "")
        if wanted or front.broken or (not names and self.rules.untyped):
            return Label(KIND, wanted or KIND, self._namespace(front), bool(front.broken))
        return Skipped(path, "type left out", names[0] if names else UNTYPED)

    def _types(self, path: str, front: FrontMatter) -> list[str]:
        """The types a note gives itself; those of the first place that names any."""
        return _named(front, self.rules.type_keys) or self._by_name(path) or self._by_folder(path)

    def _by_name(self, path: str) -> list[str]:
        stem = path.rpartition("/")[2].rpartition(".")[0]
        if bracketed := _BRACKETED.match(stem):
            return [bracketed[1].strip()]
        leading = [found[1].strip() for pattern in _LEADING if (found := pattern.match(stem))]
        # Any words may stand before a dash: only capitals, or what the settings name, are a type.
        return [name for name in leading if name.casefold() in self._known or _CAPITALS.fullmatch(name)][:1]

    def _by_folder(self, path: str) -> list[str]:
        return [name for holds, name in self._folders if holds(path)][:1]

    def _spelling(self, name: str) -> str:
        """The type as the settings spell it, else as the note does; empty where it is left out."""
        listed = self._listed.get(name.casefold(), "")
        return listed or (name if ALL in self.rules.types else "")

    def _namespace(self, front: FrontMatter) -> str:
        return next(iter(_named(front, self.rules.namespace_keys)), "")

    @cached_property
    def _listed(self) -> dict[str, str]:
        return {name.casefold(): name for name in self.rules.types if name != ALL}

    @cached_property
    def _known(self) -> frozenset[str]:
        return frozenset((*self._listed, *(name.casefold() for _, name in self.rules.folders)))

    @cached_property
    def _folders(self) -> Sequence[tuple[Callable[[str], bool], str]]:
        return [(admits((pattern,), ()), name) for pattern, name in self.rules.folders]


def _named(front: FrontMatter, keys: Sequence[str]) -> list[str]:
    """What stands under the first of the keys that is there, in any case, and says something."""
    values = {key.casefold(): value for key, value in front.values.items()}
    found = (_names(values[key.casefold()]) for key in keys if key.casefold() in values)
    return next((names for names in found if names), [])


def _names(value: Value) -> list[str]:
    """The texts of a value: one, a list, or a link, which YAML reads as a list in a list where nobody quoted it."""
    names: list[str] = []
    waiting: list[tuple[Value, int]] = [(value, 0)]
    while waiting and len(names) < _MAX_VALUES:
        one, depth = waiting.pop(0)
        if isinstance(one, str):
            names.append(unlinked(one if depth < _LINKED else f"[[{one}]]"))
        elif isinstance(one, list) and depth < _MAX_NESTED:
            waiting += [(item, depth + 1) for item in one]
    return [name for name in names if 0 < len(name) <= MAX_TYPE]


def unlinked(text: str) -> str:
    """The name behind a `[[link]]`, without its folders, heading and other wording; any other text as it is."""
    found = _LINK.fullmatch(text.strip())
    target = found[1] if found else text
    if found:
        target = target.rpartition("/")[2].removesuffix(".md")
    return " ".join(target.removeprefix("#").split())
