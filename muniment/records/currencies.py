"""Currencies as bills name them: ISO codes, signs and words, and which currency a shared sign means in a document."""

import re
from dataclasses import dataclass
from functools import cache

from muniment.records.fold import fold

# Codes that are also words or names in capitals.
_WORDS_IN_CAPITALS = frozenset({"ALL", "BAM", "BOB", "CUP", "GEL", "MOP", "PEN", "SOS", "TOP"})
# Signs and words beside the ones that CLDR lists for English.
_ALSO = {
    "Euros": "EUR", "Euro": "EUR", "euros": "EUR", "euro": "EUR", "Eur": "EUR", "C$": "CAD", "AU$": "AUD", "S$": "SGD",
    "US$": "USD", "$US": "USD", "zł": "PLN", "Kč": "CZK", "円": "JPY", "￥": "JPY", "RMB": "CNY", "元": "CNY",
}  # fmt: skip
SHARED = {
    "$": ("USD", ("USD", "CAD", "AUD", "NZD", "SGD", "HKD", "TWD", "MXN", "ARS", "CLP", "COP")),
    "¥": ("JPY", ("JPY", "CNY")),
    "kr": ("", ("SEK", "NOK", "DKK", "ISK")),
}
"""Signs of several currencies: the one it means when nothing else is said (empty: none), and all of them."""
_LETTER = r"[^\W\d_]"
_ELSEWHERE = re.compile(r"\b(?:gst|hst|pst|abn|acn|canada|australia|singapore|hong kong|new zealand|mexico)\b")


@dataclass(frozen=True, slots=True)
class Mention:
    """A currency named in a line; `code` is empty where its sign is shared and the document doesn't say which."""

    start: int
    end: int
    code: str


@cache
def precision(code: str) -> int:
    """How many decimal places the currency has."""
    from babel.numbers import get_currency_precision

    return get_currency_precision(code)


def shared_signs(text: str) -> dict[str, str]:
    """What each shared sign means in this document; empty where it could mean several."""
    named = {mention.code for mention in find_currencies(text, {})}
    meanings = {}
    for sign, (usual, all_of_them) in SHARED.items():
        meant = named & set(all_of_them)
        if not meant and sign == "$" and _ELSEWHERE.search(fold(text)):
            meanings[sign] = ""
        else:
            meanings[sign] = usual if not meant else meant.pop() if len(meant) == 1 else ""
    return meanings


def find_currencies(line: str, signs: dict[str, str]) -> list[Mention]:
    """The currencies that a line names, in order; `signs` is what `shared_signs` found for its document."""
    found = ((match, _meaning(match, signs)) for match in _pattern().finditer(line))
    return [Mention(*match.span(), code) for match, code in found if code is not None]


@cache
def _signs() -> dict[str, str]:
    from babel import Locale

    listed = {sign: code for code, sign in Locale("en").currency_symbols.items() if sign != code and code in _codes()}
    return {sign: code for sign, code in (listed | _ALSO).items() if sign not in SHARED}


@cache
def _codes() -> frozenset[str]:
    from babel.core import get_global
    from babel.numbers import get_territory_currencies

    current = {code for place in get_global("territory_currencies") for code in get_territory_currencies(place)}
    return frozenset(current - _WORDS_IN_CAPITALS)


@cache
def _pattern() -> re.Pattern[str]:
    signs = "|".join(_alone(sign) for sign in sorted(_signs(), key=lambda sign: (-len(sign), sign)))
    # What can begin one, looked at first: most characters of a page can't.
    begin = "".join({re.escape(sign[0]) for sign in (*_signs(), *SHARED)})
    return re.compile(
        rf"(?=[A-Zsk{begin}])(?:(?P<sign>{signs})|(?<!{_LETTER})(?P<code>[A-Z]{{3}})(?!{_LETTER})"
        # Fr. is Friday as well: francs only before a number.
        rf"|(?<!{_LETTER})(?P<franc>[Ss]Fr\.?|Fr\.)(?= ?-?[0-9])"
        rf"|(?P<shared>\$|¥|(?<!{_LETTER})[Kk]r(?!{_LETTER})))"
    )


def _alone(sign: str) -> str:
    """A sign made of letters must stand alone; a mark such as € may touch anything."""
    before = rf"(?<!{_LETTER})" if sign[0].isalpha() else ""
    return before + re.escape(sign) + (rf"(?!{_LETTER})" if sign[-1].isalpha() else "")


def _meaning(match: re.Match[str], signs: dict[str, str]) -> str | None:
    """The code; empty where a shared sign stays open, None where three capitals are no currency."""
    if match["code"]:
        return match["code"] if match["code"] in _codes() else None
    if match["franc"]:
        return "CHF"
    return _signs()[match["sign"]] if match["sign"] else signs.get(match[0].lower(), "")
