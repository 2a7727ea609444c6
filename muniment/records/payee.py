"""Who is paid: the company that a bill comes from."""

import re

from muniment.records.fold import any_of, fold
from muniment.records.kinds import document_kind

_LABEL = re.compile(
    r"^[\W_]*"
    + any_of("""
        from | seller | vendor | supplier | payee | payable to | pay to | issued by | issuer | merchant | biller
        provider | insurer
        zahlungsempfanger | empfanger | begunstigter | rechnungssteller | aussteller | verkaufer
        versicherer | lieferant
        beneficiaire | fournisseur | vendeur | emetteur | assureur
        beneficiario | proveedor | emisor | vendedor | begunstigde | leverancier | verkoper
        fornitore | venditore | emittente | betalningsmottagare | saljare
    """)
    + r"[ ]{0,3}:[ ]{0,20}(?=\S)"
)
_RECIPIENT = re.compile(
    r"^[\W_]*"
    + any_of(r"""
        bill(?:ed)? to | invoice to | sold to | ship to | customer | client | to | mr | mrs | ms
        kunde | kundin | rechnung an | rechnungsempfanger | an | herrn? | frau | familie
        destinataire | facture a | adresse a | madame | monsieur
        cliente | destinatario | facturado a | sra? | klant | factuur aan | aan | dhr | mevr
        spett(?:\.le|abile)? | intestatario | kund | till
    """)
    + r"\b[ .:]"
)
_COMPANY = re.compile(
    r"(?<!\w)"
    + any_of(r"""
        gmbh | ag | kg | kgaa | ug | ohg | e\.? ?v | mbh | eg | stadtwerke | verein
        ltd | limited | plc | llc | llp | inc | corp | co | company
        sas? | s\.a | sarl | s\.a\.r\.l | eurl | slu? | s\.l | srl | s\.r\.l | spa | s\.p\.a | sagl | coop
        bv | b\.v | nv | n\.v | ab | oy | kk | k\.k
    """)
    + r"(?!\w)"
)
_HEAD_LINES = 12
_SENTENCE = re.compile(r"^(?:dear|sehr geehrte|cher|chere|estimad|geachte|gentile|hello|hallo)|(?:\S+ ){12}")
_MAILBOX = re.compile(r"\s<[^<>\s]{1,254}>\s*$")
_RULE = re.compile(r"^[\W_]*$")


def find_payee(lines: list[str], masked: list[str]) -> tuple[str, int]:
    """The payee's name and its line, from 0; ("", -1) where the document doesn't clearly say.

    In this order: a labelled line (Payee: ...), the first line of the head with a company's legal form that isn't the
    recipient's, the first line of all where it is a name.
    """
    for number, line in enumerate(lines):
        if label := _LABEL.match(fold(line[:200])):
            return _name(line[label.end() :]), number
    head = [number for number, line in enumerate(lines) if not _RULE.match(line)][:_HEAD_LINES]
    head = [number for number in head if not _SENTENCE.match(fold(lines[number][:300]).strip())]
    to_others = _recipients(lines, head)
    for number in head:
        if number not in to_others and _is_name(masked[number]) and _COMPANY.search(fold(lines[number])):
            return _name(lines[number]), number
    first = head[0] if head else -1
    if head and first not in to_others and _is_name(masked[first]) and not document_kind([lines[first]]):
        return _name(lines[first]), first
    return "", -1


def _recipients(lines: list[str], head: list[int]) -> set[int]:
    """The lines that name whom the bill is sent to: a labelled line and, where it ends with its label, the next."""
    found = set()
    for number in head:
        folded = fold(lines[number][:200]).strip()
        if _RECIPIENT.match(folded + ":"):
            found |= {number, number + 1} if len(folded.split()) <= 2 or folded.endswith(":") else {number}
    return found


def _is_name(masked: str) -> bool:
    """Whether a line can be a name: short, with letters, no sentence, no value behind a colon."""
    name = _name(masked)
    return 2 <= len(name) <= 60 and len(name.split()) <= 7 and any(map(str.isalpha, name)) and ":" not in name


def _name(line: str) -> str:
    # Sender lines go on with the address: "Name · Street 1 · 12345 Town", or "Name <bills@town.example>".
    line = _MAILBOX.sub("", line).strip(' "')
    return re.split(r"\s{3,}|[|·•]|, | - | – | — ", line.strip(" #*_=|·\t"))[0].strip(" #*_=|,·")
