"""Words that say what an amount or a date on a bill is: a table of roles, the first row that matches wins.

All patterns run on folded text: lower case, no accents. One line per language, roughly.
"""

import re

from muniment.records.fold import any_of

Role = str

_TOTAL = any_of(r"""
    \b(?:grand )?total\b | \bcredited\b | \brefund(?:ed)?\b
    \bsumme\b | \b(?:end|rechnungs)summe\b | \bgesamt\w* | \b(?:rechnungs|end|gutschrifts)betrag\b | \bbrutto\w*
    \btotaux\b | \btotalbetrag\b | \btotaal(?:bedrag)?\b | \btotale\b | \ba abonar\b | \bsumma\b | 合計
""")
_AMOUNTS = any_of(r"""
    amount | premium | \bprice\b | \brent\b | \bfee\b | charge
    betrag | beitrag | preis | miete | gebuhr
    montant | \bprime\b | \bprix\b | loyer | importe | \bprima\b | precio | alquiler
    bedrag | premie | prijs | huur | importo | premio | prezzo | affitto | belopp
""")
_INCLUDED = r"(?:incl|inkl|included|compris|incluid|inclus|iva inc|mit mwst|compresa|einschl)"

AMOUNT_ROLES: tuple[tuple[Role, str], ...] = (
    (
        "ignored",
        r"""
        carried forward | \bsav(?:ed|ings?)\b | you save | discount | \bchange\b | tendered | \bcash\b | late fee
        reminder fee | exchange rate | (?:last|previous) (?:year|month|period) | \bnext\b | \bnew monthly\b | estimate
        credit limit | deductible | sum insured | coverage | early payment | skonto
        ubertrag | ersparnis | rabatt | ruckgeld | gegeben | \bbar\b | mahngebuhr | \bkurs\b | vorjahr | kunftig
        neuer abschlag | selbstbeteiligung | versicherungssumme
        a reporter | remise | \brendu\b | especes | franchise | descuento | \bcambio\b
        korting | wisselgeld | sconto | contant | \bresto\b
        """,
    ),
    (
        "previous",
        r"""
        (?:previous|last) (?:balance|bill|invoice)
         balance (?:brought )?forward | brought forward | opening balance | arrears
        outstanding from | account balance | all (?:open )?invoices
        (?:alter|vorheriger|bisheriger) saldo | saldovortrag | ruckstand
        solde (?:precedent|anterieur) | saldo (?:anterior|precedente) | vorig saldo | openstaand saldo
        """,
    ),
    (
        "current",
        r"""
        (?:new|current) charges | charges (?:for )?this | this invoice | this month's charges
        neue forderung | aktuelle rechnung | nouvelles? charges? | nuevos cargos | nieuwe kosten
        """,
    ),
    (
        "prepaid",
        r"""
        already paid | less payments? | deposit
        bereits (?:be)?gezahlt | bereits bezahlt | anzahlung | abzuglich
        deja (?:regle|paye) | acompte verse | ya pagado | anticipo
        reeds betaald | aanbetaling | gia pagato | acconto | redan betalt
        """,
    ),
    (
        "due",
        r"""
        \bdue\b | to pay\b | payable | please (?:pay|transfer|remit) | will be (?:debited|charged|collected)
        \bowe\b | we'll (?:take|collect|charge)
        zu zahlen | zahlbetrag | zahlen sie | uberweisen | restbetrag | offener betrag | fallig
        abgebucht | abbuch | buchen wir | einziehen | eingezogen
        a payer | reste du | solde du | \bdu\b | preleve | sera debite
        a pagar | pendiente | domicilia | te betalen | te voldoen | verschuldigd | afgeschreven
        da pagare | dovuto | addebit | att betala
        """,
    ),
    ("total", rf"{_TOTAL}.{{0,30}}\b{_INCLUDED} | \bttc\b"),
    ("amount", rf"{_AMOUNTS}.{{0,30}}\b{_INCLUDED}"),
    (
        "net",
        r"""
        sub-? ?total | \bnet\b | \bexcl | before tax | ex\.? vat | without | \btaxable
        zwischensumme | netto | \bexkl | zzgl | \bohne\b
        sous-? ?total | \bhors\b | \bht\b | h\.t\b | neto | \bbase\b | \bsin iva\b | subtotaal | imponibile
        """,
    ),
    (
        "tax",
        r"""
        \b(?:vat|tax(?:es)?|gst|hst)\b | \b(?:mwst|ust)\b | steuer\b
        \b(?:tva|iva|btw|moms)\b | \bi\.v\.a
        """,
    ),
    (
        "instalment",
        r"""
        instal?ment | \brate (?:nr\.? ?)?[0-9] | monatsrate | teilzahlung | abschlag
        mensualite | acompte | \bcuota (?:n\S{0,3} ?)?[0-9] | \bplazo [0-9] | termijn\b | \brata\b
        """,
    ),
    (
        "paid",
        r"""
        \bpaid\b | received | \bpayment of\b
        (?<!un)bezahlt | gezahlt | zahlung | erhalten
        \bpayee?\b | \breglee?\b | encaisse | \brecu\b | pagado | recibid
        betaald | voldaan | ontvangen | pagato | ricevut | betalt
        """,
    ),
    ("total", _TOTAL),
    ("amount", _AMOUNTS),
)

DATE_ROLES: tuple[tuple[Role, str], ...] = (
    (
        "title",
        r"""
        \b(?:invoice|bill|receipt)\b[\w /.-]{0,25} (?:of|dated|from)$
        \b(?:rechnung|gutschrift|quittung|mahnung)\b[\w /.-]{0,25} vom$
        \b(?:facture|avoir|recu)\b[\w /.°-]{0,25} du$
        \b(?:factura|recibo|fattura|ricevuta)\b[\w /.°-]{0,25} del?$
        \bfactuur\b[\w /.-]{0,25} van$
        """,
    ),
    (
        "paid",
        r"""
        \bpaid\b | payment (?:date|received) | date of payment | received on
        bezahlt am | gezahlt am | zahlungsdatum | zahlungseingang | erhalten am
        payee? le | reglee? le | date de paiement | pagado el | fecha de pago
        betaald op | betaaldatum | pagato il | data (?:di )?pagamento | betalt den | betalningsdatum
        """,
    ),
    (
        "other",
        r"""
        \bdue\b | \bby\b | \buntil\b | before | period | \bfrom\b | \bto\b | deliver | service
        order | birth | valid | expir | contract | start | \bend\b | meter | reading | print | next
        since | debit | transfer | cancel
        check-?(?:in|out) | arriv | depart | your letter | original
        fallig | \bbis\b | zahlbar | zeitraum | \bvon\b | \bvom\b | liefer
        leistung | bestell | auftrag | geburt | gultig
        vertrag | beginn | \bende\b | ablesung | zahlerstand | gedruckt | nachste | \bseit\b | abgebucht | abbuch
        einzug | kundig | anreise | abreise
        echeance | avant | \bdu\b | \bau\b | livraison | commande | naissance | releve | depuis | preleve | contrat
        vencimiento | vence | antes | \bdesde\b | \bhasta\b | entrega | pedido | nacimiento | lectura
        verval | uiterlijk | \bvoor\b | \bvan\b | \btot\b | lever
        scadenza | \bentro\b | \bdal\b | \bal\b | consegna | ordine | nascita | lettura | forfall
        """,
    ),
    (
        "document",
        r"""
        date | dated | issued | datum | ausgestellt | emis | \bfecha\b | emitid | \bdata\b | emess | \bgiorno\b
        発行日 | 日付 | ^[a-z][\w .-]{1,30},(?: (?:den|le|the|am|op|il|a))?$
        """,
    ),
)

_AMOUNT = tuple((role, re.compile(any_of(table))) for role, table in AMOUNT_ROLES)
_DATE = tuple((role, re.compile(any_of(table))) for role, table in DATE_ROLES)


def amount_role(labels: tuple[str, ...]) -> Role:
    """What the first telling label makes of an amount; empty where none tells."""
    return _role(_AMOUNT, labels)


def date_role(labels: tuple[str, ...]) -> Role:
    """`document`, `title` (invoice 17 of ...), `paid` or `other`; empty where no label tells."""
    return _role(_DATE, labels)


def _role(table: tuple[tuple[Role, re.Pattern[str]], ...], labels: tuple[str, ...]) -> Role:
    return next((role for label in labels for role, pattern in table if pattern.search(label)), "")
