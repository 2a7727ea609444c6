"""GET /: the page, and the scripts and the style that it loads."""

from __future__ import annotations

import hashlib

from fastapi import APIRouter, Request, Response

from muniment.http.assets import MEDIA_TYPES, POLICY, page, read
from muniment.http.conditional import has_already
from muniment.http.problem import not_found
from muniment.http.serving import Here

router = APIRouter(include_in_schema=False)


@router.get("/")
async def show_page(request: Request, here: Here) -> Response:
    """The page."""
    return _sent(request, page(here.settings.serve.prefect_ui), "text/html")


@router.get("/web/{name}")
async def send_file(name: str, request: Request) -> Response:
    """A file that the page loads."""
    if name not in MEDIA_TYPES:
        raise not_found("no such file")
    return _sent(request, read(name), MEDIA_TYPES[name])


def _sent(request: Request, content: bytes, media_type: str) -> Response:
    """The content, or 304 where the browser has it: it asks each time, so that an upgrade is seen at once."""
    tag = f'"{hashlib.sha256(content).hexdigest()[:32]}"'
    headers = {"etag": tag, "cache-control": "no-cache", "content-security-policy": POLICY}
    if has_already(request, tag):
        return Response(status_code=304, headers=headers)
    return Response(content, headers=headers, media_type=f"{media_type}; charset=utf-8")
