"""Names of months in the languages that are read, from CLDR."""

from functools import cache
from typing import Literal

from muniment.records.fold import fold

LANGUAGES = ("en", "de", "fr", "es", "nl", "it", "sv", "pt")
# What people write and CLDR does not list.
_ALSO = {"sept": 9, "mrz": 3, "maerz": 3, "okt": 10, "janner": 1, "jänner": 1, "feber": 2, "setiembre": 9}


@cache
def month_numbers(languages: tuple[str, ...] = LANGUAGES) -> dict[str, int]:
    """Every folded name and abbreviation, without its full stop, to the number of the month."""
    from babel.dates import get_month_names

    names = {fold(name): number for name, number in _ALSO.items()}
    widths: tuple[Literal["wide", "abbreviated"], ...] = ("wide", "abbreviated")
    for language in languages:
        for width in widths:
            for number, name in get_month_names(width, "format", language).items():
                names[fold(name).rstrip(".")] = number
    return names


@cache
def month_pattern(languages: tuple[str, ...] = LANGUAGES) -> str:
    """A regular expression for any of the names, the longest first, with or without a full stop."""
    return "(?:" + "|".join(sorted(month_numbers(languages), key=lambda name: (-len(name), name))) + r")\b\.?"
