"""/reports: the pages that nights and quality checks leave in the home, as they lie there, for a browser."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import PurePosixPath

from fastapi import APIRouter, Request, Response

from muniment.errors import SourceUnreadable
from muniment.home import REPORTS
from muniment.http.problem import ProblemError, not_found
from muniment.http.replies import Report, Reports
from muniment.http.serving import Here, Serving
from muniment.http.tickets import COOKIE, FOLDER, LASTS_S
from muniment.report.write import PAGES
from tasks.enumerate.beneath import Beneath
from tasks.enumerate.names import is_unsafe
from tasks.enumerate.outcomes import Unread

router = APIRouter(tags=["reports"])

POLICY = "; ".join(
    (
        "default-src 'none'",
        "style-src 'unsafe-inline'",
        "img-src 'self' data:",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        # No script, form or window, whatever a page holds; of our origin, so that its links carry their ticket.
        "sandbox allow-same-origin",
    )
)
MEDIA_TYPES = {".html": "text/html", ".md": "text/plain"}
"""Of what is served; nightly.json is the operator's, and names documents that are withheld."""
MAX_BYTES = 64_000_000
_TITLES = {"drift": (PAGES["page"], "the last night"), "quality": (PAGES["quality"], "Data Docs")}


@router.get("/api/reports", summary="Which reports there are")
async def list_reports(request: Request, response: Response, here: Here) -> Reports:
    """The first pages of the reports that were written; each is at `href`.

    To whoever sends a token it also sets a cookie, good for a quarter of an hour and for looking at `/reports/` alone.
    """
    if token := request.scope.get("token"):
        ticket = here.tickets.make(token, datetime.now(UTC).timestamp())
        response.set_cookie(
            COOKIE,
            ticket,
            max_age=LASTS_S,
            path=FOLDER,
            secure=request.url.scheme == "https",
            httponly=True,
            samesite="strict",
        )
    return await here.work(_list, here)


@router.get(FOLDER + "/{place:path}", include_in_schema=False)
async def show_report(place: str, here: Here) -> Response:
    """One page."""
    content = await here.work(_read, here, place)
    headers = {"content-security-policy": POLICY, "cache-control": "private, no-cache"}
    return Response(content, headers=headers, media_type=f"{_media_type(place)}; charset=utf-8")


def _list(here: Serving) -> Reports:
    found = []
    for name, (place, title) in _TITLES.items():
        try:
            with Beneath(str(here.home / REPORTS)) as beneath:
                written = datetime.fromtimestamp(beneath.look(place.encode()).st_mtime, UTC)
        except (Unread, SourceUnreadable):
            continue
        found.append(Report(name, title, f"{FOLDER[1:]}/{place}", written.isoformat(timespec="seconds")))
    return Reports(tuple(found))


def _read(here: Serving, place: str) -> bytes:
    name = place.encode()
    if not _media_type(place) or is_unsafe(name) or any(part.startswith(".") for part in place.split("/")):
        raise _not_there()
    try:
        with Beneath(str(here.home / REPORTS)) as beneath:
            return beneath.read(name, MAX_BYTES)[0]
    except (Unread, SourceUnreadable):
        raise _not_there() from None


def _media_type(place: str) -> str:
    return MEDIA_TYPES.get(PurePosixPath(place).suffix, "")


def _not_there() -> ProblemError:
    return not_found("no such report", "GET /api/reports lists them; 'muniment nightly' writes them")
