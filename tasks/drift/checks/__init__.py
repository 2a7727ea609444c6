"""Checks other than documented defaults: each looks at the whole tree and names what is not there."""

from collections.abc import Callable, Iterator, Mapping

from schemas.claims import Finding
from tasks.drift.checks.dead_link import find_dead_links
from tasks.drift.checks.missing_command import find_missing_commands
from tasks.drift.checks.python_api import find_python_api
from tasks.drift.checks.stated_version import find_stated_versions
from tasks.drift.checks.undocumented_setting import find_undocumented_settings
from tasks.drift.checks.unknown_option import find_unknown_options
from tasks.drift.checks.unparsed_flag import find_unparsed_flags
from tasks.drift.tree import Tree

Check = Callable[[Tree], Iterator[Finding]]
"""Finds what it looks for in a tree, in order of path and line; says nothing when in doubt."""

CHECKS: Mapping[str, Check] = {
    "unknown-option": find_unknown_options,
    "undocumented-setting": find_undocumented_settings,
    "dead-link": find_dead_links,
    "unparsed-flag": find_unparsed_flags,
    "missing-command": find_missing_commands,
    "python-api": find_python_api,
    "stated-version": find_stated_versions,
}
"""Rule name (a key of `schemas.claims.CHECKS`) -> check. Each is one file."""
