"""A calendar part becomes lines that a person reads."""

from tasks.extract.calendar import MAX_LINES, as_lines

INVITATION = """BEGIN:VCALENDAR\r
PRODID:-//nobody//EN\r
BEGIN:VTIMEZONE\r
DTSTART:19700101T000000\r
END:VTIMEZONE\r
BEGIN:VEVENT\r
UID:1\r
SUMMARY;LANGUAGE=en:Dentist\\, second\r
  floor\r
DTSTART;TZID="Europe/Berlin":20260302T093000\r
DTEND:20260302T100000Z\r
LOCATION:High Street 1\\nBack door\r
DESCRIPTION:\r
END:VEVENT\r
BEGIN:VTODO\r
SUMMARY:Pay\r
DUE;VALUE=DATE:20260301\r
END:VTODO\r
END:VCALENDAR\r
"""


def test_events_and_tasks_are_lines() -> None:
    assert as_lines(INVITATION) == (
        "Event: Dentist, second floor\nStart: 2026-03-02 09:30 Europe/Berlin\nEnd: 2026-03-02 10:00 UTC\n"
        "Place: High Street 1 Back door\n\nEvent: Pay\nDue: 2026-03-01"
    )


def test_what_is_no_calendar_has_no_lines() -> None:
    for text in ("", "SUMMARY:x", "BEGIN:VEVENT\nnothing of the kind\nSUMMARY\n", "BEGIN:VEVENT"):
        assert as_lines(text) == ""


def test_a_calendar_without_end_is_bounded() -> None:
    assert as_lines("BEGIN:VEVENT\n" + "SUMMARY:x\n" * 3 * MAX_LINES).count("x") < MAX_LINES
