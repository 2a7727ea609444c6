"""Amounts of money as bills spell them: 1,234.56 or 1.234,56 or 1 234,56 or 1'234.56, with a currency before or after.

A number becomes an amount only when a currency touches it or it has decimals; what could be read in two ways keeps
`minor` None. price-parser was left out: it always picks one reading.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal

from muniment.records.currencies import Mention, find_currencies, precision

_BLANKS = " \u00a0\u2009\u202f"
_NUMBER = re.compile(
    rf"(?<![0-9]['’.,])(?<![\w'’/·])(?<!\w[-–])"
    rf"(?P<whole>[0-9]{{1,3}}(?P<group>[.,'’{_BLANKS}])[0-9]{{3}}(?:(?P=group)[0-9]{{3}}){{0,3}}|[0-9]{{1,12}})"
    r"(?:(?P<mark>[.,])(?P<decimals>[0-9]{2})|[.,:](?P<dash>[-–—]{1,2}))?"
    r"(?![0-9]|[.,'’:/·–-][0-9]|[^\W\d_])"
)
_GLUED = re.compile("")
_TIGHT = re.compile(rf"[{_BLANKS}]{{0,2}}")
_NEXT_NUMBER = re.compile(rf"[{_BLANKS}]?[0-9]")
_LOOSE = re.compile(rf"[{_BLANKS}|:\t]{{0,12}}")
_CREDIT = re.compile(rf"[{_BLANKS}]?(?:CR|Cr)\b|[-−](?![0-9])")
_UNIT_PRICE = re.compile(
    rf"[{_BLANKS}]?(?:/|(?:per|pro|par|je|por|al|a) "
    r"(?:month|year|week|day|hour|night|unit|person|kwh|kg|l\b|m3|liter|litre|monat|jahr|woche|tag|stunde|nacht|stuck"
    r"|mois|an\b|jour|heure|mes\b|ano|dia|hora|maand|jaar|dag|uur|mese|anno|giorno|ora\b))",
    re.IGNORECASE,
)
_ORDINAL = re.compile(r"(?:\b(?:rate|instal?ment|acompte|termijn|rata|cuota|nr|no|pos)\.?|[0-9]) $", re.IGNORECASE)
# Where these are the money, nobody writes a comma before three decimals.
_COMMA_GROUPS = frozenset({"USD", "GBP", "JPY", "AUD", "CAD", "NZD", "INR", "HKD", "SGD", "CNY", "KRW"})


@dataclass(frozen=True, slots=True)
class Amount:
    """A number in a line that is money."""

    start: int
    end: int
    """Of number and currency together."""
    text: str
    currency: str
    """Empty where none touches it, or where its sign could mean several."""
    whole: str
    """Digits before the decimal mark."""
    decimals: str
    negative: bool
    bracketed: bool
    """(45.00): a minus to accountants, an aside to everybody else."""
    doubt: str = ""
    """Why the number can be read in two ways; empty where it can't."""

    def minor(self, currency: str) -> int | None:
        """The value in the currency's smallest unit; None where it has decimals that the currency has not."""
        places = precision(currency)
        if self.doubt or (len(self.decimals) != places and self.decimals.strip("0")):
            return None
        value = int(self.whole + (self.decimals if len(self.decimals) == places else "0" * places))
        return -value if self.negative else value


@dataclass(frozen=True, slots=True)
class Style:
    """How the numbers of a document are written."""

    marks: frozenset[str] = frozenset()
    """The decimal marks seen."""
    groups: frozenset[str] = frozenset()
    """The thousands separators seen beside a decimal mark."""


def number_style(lines: Iterable[str]) -> Style:
    """The marks that the unmistakable numbers of some masked lines use."""
    marks, groups = set(), set()
    for line in lines:
        for match in _NUMBER.finditer(line):
            if match["mark"] and match["mark"] != match["group"]:
                marks.add(match["mark"])
                if match["group"] and not match["group"].isspace():
                    groups.add(match["group"])
    return Style(frozenset(marks), frozenset(groups))


def find_amounts(line: str, style: Style, signs: dict[str, str]) -> list[Amount]:
    """The amounts of a masked line, in order; prices per unit are left out."""
    mentions = find_currencies(line, signs)
    bare = list(line)
    for mention in mentions:
        bare[mention.start : mention.end] = "¤" * (mention.end - mention.start)
    amounts = (_amount(line, match, style, mentions) for match in _NUMBER.finditer("".join(bare)))
    return [amount for amount in amounts if amount and not _is_unit_price(line, amount.end, mentions)]


def _is_unit_price(line: str, end: int, mentions: list[Mention]) -> bool:
    """Whether what follows makes it the price of one of many; after `EUR 45.00 /` the same may stand in dollars."""
    per = _UNIT_PRICE.match(line, end)
    return bool(per) and not any(per.end() <= one.start <= per.end() + 1 for one in mentions if per)


def format_minor(amount_minor: int, currency: str) -> str:
    """The amount for people: `EUR 1,234.56`."""
    from babel.numbers import format_currency

    value = Decimal(amount_minor).scaleb(-precision(currency))
    return format_currency(value, currency, "¤¤ #,##0.00;¤¤ -#,##0.00", locale="en").replace("\u00a0", " ")


def _amount(line: str, match: re.Match[str], style: Style, mentions: list[Mention]) -> Amount | None:
    near = _touching(line, match.start(), match.end(), mentions, plain=match["whole"] == match[0])
    codes = {mention.code for mention in near}
    if not (match["decimals"] or match["dash"] or near):
        return None
    currency = codes.pop() if len(codes) == 1 else ""
    doubt = "a currency on both sides" if codes else _doubt(line, match, style, currency)
    if doubt is None:
        return None
    start = min([match.start(), *(mention.start for mention in near)])
    end = max([match.end(), *(mention.end for mention in near)])
    credit = _CREDIT.match(line, end)
    return Amount(
        start,
        end,
        line[start:end],
        currency,
        whole=re.sub(r"[^0-9]", "", match["whole"]),
        decimals=match["decimals"] or "",
        negative=bool(credit) or _minus(line, start) or _minus(line, match.start()),
        bracketed=line[:start].endswith("(") and line[end:].startswith(")"),
        doubt=doubt,
    )


def _touching(line: str, start: int, end: int, mentions: list[Mention], plain: bool) -> list[Mention]:
    """The currencies that belong to the number: at most a blank away, else before it in the same column."""
    for gap in (_GLUED, _TIGHT, _LOOSE):
        before = [one for one in mentions if one.end <= start and gap.fullmatch(_unsigned(line[one.end : start]))]
        behind = [one for one in mentions if end <= one.start and gap.fullmatch(line, end, one.start)]
        after = behind if gap is not _LOOSE and not (plain and _prefixes(line, behind)) else []
        if before or after:
            return [*before, *after]
    return []


def _prefixes(line: str, mentions: list[Mention]) -> bool:
    """Whether the currency stands before another number: in `3 EUR 45.00` it is not the 3's."""
    return any(_NEXT_NUMBER.match(line, one.end) for one in mentions)


def _unsigned(gap: str) -> str:
    return gap[:-1] if gap.endswith(("-", "−")) else gap


def _minus(line: str, start: int) -> bool:
    return line[max(0, start - 1) : start] in {"-", "−"} and not line[max(0, start - 2) : start - 1].isalnum()


def _doubt(line: str, match: re.Match[str], style: Style, currency: str) -> str | None:
    """Why the number can be read in two ways, or None where it is no money at all."""
    group, decided = match["group"], match["decimals"] or match["dash"]
    if group == " " and (style.groups or _ORDINAL.search(line, 0, match.start())):
        return "the blank may stand between two numbers"
    if not group or decided or group not in ".,":
        return "three decimals" if currency and precision(currency) > 2 else ""
    if match["whole"].startswith("0"):
        return None
    if group in style.marks:
        return f"'{group}' is a decimal mark elsewhere"
    several = len(match["whole"]) > 7
    settled = style.marks or several or (currency and precision(currency) == 0)
    return "" if settled or (group == "," and currency in _COMMA_GROUPS) else f"'{group}' may be a decimal mark"
