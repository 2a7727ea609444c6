"""Lookup: which truths a claim can be held against, by name."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from schemas.claims import Claim, Truth
from tasks.drift.reach import Reach, reach_of
from tasks.drift.spelling import folded, is_compound, last_part, without_default

MAX_PLACES = 12
"""A name set in more places than this has no one default."""

_SECTIONED = ("ini", "systemd", "toml")
"""Readers of files whose keys stand in sections that documents leave out."""

_NESTED = (*_SECTIONED, "yaml")
"""Readers of files whose keys anybody may have set up: only the one right above a name tells what it is of."""
MAX_TITLE_WORDS = 2
"""In a heading of more, a plain word is one of a sentence."""

_NO_OWNERS = frozenset({"", "init", "self", "main", "settings", "config", "values", "defaults", "options", "setup"})

_MEMBER = re.compile(r"_?[A-Z]\w*(?:\.[A-Za-z]\w*){1,2}")
"""A member of a class, not of a function or a map."""
_YAML = re.compile(r"\.ya?ml(?:\.\w+)?$")

Named = dict[str, list[Truth]]


@dataclass(frozen=True)
class Places:
    """Every truth of a repository, by name."""

    by_name: Named
    """Folded name -> truths."""
    by_last: Named
    """Folded last part of a dotted name -> truths."""
    by_default: Named
    """Folded name without `default` -> constants that are named for being one."""
    reach: Reach

    def of(self, claim: Claim) -> tuple[Truth, ...]:
        """The truths that may decide a claim; empty when none is near enough or when the name means too many things."""
        name = folded(claim.option)
        if not last_part(name):
            return ()
        for meant in self._named(claim, name):
            named = [truth for truth in meant if _is_in_place(truth, claim) and _is_of_function(truth, claim)]
            exact = [truth for truth in named if _is_spelled(truth, claim.option)]
            if found := self.reach.within(exact, claim) or self.reach.within(named, claim):
                return tuple(map(self._followed, found)) if len(found) <= MAX_PLACES else ()
        owned = [
            truth
            for truth in self.by_last.get(name, ())
            if truth.reader not in _NESTED and is_named_above(truth, claim) and _is_of_function(truth, claim)
        ]
        return tuple(map(self._followed, self.reach.alone(owned, claim)))

    def _named(self, claim: Claim, name: str) -> Iterator[Sequence[Truth]]:
        """Truths whose name the claim's can be, the surest way to read it first."""
        # Below two keys or more, a name is one of several that somebody has set up: a profile, a component.
        in_sections = [truth for truth in self.by_last.get(name, ()) if _is_in_section(truth)]
        far = in_sections if is_compound(claim.option) else []
        for parent in _with_parents(claim, name):
            yield self.by_name.get(parent, ())
        yield [*self.by_name.get(name, ()), *far]
        yield [truth for truth in self.by_last.get(name, ()) if is_named_above(truth, claim)]
        yield [truth for truth in self.by_last.get(last_part(name), ()) if _has_parents(truth, name)]
        if is_compound(claim.option):
            yield _of_one_mind(self.by_last.get(name, ()))
        yield [truth for truth in self.by_default.get(name, ()) if truth.path == claim.path]

    def _followed(self, truth: Truth) -> Truth:
        """The truth, or with one hop the value of what it refers to."""
        if not truth.refers:
            return truth
        named = self.by_name.get(folded(truth.refers), ())
        there = [one for one in named if one.path == truth.path] or list(named)
        known = {(one.value, one.kind) for one in there if one.kind != "computed" and not one.commented}
        if len(known) != 1:
            return replace(truth, kind="computed")
        value, kind = known.pop()
        return replace(truth, value=value, kind=kind)


def places_of(truths: Iterable[Truth]) -> Places:
    """The truths, ready to be looked up."""
    by_name, by_last, by_default = defaultdict(list), defaultdict(list), defaultdict(list)
    paths = set()
    for truth in truths:
        name = folded(truth.option)
        paths.add(truth.path)
        by_name[name].append(truth)
        if "." in name:
            by_last[last_part(name)].append(truth)
        if owner := without_default(truth.option):
            by_default[owner].append(truth)
    return Places(dict(by_name), dict(by_last), dict(by_default), reach_of(paths))


def _of_one_mind(truths: Sequence[Truth]) -> Sequence[Truth]:
    """Public members of classes that nobody names, where they all have one value."""
    members = [truth for truth in truths if _MEMBER.fullmatch(truth.option)]
    return truths if len(members) == len(truths) and len({(one.value, one.kind) for one in truths}) == 1 else ()


def _is_in_section(truth: Truth) -> bool:
    return truth.reader in _SECTIONED and truth.option.count(".") == 1


def _is_of_function(truth: Truth, claim: Claim) -> bool:
    """Whether the claim is no parameter in a docstring, or the truth belongs to what the docstring is about."""
    name = claim.option
    if not claim.above or not claim.path.endswith(".py") or name.isupper() or name.startswith("-"):
        return True
    owner = folded(truth.option).rpartition(".")[0]
    return truth.path == claim.path and owner in _scopes(claim.above)


def _scopes(above: Sequence[str]) -> set[str]:
    """The names of what encloses a place, from its own to the whole path."""
    return {
        folded(".".join(above[start:end])) for start in range(len(above)) for end in range(start + 1, len(above) + 1)
    }


def _is_in_place(truth: Truth, claim: Claim) -> bool:
    """Whether the truth stands below the keys that enclose the claim, where both are in one YAML file."""
    if truth.path != claim.path or not claim.above or not _YAML.search(claim.path) or "." in claim.option:
        return True
    return folded(truth.option).startswith(f"{folded('.'.join(claim.above))}.")


def _is_spelled(truth: Truth, option: str) -> bool:
    """Whether the truth's option is spelled so, its section left aside."""
    own, wanted = truth.option.lstrip("-"), option.lstrip("-")
    return own == wanted or (truth.reader in _SECTIONED and own.endswith(f".{wanted}"))


def _with_parents(claim: Claim, name: str) -> list[str]:
    """The name below one or more of what encloses it, longest first: `tag` under `image` is `image.tag`."""
    parents = [folded(heading) for heading in claim.above]
    return [".".join([*parents[start:], name]) for start in range(len(parents)) if all(parents[start:])]


def is_named_above(truth: Truth, claim: Claim) -> bool:
    """Whether a heading over the claim names the function, class, table or file that the truth's option belongs to."""
    owners = folded(truth.option).split(".")[:-1]
    if truth.reader in _NESTED:
        owners = owners[-1:]
    else:
        owners.append(folded(truth.path.rpartition("/")[2].partition(".")[0]))
    return not {word for heading in claim.above for word in _words(heading)}.isdisjoint(set(owners) - _NO_OWNERS)


@lru_cache(maxsize=16_384)
def _words(heading: str) -> frozenset[str]:
    """The names in a heading; in a longer one, those that are no words of everyday language."""
    named = heading.split()
    if len(named) > MAX_TITLE_WORDS:
        named = [word for word in named if not word.isalpha() or not (word.islower() or word.istitle())]
    words = frozenset(folded(word.split("(")[0]) for word in named)
    return words | {part for word in words for part in word.split(".")}


def _has_parents(truth: Truth, name: str) -> bool:
    """Whether the claim's dotted name is the tail of the truth's, so that only outer keys were left out."""
    return "." in name and folded(truth.option).endswith("." + name)
