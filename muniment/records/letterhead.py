"""How whoever wrote a bill can be reached: streets and numbers, which hold words that say what other bills are for."""

import re

from muniment.records.fold import any_of

_CALLED = r"\b(?:(?:tele)?phone|tel|telefono?|mobile?|mobilfunk|mobiltelefon|handy|fax|hotline)\b"
_HOUSE = r"[0-9]{1,4}[a-z]?\b"
_ENGLISH = "street|st|road|rd|lane|ln|avenue|ave|square|court|drive|close|way|terrace|crescent|row|hill"
_GLUED = "stra(?:ss|ß)e|str|weg|gasse|platz|allee|damm|ring|ufer|turm|straat|laan|plein|gatan|gata|vagen"
_REACHED = re.compile(
    any_of(rf"""
        [\w.+-]{{1,64}}@[\w.-]{{1,255}} | \b(?:https?://|www\.)\S{{1,2000}} | \b(?:internet|web|website)\b ?:
        {_CALLED}[ .:]{{0,4}}[+(]{{0,2}}(?:[ ()/.-]{{0,3}}[0-9]){{7,16}}
    """)
)
_ADDRESS = re.compile(
    any_of(rf"""
        \b{_HOUSE},? (?:[\w'.-]{{1,30}} ){{1,4}}(?:{_ENGLISH})\b
        \b[\w.-]{{0,40}}(?:{_GLUED})\.? {_HOUSE}
        ^ ?(?:am|an der|im|zum|zur) [\w-]{{2,40}} {_HOUSE}
        \b{_HOUSE}(?: ?(?:bis|ter))?,? (?:rue|avenue|av|boulevard|bd|place|quai|chemin|impasse|allee)\b[^0-9]{{0,60}}
        \b(?:via|viale|piazza|corso|calle|avenida|plaza|rua|praca)\b [^0-9]{{2,60}}{_HOUSE}
    """)
)


def without_letterhead(folded: str) -> str:
    """A folded line without addresses, numbers to call and pages to visit."""
    return _ADDRESS.sub(" ", _REACHED.sub(" ", folded[:500]))
