"""Errors as `application/problem+json` (RFC 9457): what is wrong, what to do, and nothing of our insides."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException

from muniment.errors import MunimentError
from muniment.inert import inert_json

MEDIA_TYPE = "application/problem+json"
BUG = "BugInMuniment"


@dataclass(frozen=True, slots=True)
class Problem:
    """The body of every answer that is not what was asked for."""

    status: int
    error: str
    """What kind of failure: a name that stays the same from version to version, such as NoIndex."""
    detail: str
    """One line of what is wrong."""
    hint: str = ""
    """One line of what to do."""
    transient: bool = False
    """Whether the same request may succeed later."""
    errors: tuple[Mapping[str, str], ...] = ()
    """Where a request is wrong in several places: `where` and `said` of each."""
    headers: Mapping[str, str] = field(default_factory=dict)

    def response(self, request_id: str) -> Response:
        """The problem as it is sent."""
        about: dict[str, Any] = {
            "type": "about:blank",
            "title": HTTPStatus(self.status).phrase,
            "status": self.status,
            "error": self.error,
            "detail": self.detail,
            "hint": self.hint,
            "transient": self.transient,
            "request_id": request_id,
        }
        if self.errors:
            about["errors"] = list(self.errors)
        return Response(inert_json(json.dumps(about)), self.status, dict(self.headers), MEDIA_TYPE)


_NO_JSON = Problem(
    415,
    "UnsupportedMediaType",
    "the body is not JSON, by its Content-Type",
    "send it with 'Content-Type: application/json'",
)


def problem_of(error: MunimentError) -> Problem:
    """What a failure that has a name looks like from outside."""
    headers = {"retry-after": "5"} if error.transient else {}
    return Problem(error.http_status, type(error).__name__, error.message, error.hint, error.transient, headers=headers)


class ProblemError(Exception):
    """Raised where an answer is a problem of HTTP's own."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.detail)
        self.problem = problem


def under_way(hint: str) -> ProblemError:
    """The error while another run holds the index, here or in another process: it ends by itself."""
    headers = {"retry-after": "5"}
    return ProblemError(
        Problem(409, "Refused", "another run is writing the index", hint, transient=True, headers=headers)
    )


def not_found(what: str, hint: str = "") -> ProblemError:
    """The error for something that is not there."""
    return ProblemError(Problem(404, "NotFound", what, hint))


def add_handlers(app: FastAPI) -> None:
    """Makes a problem of every error that has a name; `telemetry.py` sees to those that have none."""
    app.add_exception_handler(MunimentError, _named)
    app.add_exception_handler(ProblemError, _raised)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _of_http)


def request_id_of(request: Request) -> str:
    """The id that telemetry gave the request."""
    found: str = request.scope.get("request_id", "")
    return found


async def _named(request: Request, error: Exception) -> Response:
    assert isinstance(error, MunimentError)
    return problem_of(error).response(request_id_of(request))


async def _raised(request: Request, error: Exception) -> Response:
    assert isinstance(error, ProblemError)
    return error.problem.response(request_id_of(request))


async def _invalid(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    whole = any(one["loc"] == ("body",) and one["type"] != "missing" for one in error.errors())
    problem = _NO_JSON if whole and not _is_json(request) else invalid([_said(one) for one in error.errors()])
    return problem.response(request_id_of(request))


def invalid(errors: Sequence[Mapping[str, str]]) -> Problem:
    """The problem with a request that is wrong in these places: `where` and `said` of each."""
    detail = f"{errors[0]['where']}: {errors[0]['said']}" if errors else "the request is not what it should be"
    return Problem(422, "InvalidRequest", detail, "see /openapi.json", errors=tuple(errors))


def _is_json(request: Request) -> bool:
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    return kind.startswith("application/") and kind.endswith(("/json", "+json"))


def _said(one: Mapping[str, Any]) -> Mapping[str, str]:
    """Where and what, without what was sent."""
    where: Sequence[object] = one["loc"]
    text = str(one["msg"]).removeprefix("Value error, ")
    sentence = text[1:2].islower()  # and no abbreviation
    return {"where": ".".join(map(str, where)), "said": text[:1].lower() + text[1:] if sentence else text}


async def _of_http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    phrase = HTTPStatus(error.status_code).phrase
    # The framework's details may quote the body; 404 and 405 need none, and 400 is what it calls a body that is none.
    detail = "the body can't be read: it is no JSON in UTF-8" if error.status_code == 400 else phrase.lower()
    problem = Problem(
        error.status_code, phrase.replace(" ", ""), detail, "see /openapi.json", headers=error.headers or {}
    )
    return problem.response(request_id_of(request))
