"""What a payment is for: a small table of categories with the words that name them, in several languages."""

import re
from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

from muniment.records.fold import any_of, fold
from muniment.records.letterhead import without_letterhead


class Category(NamedTuple):
    """One row: the wider category it belongs to (or none) and a pattern over folded text."""

    within: str
    pattern: str


CATEGORIES: dict[str, Category] = {
    "utilities": Category(
        "", "utilit(?:y|ies) | energy | stadtwerke | nebenkosten | energie | energia | charges locatives"
    ),
    "electricity": Category(
        "utilities",
        r"""
        electric(?:ity)? | power bill
        (?:oko|natur|grun|solar|haushalts?|heiz|nacht|tag|bau|fahr|auto|allgemein|mieter|warmepumpen|gewerbe)?strom(?:rechnung|kosten|vertrag|abschlag|lieferung|versorgung|verbrauch|tarif)?
        electricite | electricidad | luz | elektriciteit | stroom | elettricita | energia elettrica | elhandel
        """,
    ),
    "gas": Category("utilities", r"(?:natural )?gas | erdgas\w* | gasrechnung | gaz | gasfactuur"),
    "water": Category(
        "utilities",
        r"""
        water(?:works)? | sewage | sewerage | (?:ab|trink|frisch|schmutz|regen)?wasser(?!mann|turm)\w*
        eaux? | agua | acqua | acquedotto | drinkwater | vatten\w*
        """,
    ),
    "heating": Category(
        "utilities",
        r"""
        heating | fernwarme\w* | heizkosten\w* | heizung
        chauffage | calefaccion | verwarming | riscaldamento | fjarrvarme
        """,
    ),
    "waste": Category(
        "utilities",
        r"""
        waste | refuse | garbage | abfall\w* | mull(?:(?:abfuhr|gebuhr|entsorgung|tonne|beseitigung)\w*)?
        ordures | dechets | basura | afval\w* | rifiuti
        avfall\w* | renhallning
        """,
    ),
    "telecom": Category(
        "",
        r"""
        internet | broadband | phone | mobile(?! (?:app|pay|bank|site)) | telephone | telecom\w* | fibre
        telefon\w* | mobilfunk\w* | dsl | glasfaser | telefono | telefonie | bredband
        """,
    ),
    "insurance": Category(
        "",
        r"""
        insur(?:ance|er) | \w*versicherung(?:en|s)? | assurances? | seguros?
        \w*verzekering(?:en)? | assicurazion[ei] | forsakring\w*
        """,
    ),
    "rent": Category("", r"rent | lease | (?:kalt|warm)?miete | mietzins | loyer | alquiler | huur | affitto | hyra"),
    "groceries": Category(
        "",
        r"""
        grocer(?:y|ies) | supermarket | supermarkt | lebensmittel | epicerie | supermarche
        supermercado | boodschappen | supermercato | livsmedel
        """,
    ),
    "transport": Category(
        "",
        r"""
        train | railways? | transit | tram | parking | taxi | petrol | fuel | bahn(?!hof)\w* | fahrkarten? | tankstelle
        carburant | gasolina | benzine | benzina
        """,
    ),
    "health": Category(
        "",
        r"""
        pharmacy | dental | dentist | medical | clinic | apotheke | zahnarzt\w* | arztrechnung
        pharmacie | dentiste | farmacia | apotheek | tandarts
        """,
    ),
    "software": Category("", r"software | hosting | cloud | domains? | saas | servers?"),
    "travel": Category("", r"hotel | flights? | airline | flug(?!el)\w* | voyage | vuelos? | vlucht\w* | volo"),
    "repairs": Category(
        "",
        r"""
        repairs? | plumb(?:er|ing) | handwerker\w* | reparatur\w* | dachdecker\w*
        reparations? | reparacion | reparatie | riparazion[ei]
        """,
    ),
    "taxes": Category("", r"property tax | council tax | grundsteuer\w* | kfz-steuer | taxe fonciere"),
}
_LABEL = re.compile(
    r"^[\W_]*"
    + any_of("""
        category | subject | re | for | purpose | concerns? | description
        kategorie | betreff | betrifft | verwendungszweck | objet | categorie
        asunto | concepto | categoria | betreft | onderwerp | omschrijving | oggetto | causale | avser
    """)
    + "[ ]{0,3}:"
)
_HEAD_LINES = 8


def category_of(word_or_phrase: str) -> str:
    """The category that a person names with these words; empty where the table knows none."""
    folded = fold(word_or_phrase).strip()
    for name, pattern in _patterns().items():
        if folded == name or pattern.fullmatch(folded):
            return name
    return ""


def within(category: str, wider: str) -> bool:
    """Whether a category is the wider one or belongs to it."""
    return category == wider or (category != "" and CATEGORIES[category].within == wider)


def find_categories(lines: list[str], payee: str) -> tuple[tuple[str, ...], int]:
    """The categories a document could belong to (one where it is clear), and the line, from 0, that says so.

    The first that speaks decides: a labelled line (Subject: ...), the payee's name, the first lines, the whole text.
    A wide one (utilities) gives way to the only narrower one (gas) that the text names.
    """
    labelled = [number for number, line in enumerate(lines) if _LABEL.match(fold(line[:80]))]
    named = [number for number, line in enumerate(lines) if payee and payee in line][:1]
    head = [number for number, line in enumerate(lines) if line.strip()][:_HEAD_LINES]
    said = {number: found for number, line in enumerate(lines) if (found := _named(line))}
    for zone in (labelled, named, head, said):
        spoken = set[str]().union(*(said.get(number, set()) for number in zone))
        if spoken:
            names = _narrowest(spoken)
            inside = {name for found in said.values() for name in found if [CATEGORIES[name].within] == [*names]}
            names = (inside.pop(),) if len(inside) == 1 else names
            return names, next((number for number, found in said.items() if found & set(names)), next(iter(said)))
    return (), -1


def tagged(tags: Iterable[str]) -> tuple[str, ...]:
    """The categories that the tags of a document name, as narrow as they name them."""
    return _narrowest({name for tag in tags if (name := category_of(tag))})


def _named(line: str) -> set[str]:
    folded = without_letterhead(fold(line))
    return {name for name, pattern in _patterns().items() if pattern.search(folded)}


def _narrowest(names: set[str]) -> tuple[str, ...]:
    """One name where all agree: electricity for {electricity, utilities}, utilities for {electricity, gas}."""
    wider = {CATEGORIES[name].within for name in names}
    narrow = {name for name in names if name not in wider}
    if len(narrow) == 1:
        return tuple(narrow)
    parents = {CATEGORIES[name].within or name for name in narrow}
    return tuple(sorted(parents if len(parents) == 1 else narrow))


@cache
def _patterns() -> dict[str, re.Pattern[str]]:
    return {name: re.compile(rf"(?<!\w){any_of(row.pattern)}(?!\w)") for name, row in CATEGORIES.items()}
