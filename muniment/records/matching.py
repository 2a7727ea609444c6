"""Whether a document is one that a question asks about: yes, no, or not clear."""

from datetime import date

from muniment.records.categories import within
from muniment.records.fold import words
from muniment.records.sameness import Read
from schemas.records import KINDS, PAYMENTS, DocumentOutcome, Outcome, Period, Record, TotalQuestion


def set_aside(read: Read, question: TotalQuestion, period: Period) -> DocumentOutcome | None:
    """What becomes of a document that can't be counted; None for those that are counted or are somebody's copy."""
    known = read.extraction
    if not known.kind:
        return _outcome(read, "other", known.reason)
    checks = (_other_payee(read, question), _other_category(read, question), _outside(read, question, period))
    wrong = [check for check in checks if check and check[0] == "other"]
    if not wrong and known.kind not in question.kinds:
        # Who asks for bills or payments expects to hear of the reminders and policies beside them.
        quiet = known.kind in PAYMENTS or "invoice" not in question.kinds
        wrong = [("other" if quiet else "not counted", f"{known.kind.replace('_', ' ')}: {KINDS[known.kind]}")]
    unclear = [check for check in checks if check]
    if wrong or unclear:
        return _outcome(read, *(wrong or unclear)[0])
    if not known.records and not (question.what != "sum" and known.date and period.holds(known.date)):
        return _outcome(read, "unread", known.reason)
    return None


def counted_records(read: Read, question: TotalQuestion, period: Period) -> tuple[Record, ...]:
    """The document's records that fall into the period."""
    return tuple(one for one in read.extraction.records if period.holds(counting_day(one, question)))


def counting_day(record: Record, question: TotalQuestion) -> date:
    """The day that decides whether a record is inside the period: of payment where that is asked and known."""
    return record.paid_on if question.paid and record.paid_on else record.date


def _outcome(read: Read, outcome: Outcome, reason: str) -> DocumentOutcome:
    candidates = read.extraction.candidates if outcome == "unread" else ()
    return DocumentOutcome(read.document, outcome, reason, (), candidates)


def _other_payee(read: Read, question: TotalQuestion) -> tuple[Outcome, str] | None:
    asked, named = set(question.payee), set(words(read.extraction.payee))
    if asked <= named:
        return _other_words(read, question)
    if not named and asked <= read.words:
        return "unread", f"it names {' '.join(question.payee)}, but not clearly as the one who is paid"
    return "other", f"another payee: {read.extraction.payee}" if named else "another payee"


def _other_words(read: Read, question: TotalQuestion) -> tuple[Outcome, str] | None:
    missing = [word for word in question.words if word not in read.words]
    return ("other", f"it doesn't mention {' '.join(missing)}") if missing else None


def _other_category(read: Read, question: TotalQuestion) -> tuple[Outcome, str] | None:
    possible = read.extraction.categories
    if not question.categories:
        return None
    fits = [name for name in possible if any(within(name, asked) for asked in question.categories)]
    if fits and len(fits) == len(possible):
        return None
    wider = any(within(asked, name) for asked in question.categories for name in possible)
    if fits or wider:
        return "unread", f"what it is for isn't clear: {', '.join(possible)}"
    return "other", f"another category: {', '.join(possible)}" if possible else "of no known category"


def _outside(read: Read, question: TotalQuestion, period: Period) -> tuple[Outcome, str] | None:
    known = read.extraction
    if known.records:
        days = [counting_day(one, question) for one in known.records]
        outside = not any(period.holds(day) for day in days)
        return ("other", f"outside the period: {', '.join(map(str, days))}") if outside else None
    # A bill whose amount can't be read may have been paid after its date, so only the later end excludes it.
    late = known.date and not Period(None, period.end, "").holds(known.date)
    early = known.date and not question.paid and not period.holds(known.date)
    return ("other", f"outside the period: {known.date}") if late or early else None
