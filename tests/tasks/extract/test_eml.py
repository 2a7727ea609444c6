"""A mail becomes what a person reads of it."""

from datetime import date
from email.message import EmailMessage

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
    assert read(b"Subject: x\nContent-Type: text/plain; charset=klingon\n\nhello \xff").text == "Subject: x\n\nhello �"


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
