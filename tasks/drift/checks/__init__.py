"""Checks other than documented defaults: each looks at the whole tree and names what is not there."""

from collections.abc import Callable, Iterator, Mapping

from schemas.claims import Finding
from tasks.drift.checks.dead_link import find_dead_links
from tasks.drift.checks.unknown_option import find_unknown_options
from tasks.drift.tree import Tree

Check = Callable[[Tree], Iterator[Finding]]
"""Finds what it looks for in a tree, in order of path and line; says nothing when in doubt."""

CHECKS: Mapping[str, Check] = {
    "unknown-option": find_unknown_options,
    "dead-link": find_dead_links,
}
"""Rule name (a key of `schemas.claims.CHECKS`) -> check. Each is one file."""
