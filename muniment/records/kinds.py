"""What kind of document a bill-like text is, by the words of its head."""

import re

from muniment.records.fold import any_of, fold

_HEAD_LINES = 30
# The first row that matches in a line wins: a reminder names the invoice, a receipt too.
_KINDS: dict[str, str] = {
    "reminder": r"""
        \breminder\b | overdue | final notice
        \bmahnung | zahlungserinnerung | mahnstufe
        \brappel\b | relance
        aanmaning | betalingsherinnering
        sollecito | recordatorio | pago pendiente | paminnelse
    """,
    "credit_note": r"""
        credit (?:note|memo) | \brefund (?:note|confirmation)
        \bgutschrift | stornorechnung
        \bavoir\b | nota de (?:credito|abono) | factura rectificativa
        credit ?nota | creditfactuur | nota di credito | kreditfaktura
    """,
    "quote": r"""
        \bquot(?:e|ation)\b | \bestimate\b | pro-?forma
        angebot | kostenvoranschlag
        \bdevis\b | presupuesto | offerte | preventivo
    """,
    "order": r"""
        order confirmation | purchase order | delivery note | packing slip
        auftragsbestatigung | bestellbestatigung | lieferschein
        bon de (?:commande|livraison) | confirmacion de pedido | albaran
        orderbevestiging | pakbon | conferma d.ordine
    """,
    "income": r"""
        pay ?slip | payroll | gehaltsabrechnung | lohnabrechnung
        bulletin de (?:paie|salaire) | \bnomina\b | loonstrook | busta paga
    """,
    "statement": r"""
        (?:bank|account|card) statement | statement of account | kontoauszug
        releve de compte | extracto | rekeningafschrift | estratto conto | kontoutdrag
    """,
    "receipt": r"""
        \breceipt\b | payment (?:confirmation|received)
        quittung | kassenbon | zahlungsbestatigung | \bbon-? ?nr
        \brecu\b | ticket de caisse | \brecibo\b | \bkassabon\b | betaalbewijs
        \bricevuta\b | scontrino | \bkvitto\b | 領収
    """,
    "instalment": r"""
        payment plan | instal?ment plan | ratenplan | ratenzahlung
        echeancier | plan de pagos | piano (?:di )?rate | betalingsregeling
    """,
    "invoice": r"""
        \binvoices?\b | \bbill\b(?! to\b) | premium notice
        rechnung\b | jahresabrechnung | nebenkostenabrechnung | beitragsbescheid
        \bfacture\b | avis d.echeance | \bfactura\b | \bfactuur\b | \bfattura\b | \bbolletta\b | \bfaktura\b | 請求書
    """,
    "policy": r"""
        insurance policy | policy (?:schedule|document) | certificate of insurance | \bpolicy\b
        versicherungsschein | \bpoliza\b | \bpolizza\b
    """,
}
_COMPILED = {kind: re.compile(any_of(table)) for kind, table in _KINDS.items()}
_ABOUT_ANOTHER = ("reminder", "credit_note")
"""Kinds whose documents name the invoice they are about, often before themselves."""
# "Order no. 17" or "Quote no. 17" on an invoice says what it belongs to.
_REFERENCE = re.compile(
    r"\b(?:quote|quotation|order|offer|angebot|lieferschein|devis|delivery note|statement)[ -]?(?:no|nr|number|n°|#|:)"
)


def document_kind(lines: list[str]) -> str:
    """The kind (a key of `schemas.records.KINDS`); empty where nothing in the head says one.

    A short line that is a title goes before a sentence that only mentions a kind.
    """
    head = [fold(line)[:200] for line in lines if line.strip()][:_HEAD_LINES]
    in_titles = [kind for line in head if len(line) <= 60 and len(line.split()) <= 7 and (kind := _kind(line))]
    about_another = [kind for kind in in_titles if kind in _ABOUT_ANOTHER]
    return next(iter([*about_another, *in_titles]), "") or next(filter(None, map(_kind, head)), "")


def _kind(line: str) -> str:
    if _REFERENCE.search(line):
        return ""
    return next((kind for kind, pattern in _COMPILED.items() if pattern.search(line)), "")
