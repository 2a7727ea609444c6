"""What a question asks for - an amount, a time, a price, a person - and whether a passage holds any such thing."""

import re
from dataclasses import dataclass

_COUNT = (
    "one two three four five six seven eight nine ten eleven twelve fifteen twenty thirty forty fifty sixty ninety"
    " hundred thousand million half dozen once twice no none every each"
).replace(" ", "|")
_SPAN = (
    "second minute hour day night week fortnight month year decade spring summer autumn winter evening morning noon"
    " midnight weekend weekday monday tuesday wednesday thursday friday saturday sunday january february march april"
    " june july august september october november december"
).replace(" ", "|")


@dataclass(frozen=True, slots=True)
class Expected:
    """One row: questions that match ask for something of which answers match."""

    name: str
    asked: str
    given: str
    examples: tuple[str, ...]


EXPECTED: tuple[Expected, ...] = (
    Expected(
        "price",
        r"\bhow much (?:does|do|did|is|are|was|were|will|would)\b.*\b(?:costs?|paid|pay|charge)\b|\bcosts?\b|\bprice\b",
        r"[$€£¥]\s?\d|\d\s?(?:[$€£¥]|(?:EUR|USD|GBP|CHF|euros?|dollars?|pounds?|cents?)\b)|\bfree of charge\b",
        ("how much does a new battery cost",),
    ),
    Expected(
        "time",
        r"^(?:since )?when\b|\bhow (?:long|often|old|soon|late|early)\b|\bwhat time\b|\bhow many (?:"
        + _SPAN
        + r")s?\b",
        rf"\b(?:{_SPAN})s?\b|\b(?:daily|weekly|monthly|hourly|nightly|yearly|annually|never|always|once|immediately)\b"
        r"|\d\s?(?:s|m|h|d|ms|sec|min)\b|\b\d\d:\d\d\b|\b(?:19|20)\d\d\b|\b(?:seconds|timeout|days|hours|age)\w*\s*[=:]"
        r"|\bat (?:once|ten|noon|\d)|\b(?:when|whenever|after|before|as soon as|until)\b",
        ("how long does a rebuild take", "when are containers updated", "how often is the battery replaced"),
    ),
    Expected(
        "number",
        r"\bhow (?:many|much|warm|hot|cold|big|large|fast|far|high|loud|deep|wide|small)\b|\bserial number\b"
        r"|\b(?:which|what) (?:\w+ )?(?:ports?|versions?|percentage|exit codes?|address)\b",
        rf"\d|\b(?:{_COUNT})\b",
        ("how many copies are kept", "which port does it listen on"),
    ),
    Expected(
        "person",
        r"^who\b",
        r"\b(?:I|we|you|he|she|people|person|users?|admins?|administrators?|operators?|maintainers?|owners?|authors?|"
        r"contributors?|famil(?:y|ies)|somebody|someone|anybody|nobody|clients?|children|team|members?)\b"
        r"|(?<=[a-z,] )[A-Z][a-z]+ [A-Z][a-z]+\b",
        ("who may restart it",),
    ),
)


def expected_of(question: str) -> Expected | None:
    """The first row that a question matches; None for the many that ask for no such thing."""
    lowered = " ".join(question.lower().split())
    return next((row for row in EXPECTED if re.search(row.asked, lowered)), None)


def holds(expected: Expected | None, text: str) -> bool:
    """Whether a text holds what is expected; any text does where nothing is."""
    return expected is None or re.search(expected.given, text) is not None
