"""GET /api/access: what whoever asks may do here."""

from __future__ import annotations

from fastapi import APIRouter, Request

from muniment.http.replies import Access

router = APIRouter(tags=["health"])


@router.get("/api/access", summary="What you may do")
async def show_access(request: Request) -> Access:
    """The scope of the token that was sent; on this machine, without any token made, everybody may write."""
    token = request.scope.get("token")
    return Access(request.scope["access"], token.expires_at or None if token else None)
