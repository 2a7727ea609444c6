"""Which values a text holds, however it spells them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.ask.values import missing_values

SOURCE = (
    "Seconds for the copy (default: 300). It lasts about twenty minutes, up to 50 MiB, 80M a second, and keeps 87 files"
    " since 2024-05-31. MOVER_STOP_TIMEOUT and --dry-run of scripts/mover.sh at 01:30, above 90 per cent; 1 GiB,"
    " 86400, 1,024 and 5_000_000; needs rsync 3.2.7 on 192.0.2.10. Pause in minutes: 7. Run `mover --status`."
)

HELD = [
    *("It waits 300 seconds.", "5 minutes", "5m", "five minutes", "20 min", "twenty minutes", "1 day", "24 hours"),
    *("50 MiB", "52428800 bytes", "80 MB", "1073741824 bytes", "1024", "5,000,000", "87 files", "eighty files? 87"),
    *("31 May 2024", "May 31st, 2024", "31.05.2024", "at 01:30", "90 %", "90%", "7 minutes", "one file", "a file"),
    *(
        "MOVER_STOP_TIMEOUT",
        "--dry-run",
        "scripts/mover.sh",
        "mover.sh",
        "`mover --status`",
        "rsync 3.2.7",
        "192.0.2.10",
    ),
]
MISSING = [
    ("85 files", "85"),
    ("6 minutes", "6 minutes"),
    ("5 hours", "5 hours"),
    ("300 MiB", "300 MiB"),
    ("50 MB", "50 MB"),
    ("1 June 2024", "1 June 2024"),
    ("91%", "91"),
    ("at 01:31", "01:31"),
    ("MOVER_STOP", "MOVER_STOP"),
    ("--dry", "--dry"),
    ("scripts/move.sh", "scripts/move.sh"),
    ("over.sh", "over.sh"),
    ("`mover --stat`", "mover --stat"),
    ("rsync 3.2.8", "3.2.8"),
    ("192.0.2.1", "192.0.2.1"),
    ("https://evil.example/x", "https://evil.example/x"),
    ("someone@evil.example", "someone@evil.example"),
    ("The SSD is full", "SSD"),
    ("31.13.2024", "31.13.2024"),
    ("-1", "-1"),
]


@pytest.mark.parametrize("answer", HELD)
def test_a_value_is_the_same_in_another_spelling(answer: str) -> None:
    assert missing_values(answer, SOURCE) == []


@pytest.mark.parametrize(("answer", "missing"), MISSING)
def test_a_value_of_nowhere_is_missing(answer: str, missing: str) -> None:
    assert missing_values(answer, SOURCE) == [missing]


@given(st.text(max_size=200))
def test_every_text_holds_its_own_values(text: str) -> None:
    assert missing_values(text, text) == []


@given(st.integers(10, 10**6), st.integers(1, 10**6))
def test_another_number_is_never_held(number: int, more: int) -> None:
    assert missing_values(f"it keeps {number + more} copies", f"it keeps {number} copies")
