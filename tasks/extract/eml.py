"""A mail: its subject, people and date, then its text; attachments are named and not read."""

from __future__ import annotations

from collections.abc import Iterator
from email import policy
from email.errors import MessageError
from email.message import EmailMessage
from email.parser import BytesParser
from email.utils import parsedate_to_datetime

from schemas.extracted import Extracted, NoText
from schemas.stated import Stated
from tasks.extract import MAX_TEXT, tidy
from tasks.extract.html import as_markdown

_SHOWN = ("Subject", "From", "To", "Cc", "Date")
MAX_HEADER = 500
MAX_PARTS = 200


def extract(raw: bytes) -> Extracted | NoText:
    """The mail as lines: the headers a person reads, a blank one, the text, and the names of what is attached.

    Plain text is taken where there is some, else what the HTML shows.
    """
    try:
        mail = BytesParser(policy=policy.default).parsebytes(raw)
        parts = list(_parts(mail))
        body = _body(parts)
    except RecursionError:
        return NoText("unreadable", "parts are nested too deep")
    except (MessageError, ValueError, LookupError, AttributeError, TypeError, IndexError) as error:
        # What the standard library raises for mails that no program should have written.
        return NoText("unreadable", f"a broken mail: {type(error).__name__}")
    if len(body) > MAX_TEXT:
        return NoText("too large", f"{len(body):,} characters")
    headers = {name: said for name in _SHOWN if (said := _header(mail, name))}
    if not headers and not body.strip():
        return NoText("no documentation", "a mail without headers or text")
    head = "\n".join(f"{name}: {said}" for name, said in headers.items())
    attached = _attached(parts)
    text = "\n\n".join(filter(None, (head, tidy(body).strip("\n"), attached)))
    return Extracted(text, "eml", _stated(headers))


def _parts(mail: EmailMessage) -> Iterator[EmailMessage]:
    """The parts that hold something, but for those of mails inside this one."""
    waiting = [mail]
    for _ in range(MAX_PARTS):
        if not waiting:
            return
        part = waiting.pop()
        payload = part.get_payload()
        if part.get_content_maintype() == "multipart" and isinstance(payload, list):
            waiting += [one for one in reversed(payload) if isinstance(one, EmailMessage)]
        else:
            yield part


def _body(parts: list[EmailMessage]) -> str:
    for kind in ("text/plain", "text/html"):
        texts = [_text(part) for part in parts if part.get_content_type() == kind and not _is_attachment(part)]
        if any(map(str.strip, texts)):
            whole = "\n\n".join(texts)
            return as_markdown(whole)[0] if kind == "text/html" else whole
    return ""


def _text(part: EmailMessage) -> str:
    try:
        return str(part.get_content())
    except (LookupError, ValueError):  # a charset that nobody knows
        raw = part.get_payload(decode=True)
        return raw.decode("utf-8", "replace") if isinstance(raw, bytes) else ""


def _attached(parts: list[EmailMessage]) -> str:
    named = [
        f"- {_one_line(part.get_filename() or 'unnamed')} ({part.get_content_type()})"
        for part in parts
        if _is_attachment(part)
    ]
    return "\n".join(["Attachments (not read):", *named]) if named else ""


def _is_attachment(part: EmailMessage) -> bool:
    return part.is_attachment() or bool(part.get_filename()) or part.get_content_maintype() != "text"


def _header(mail: EmailMessage, name: str) -> str:
    try:
        return _one_line(str(mail.get(name, "")))
    except (MessageError, ValueError, LookupError, AttributeError, TypeError, IndexError):
        return ""


def _one_line(text: str) -> str:
    return " ".join(text.encode("utf-8", "replace").decode().split())[:MAX_HEADER]


def _stated(headers: dict[str, str]) -> Stated:
    try:
        day = parsedate_to_datetime(headers.get("Date", "")).date()
    except (ValueError, TypeError, IndexError, OverflowError):
        day = None
    name, _, address = headers.get("From", "").partition("<")
    sender = name.strip().strip('"') or address.rstrip(">")
    return Stated(title=headers.get("Subject", ""), doc_date=day, correspondent=sender)
