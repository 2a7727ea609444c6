"""A mail becomes what a person reads of it."""

from base64 import b64encode
from datetime import date
from email.message import EmailMessage

import pytest

from schemas.extracted import Extracted, NoText
from schemas.stated import Stated
from tasks.extract.eml import MAX_PARTS, extract


def mail(text: str = "", html: str = "") -> EmailMessage:
    made = EmailMessage()
    made["Subject"] = "Ihre Prämie"
    made["From"] = '"Figment, Mutual" <post@figment.example>'
    made["To"] = "Household <home@home.example>"
    made["Date"] = "Mon, 3 Nov 2025 23:30:00 +0100"
    made["X-Tracking"] = "nobody reads this"
    if text:
        made.set_content(text)
    if html:
        (made.add_alternative if text else made.set_content)(html, subtype="html")
    return made


def read(raw: EmailMessage | bytes) -> Extracted:
    found = extract(raw if isinstance(raw, bytes) else bytes(raw))
    assert isinstance(found, Extracted)
    return found


def test_headers_and_text_are_lines() -> None:
    assert read(mail("Guten Tag,\n\n die Prämie ist fällig.\n")).text == (
        'Subject: Ihre Prämie\nFrom: "Figment, Mutual" <post@figment.example>\nTo: Household <home@home.example>\n'
        "Date: Mon, 03 Nov 2025 23:30:00 +0100\n\nGuten Tag,\n\n die Prämie ist fällig."
    )


def test_subject_date_and_sender_are_stated() -> None:
    assert read(mail("x")).stated == Stated("Ihre Prämie", date(2025, 11, 3), "Figment, Mutual")


@pytest.mark.parametrize(
    ("written", "sensitivity"),
    [
        ("Company-Confidential", "confidential"),
        ("private", "confidential"),
        ("Personal", "confidential"),
        ("Restricted", "restricted"),
        ("do not forward", "restricted"),
        ("Normal", ""),
        ("", ""),
    ],
)
def test_a_sender_may_ask_that_it_is_not_shown(written: str, sensitivity: str) -> None:
    made = mail("x")
    made["Sensitivity"] = written
    assert read(made).stated.sensitivity == sensitivity


def test_plain_text_is_preferred_to_html() -> None:
    text = read(mail("plain words", "<p>marked words</p>")).text
    assert "plain words" in text
    assert "marked" not in text


def test_html_alone_is_converted_and_inert() -> None:
    assert read(mail(html="<p>Guten <b>Tag</b></p><script>evil()</script>")).text.endswith("\n\nGuten **Tag**")


def test_attachments_are_named_and_not_read() -> None:
    made = mail("See the bill.")
    made.add_attachment(b"%PDF-1.4 secret", maintype="application", subtype="pdf", filename="bill.pdf")
    made.add_attachment("secret too", filename="notes.txt")
    text = read(made).text
    assert text.endswith("Attachments (not read):\n- bill.pdf (application/pdf)\n- notes.txt (text/plain)")
    assert "secret" not in text


def test_a_mail_inside_a_mail_is_an_attachment() -> None:
    made = mail("Outer.")
    made.add_attachment(mail("Inner."))
    assert "Inner" not in read(made).text
    assert "(message/rfc822)" in read(made).text


def test_an_unknown_charset_costs_no_mail() -> None:
    assert read(b"Subject: x\nContent-Type: text/plain; charset=klingon\n\nhello \xff").text == "Subject: x\n\nhello ÿ"


@pytest.mark.parametrize(
    ("declared", "encoding"),
    [
        ("iso-8859-1", "cp1252"),
        ("us-ascii", "utf-8"),
        ("us-ascii", "cp1252"),
        ("utf-8", "cp1252"),
        ("", "utf-8"),
        ("", "cp1252"),
        ("klingon", "utf-8"),
        ("unicode_escape", "utf-8"),
        ("utf-16", "utf-16"),
        ("gb2312", "gb18030"),
    ],
)
def test_a_text_is_read_in_the_encoding_that_it_is_in(declared: str, encoding: str) -> None:
    charset = f'; charset="{declared}"' if declared else ""
    head = f"Subject: x\nContent-Type: text/plain{charset}\nContent-Transfer-Encoding: base64\n\n"
    text = "Die Prämie: 12,50 € \\n" if encoding != "gb18030" else "发票 12,50 € \\n"
    assert read(head.encode() + b64encode(text.encode(encoding))).text == f"Subject: x\n\n{text}"


def test_a_few_lost_bytes_cost_no_other_letters() -> None:
    raw = "Die Prämie für Möbel".encode() + b"\xc3 fehlt"
    assert read(b"Subject: x\nContent-Type: text/plain; charset=utf-8\n\n" + raw).text.endswith("für Möbel� fehlt")


def test_a_page_in_a_mail_says_its_own_encoding() -> None:
    raw = b"<meta charset=iso-8859-2><p>" + "płatność".encode("iso-8859-2")
    assert read(b"Subject: x\nContent-Type: text/html\n\n" + raw).text.endswith("płatność")


def parts(kind: str, *inside: tuple[str, str]) -> bytes:
    made = "".join(f"--q\nContent-Type: {name}\n\n{text}\n" for name, text in inside)
    return f"Subject: x\nContent-Type: multipart/{kind}; boundary=q\n\n{made}--q--\n".encode()


BILL = "<p>Total due: EUR 12.00</p>"
INVITATION = "BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:Dentist\\, again\nEND:VEVENT\nEND:VCALENDAR"


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        (
            parts("mixed", ("text/html", BILL), ("text/plain", "a list's last lines")),
            "Total due: EUR 12.00\n\na list's last lines",
        ),
        (parts("alternative", ("text/plain", "short"), ("text/html", BILL)), "short"),
        (parts("alternative", ("text/plain", " "), ("text/html", BILL)), "Total due: EUR 12.00"),
        (
            parts("alternative", ("text/plain", "see HTML"), ("text/html", BILL * 3)),
            "\n\n".join(["Total due: EUR 12.00"] * 3),
        ),
        (parts("alternative", ("text/x-amp-html", f"<html amp>{BILL}"), ("text/html", BILL)), "Total due: EUR 12.00"),
        (parts("alternative", ("text/html", BILL), ("text/calendar", INVITATION)), "Total due: EUR 12.00"),
        (parts("mixed", ("text/calendar", INVITATION)), "Event: Dentist, again"),
        (b"Subject: x\nContent-Type: multipart/mixed\n\nno border at all\n", "no border at all"),
    ],
    ids=[
        "all of several",
        "plain",
        "plain is blank",
        "plain is a stub",
        "amp",
        "page and invitation",
        "invitation",
        "no border",
    ],
)
def test_what_a_person_would_see_is_read(raw: bytes, shown: str) -> None:
    assert read(raw).text == f"Subject: x\n\n{shown}"


def test_a_mail_without_anything_is_skipped() -> None:
    assert extract(b"X: y\n\n") == NoText("no documentation", "a mail without headers or text")


def test_parts_without_end_are_bounded() -> None:
    parts = b"".join(b"--q\n\npart %d\n" % number for number in range(3 * MAX_PARTS))
    text = read(b"Subject: x\nContent-Type: multipart/mixed; boundary=q\n\n" + parts + b"--q--\n").text
    assert text.count("part ") < MAX_PARTS


def test_deep_nesting_is_an_outcome() -> None:
    raw = b"x"
    for number in range(1_500):
        raw = b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n%s\n--b%d--\n" % (number, number, raw, number)
    assert isinstance(extract(raw[:200_000]), Extracted | NoText)
