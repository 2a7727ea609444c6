"""The past: documents that speak of other versions than the one beside them."""

from __future__ import annotations

import re

_ANOTHER = re.compile(
    r"(?:^|[/_.-])(?:change(?:s|log)|news|history|releases?|release[-_]?notes|whats?[-_]?new|upgrad\w*|migrat\w*|blog|posts"
    r"|tests?|examples?|fixtures?|testdata|node_modules|vendor|third_party|archive[sd]?|legacy|i18n|l10n|locales?|translations?|rfcs?|[a-z]ep|adrs?|decisions"
    r"|proposals?|plans?|designs?|v?\d+\.(?:\d+|x)|version[-_]\w*\d)(?=[/._-]|$)"
    r"|(?:^|/)v\d+(?:[-_.]\d+)*\.[a-z]+$",
    re.IGNORECASE,
)


def is_of_another_version(path: str) -> bool:
    """Whether a document is by its path a changelog, an upgrade note, an archive, a translation, a proposal, an example
    or a test."""
    return _ANOTHER.search(path) is not None
