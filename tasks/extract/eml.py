"""A mail: its subject, people and date, then its text; attachments are named and not read."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from email import policy
from email.errors import MessageError
from email.message import EmailMessage
from email.parser import BytesParser
from email.utils import parsedate_to_datetime

from schemas.extracted import Extracted, NoText
from schemas.stated import Stated
from tasks.decode import decode_as
from tasks.extract import MAX_TEXT, tidy
from tasks.extract.calendar import as_lines
from tasks.extract.html import as_markdown, charset_in
from tasks.stated import stated_by

_SHOWN = ("Subject", "From", "To", "Cc", "Date")
_PRIVATE = ("personal", "private", "company-confidential")
"""What a sender may write under Sensitivity (RFC 4021) to ask that a mail is not shown around."""
MAX_HEADER = 500
_STUB = 5
"""So many times as long as the plain text is what the HTML shows where the first only says that there is a second."""
MAX_PARTS = 200


def extract(raw: bytes) -> Extracted | NoText:
    """The mail as lines: the headers a person reads, a blank one, the text, and the names of what is attached.

    Of the same in several forms plain text is taken, else what the HTML shows, else what a calendar part says.
    """
    try:
        mail = BytesParser(policy=policy.default).parsebytes(raw)
        parts = list(_parts(mail))
        body = _body(mail, {id(part) for part in parts})
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
    return Extracted(text, "eml", _stated(headers, _header(mail, "Sensitivity")))


def _parts(mail: EmailMessage) -> Iterator[EmailMessage]:
    """The parts that hold something, but for those of mails inside this one."""
    waiting = [mail]
    for _ in range(MAX_PARTS):
        if not waiting:
            return
        part = waiting.pop()
        yield part
        waiting += reversed(_inside(part))


def _inside(part: EmailMessage) -> list[EmailMessage]:
    """The parts of a part; none of a single one, nor of one that only says it has several."""
    payload = part.get_payload()
    several = part.get_content_maintype() == "multipart" and isinstance(payload, list)
    return [one for one in payload if isinstance(one, EmailMessage)] if several and isinstance(payload, list) else []


def _body(mail: EmailMessage, kept: Collection[int]) -> str:
    """What a part shows: one of alternatives, and of all else one after the other."""
    inside = [one for one in _inside(mail) if id(one) in kept]
    if not inside:
        return "" if _is_attachment(mail) else _text(mail)
    texts = {one: text for one in inside if (text := _body(one, kept)).strip()}
    if mail.get_content_subtype() == "alternative" and texts:
        return _chosen({text: one.get_content_type() for one, text in texts.items()})
    return "\n\n".join(texts.values())


def _chosen(kinds: Mapping[str, str]) -> str:
    """Of the same in several forms, text -> kind, the plainest; not if it only says that there is another."""
    order = {"text/plain": 0, "text/html": 1, "multipart/related": 1, "multipart/mixed": 1}
    first, *others = sorted(kinds, key=lambda text: order.get(kinds[text], 2))
    stub = others and order.get(kinds[others[0]]) == 1 and len(others[0]) > _STUB * len(first)
    return others[0] if stub else first


def _text(part: EmailMessage) -> str:
    """The text of a part, as a person sees it; empty for what is no text that is known."""
    raw = part.get_payload(decode=True)
    content = raw if isinstance(raw, bytes) else b""
    kind = part.get_content_type()
    if kind == "text/html":
        declared = part.get_content_charset() or charset_in(content)
        return as_markdown(decode_as(content, declared).text)[0]
    text = decode_as(content, part.get_content_charset() or "").text
    return as_lines(text) if kind == "text/calendar" else text


def _attached(parts: list[EmailMessage]) -> str:
    named = [
        f"- {_one_line(part.get_filename() or 'unnamed')} ({part.get_content_type()})"
        for part in parts
        if _is_attachment(part) and not _inside(part)
    ]
    return "\n".join(["Attachments (not read):", *named]) if named else ""


def _is_attachment(part: EmailMessage) -> bool:
    kind = part.get_content_maintype()
    if kind == "multipart":  # one without any parts: what it holds is what was written
        return part.is_attachment()
    return part.is_attachment() or bool(part.get_filename()) or kind != "text"


def _header(mail: EmailMessage, name: str) -> str:
    try:
        return _one_line(str(mail.get(name, "")))
    except (MessageError, ValueError, LookupError, AttributeError, TypeError, IndexError):
        return ""


def _one_line(text: str) -> str:
    return " ".join(text.encode("utf-8", "replace").decode().split())[:MAX_HEADER]


def _stated(headers: dict[str, str], sensitivity: str) -> Stated:
    try:
        day = parsedate_to_datetime(headers.get("Date", "")).date()
    except (ValueError, TypeError, IndexError, OverflowError):
        day = None
    name, _, address = headers.get("From", "").partition("<")
    sender = name.strip().strip('"') or address.rstrip(">")
    asked = "confidential" if sensitivity.lower() in _PRIVATE else sensitivity
    own = stated_by({"sensitivity": "" if asked.lower() == "normal" else asked})
    return replace(own, title=headers.get("Subject", ""), doc_date=day, correspondent=sender)
