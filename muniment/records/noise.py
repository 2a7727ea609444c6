"""Numbers on a bill that are no money: dates, account and phone numbers, percentages, quantities, pages, references."""

import re

from muniment.records.dates import DateToken
from muniment.records.fold import fold

BLANK = "·"
"""Stands where a masked character stood; no letter, digit, blank or currency."""

_NUMBER = r"(?:[0-9]{1,3}(?:[ .,'’][0-9]{3}){1,4}|[0-9]{1,12})(?:[.,][0-9]{1,4})?"
_UNITS = (
    "kwh|mwh|wh|kw|m3|m2|m³|m²|cbm|qm|gb|mb|km|kg|ml|cl|ltr|l|litres?|liters?|liter|h|hrs?|hours?|std|stunden|heures?"
    "|horas?|uur|ore|min|minutes?|days?|tage?|jours?|dias?|dagen|giorni|weeks?|wochen|months?|monate?|mois|pcs|stk|stuck"
    "|units?|einheiten|pages?|seiten|nights?|nachte?|x|°c"
)
_PATTERNS = (
    # Addresses of mail and web.
    re.compile(r"[\w.+-]{1,64}@[\w.-]{1,255}|\b(?:https?://|www\.)\S{1,2000}"),
    # IBAN, in blocks of four or in one run.
    re.compile(r"\b[a-z]{2}[0-9]{2}(?: ?[a-z0-9]{4}){2,7}(?: ?[a-z0-9]{1,3})?\b"),
    re.compile(r"\b[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?(?: ?[ap]m)?\b"),
    re.compile(rf"(?<![\w.,]){_NUMBER} ?(?:%|percent\b|prozent\b|pour cent\b|por ciento\b|procent\b)"),
    re.compile(rf"(?<![\w.,]){_NUMBER} ?(?:{_UNITS})(?!\w)"),
    re.compile(
        r"\b(?:tel|telefon|telefono|telephone|phone|fax|mobile?|hotline|handy)\b[ .:]{0,4}[+(0-9][0-9 ()/.-]{4,24}"
    ),
    re.compile(r"\+[0-9]{1,3}[ (][0-9 ()/.-]{5,24}"),
    re.compile(
        r"\b(?:page|seite|pagina|sida|blatt)[ :]{0,2}[0-9]{1,4}(?: ?(?:of|von|de|sur|di|van|av|/) ?[0-9]{1,4})?"
    ),
    # Meter readings and tariffs name no sum, whatever their unit.
    re.compile(rf"\b(?:meter reading|zahlerstand|releve|meterstand|lettura|lectura)\b[^0-9]{{0,30}}{_NUMBER}"),
)
_ISSUER_NUMBER = (
    r"invoice|bill|receipt|credit note|rechnungs?|beleg|quittungs?|gutschrifts?|facture|recu|avoir|factura|recibo"
    r"|factuur|bon|fattura|ricevuta|faktura|kvitto|document"
)
_OTHER_NUMBER = (
    r"customer|client|account|contract|policy|order|reference|ref|meter|tax|vat|kunden|vertrags?|konto|auftrags?"
    r"|bestell|zahler|versicherungs?|police|steuer|contrat|commande|compteur|cliente|contrato|pedido|poliza|klant"
    r"|contract|bestel|polis|contratto|ordine|polizza|article|artikel|item|member|mitglieds?"
)
_NUMBER_WORD = r"[ *_-]{0,4}(?:number|nummer|numero|nbr|num|no|nr|n°|nº|n\.|id|#)[.: °º#]{0,4}"
_REFERENCE = r"(?P<token>[a-z0-9][a-z0-9._/-]{0,30}[a-z0-9]|[0-9])(?![\w])"
_OWN = re.compile(
    rf"\b(?:{_ISSUER_NUMBER}){_NUMBER_WORD}{_REFERENCE}"
    rf"|\b(?:number|numero|no|nr|n°) (?:de |di |della )?(?:{_ISSUER_NUMBER})[: ]{{1,4}}"
    r"(?P<named>[a-z0-9][a-z0-9._/-]{0,31})"
    r"|\b(?:invoice|bill|receipt|rechnung|facture|factura|factuur|fattura) ?#? ?"
    r"(?P<bare>[a-z]{1,5}-[0-9][a-z0-9-]{1,20})"
)
_FOREIGN = re.compile(rf"\b(?:{_OTHER_NUMBER}){_NUMBER_WORD}{_REFERENCE}")


def mask(line: str, dates: list[DateToken]) -> str:
    """The line with everything blanked out that holds digits and is no money, every other character at its place."""
    folded = fold(line)
    spans = [(token.start, token.end) for token in dates if not token.compact]
    for pattern in _PATTERNS:
        spans += [match.span() for match in pattern.finditer(folded)]
    spans += [_token_span(match) for pattern in (_OWN, _FOREIGN) for match in pattern.finditer(folded)]
    masked = list(line)
    for start, end in spans:
        masked[start:end] = BLANK * (end - start)
    return "".join(masked)


def document_number(line: str) -> str:
    """The invoice or receipt number that the line states, upper case; empty where it states none."""
    for match in _OWN.finditer(fold(line)):
        start, end = _token_span(match)
        if start < end:
            return line[start:end].upper()
    return ""


def _token_span(match: re.Match[str]) -> tuple[int, int]:
    """Where the number itself stands; nowhere when what follows the word has no digit."""
    name = next((name for name, found in match.groupdict().items() if found), "token")
    start, end = match.span(name)
    return (start, end) if any(char.isdigit() for char in match[name] or "") else (start, start)
