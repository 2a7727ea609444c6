"""What a comment header holds that documents nothing: licence, author, dates, and orders to tools."""

import re
from collections.abc import Sequence
from itertools import compress, groupby

from tasks.chunk.layout import is_rule

_DIRECTIVE = re.compile(
    r"""shellcheck\b | vim?: | kate: | -\*-.*-\*- | (?:en)?coding[:=] | Local\ Variables: | End:$ | !/ | %%?$
    | pylint: | flake8: | noqa\b | mypy: | ruff: | isort: | type:\ ignore | sourcery\ | rubocop:
    | frozen_string_literal: | eslint | phpcs: | @codingStandards | perl(?:critic|tidy)\b | luacheck:
    | hadolint\ | yamllint\ | checkov: | semgrep | markdownlint | editorconfig | SPDX-""",
    re.IGNORECASE | re.VERBOSE,
)
_FIELD = re.compile(
    r"""(?:(?:original\ |main\ )?(?:author|date|creator|maintainer)s? | created | modified | written\ by
        | last\ (?:modified|updated?|change) | copyright | licen[cs]ed? | version | revision
        | e-?mail | contact | company | website | home\ ?page
        )\b [^\w]* (?:[:=(] | by\b | \s\s | v?\d | © | see\b | $)
    | copyright\ | © | \(c\)\ | licensed\ under\ | all\ rights\ reserved
    | @(?:author|copyright|licen[cs]e|package|version|since|link|category)\b | \$(?:Id|Revision|Date|Author)\b
    | \d{1,4}[-/.\ ](?:\d{1,2}|[A-Z][a-z]{2})[-/.\ ]\d{2,4}\b""",
    re.IGNORECASE | re.VERBOSE,
)
_LINK = re.compile(r"\W{0,3}https?:?//+\S+$")
_LEGAL = (
    "permission is hereby granted",
    "the above copyright notice",
    'provided "as is"',
    "provided ``as is''",
    "this program is free software",
    "is free software; you can redistribute",
    "is free software: you can redistribute",
    "redistribute it and/or modify",
    "without any warranty",
    "without warranties or conditions",
    "received a copy of the gnu",
    "licensed under the apache license",
    "licensed to the apache software foundation",
    "redistribution and use in source",
    "redistributions of source code",
    "redistributions in binary form",
    "use of this source code is governed",
    "may be used to endorse",
    "the contents of this file are subject to the terms",
    "connect with me on",
)
"""One phrase marks a whole paragraph; the last is what authors ask of their readers."""


def documenting(texts: Sequence[str]) -> list[bool]:
    """For each line of a comment block whether it documents something.

    Blank lines, rules and orders to tools never do. A paragraph does not when it is legal text, or when it begins
    with a field such as `Author:` and at least half of it is such fields; a bare link does not as long as the
    paragraph before it, if any, does not either.
    """
    kept: list[bool] = []
    documented = False
    for _, group in groupby(texts, key=lambda text: bool(text.strip())):
        lines = list(group)
        telling = [_tells(line) for line in lines]
        if told := [line.strip() for line in compress(lines, telling)]:
            documented = not _is_boilerplate(told, documented)
        kept += [tells and documented for tells in telling]
    return kept


def _tells(line: str) -> bool:
    return bool(line.strip()) and not is_rule(line) and not _DIRECTIVE.match(line.lstrip())


def _is_boilerplate(paragraph: Sequence[str], documented: bool) -> bool:
    text = " ".join(paragraph).lower()
    if any(phrase in text for phrase in _LEGAL):
        return True
    fields = sum(1 for line in paragraph if _FIELD.match(line))
    if fields * 2 >= len(paragraph) and _FIELD.match(paragraph[0]):
        return True
    return not documented and all(_LINK.match(line) or _FIELD.match(line) for line in paragraph)
