"""The description of the API: what FastAPI finds out by itself, and what the guards add to it."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from muniment.http.access import OPEN, needed_scope
from muniment.http.problem import MEDIA_TYPE
from muniment.http.rate import LIMITED

DESCRIPTION = "Searches an index over a repository's own documentation, and answers with the lines it stands on."
_PROBLEM: dict[str, Any] = {
    "title": "Problem",
    "type": "object",
    "description": "What is wrong (RFC 9457), and what to do about it.",
    "required": ["type", "title", "status", "error", "detail", "hint", "transient", "request_id"],
    "properties": {
        "type": {"type": "string"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "error": {"type": "string", "description": "the kind of failure, the same from version to version"},
        "detail": {"type": "string"},
        "hint": {"type": "string"},
        "transient": {"type": "boolean", "description": "the same request may succeed later"},
        "request_id": {"type": "string"},
        "errors": {
            "type": "array",
            "items": {"type": "object", "properties": {"where": {"type": "string"}, "said": {"type": "string"}}},
        },
    },
    "example": {
        "type": "about:blank",
        "title": "Bad Request",
        "status": 400,
        "error": "UsageError",
        "detail": "no source 'opss' in this index",
        "hint": "did you mean 'ops'?",
        "transient": False,
        "request_id": "5f0c9a1b2c3d4e5f",
    },
}


def describe(app: FastAPI) -> None:
    """Makes the app describe also its tokens and its problems."""

    def openapi() -> dict[str, Any]:
        if not app.openapi_schema:
            made = get_openapi(title=app.title, version=app.version, description=app.description, routes=app.routes)
            app.openapi_schema = _completed(made)
        return app.openapi_schema

    app.openapi = openapi  # type: ignore[method-assign]  # the documented way to extend it


def _completed(made: dict[str, Any]) -> dict[str, Any]:
    parts = made.setdefault("components", {})
    parts["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
    parts["schemas"]["Problem"] = _PROBLEM
    for name in ("HTTPValidationError", "ValidationError"):
        parts["schemas"].pop(name, None)
    for path, operations in made["paths"].items():
        for method, operation in operations.items():
            _complete(path, method.upper(), operation)
    return made


def _complete(path: str, method: str, operation: dict[str, Any]) -> None:
    answers = operation["responses"]
    answers.pop("422", None)
    answers["default"] = {
        "description": "A problem",
        "content": {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}},
    }
    if path in LIMITED:
        answers["429"] = answers["default"] | {"description": "Asked too often; see Retry-After"}
    if path not in OPEN:
        operation["security"] = [{"token": []}]
        operation["description"] = f"{operation.get('description', '')}\n\nScope: {needed_scope(method, path)}.".strip()
