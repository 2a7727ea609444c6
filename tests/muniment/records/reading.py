"""What the tests of this folder share: the invented bills, and an extraction written out for people.

`python -m tests.muniment.records.reading` writes the golden files anew.
"""

from datetime import date
from pathlib import Path

from muniment.records.extract import extract_records
from muniment.records.question import is_total_question
from muniment.records.totals import extract_all, total_extracted
from schemas.records import DocumentRef, Extraction, TotalAnswer

HERE = Path(__file__).parent
BILLS = sorted((HERE / "bills").iterdir())
TODAY = date(2025, 6, 15)
RECORDS = HERE / "records.golden.txt"
ANSWERS = HERE / "answers.golden.txt"
QUESTIONS = (
    "total utilities paid in November last year",
    "what did I pay for utilities last November?",
    "was habe ich im November letzten Jahres für Strom bezahlt?",
    "how many invoices from Nordwind in 2024",
    "how much did we spend on insurance between March and May 2024",
    "sum of all receipts in Q4 2024",
    "how much did I pay for the garden fence in November 2024?",
    "what have I paid Acme Cloud since 2024",
    "combien ai-je payé pour l'eau en 2024 ?",
)


def read(text: str, path: str = "bill.txt") -> Extraction:
    return extract_records(text, DocumentRef("bills", path))


def answer(question: str, documents: list[tuple[str, str, str]] | None = None, today: date = TODAY) -> TotalAnswer:
    asked = is_total_question(question)
    assert asked is not None
    return total_extracted(asked, extract_all(all_bills() if documents is None else documents), today)


def all_bills() -> list[tuple[str, str, str]]:
    return [("bills", bill.name, bill.read_text()) for bill in BILLS]


def write_out(known: Extraction) -> str:
    """One document: what is known of it, then its records with their lines, or why there are none."""
    about = ", ".join(filter(None, [known.payee, "/".join(known.categories), " ".join(known.numbers)]))
    lines = [f"{known.document.path}: {known.kind or 'no kind'}; {about}"]
    for record in known.records:
        paid = f", paid {record.paid_on}" if record.paid_on else ""
        lines.append(f"  {record.kind} {record.amount_minor} {record.currency} of {record.date}{paid}")
        lines += [f"    {one.field} {one.line}: {one.text}" for one in record.evidence]
    if known.reason:
        lines.append(f"  none: {known.reason} {list(known.candidates) or ''}".rstrip())
    return "\n".join(lines)


def records_written_out() -> str:
    return "\n\n".join(write_out(read(bill.read_text(), bill.name)) for bill in BILLS) + "\n"


def answers_written_out() -> str:
    return "\n\n".join(f"? {question}\n{answer(question).text}" for question in QUESTIONS) + "\n"


if __name__ == "__main__":
    RECORDS.write_text(records_written_out())
    ANSWERS.write_text(answers_written_out())
