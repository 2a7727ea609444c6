"""What holds for every route there is: made from the app's own list, so that a new route is in it."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Iterator
from dataclasses import fields
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from pydantic import TypeAdapter

from muniment.bounds import Kind
from muniment.http.access import OPEN, needed_scope
from muniment.http.replies import Document
from muniment.tokens import create_token
from schemas.chunks import KINDS
from schemas.columns import CHUNKS, DOCUMENTS
from schemas.generations import Generation, SourceState
from schemas.shown import Chunk, IndexStatus, SourceStatus
from tests.muniment.http.doors import BASE, Door, opened

BODIES: dict[str, Any] = {
    "/api/ask": {"question": "what does the heron do"},
    "/api/feedback": {"assembly": "20260131-5f0c9a1b2c3d", "used": ["0" * 32]},
}
GETS = (
    "/api/search",
    "/api/documents",
    "/api/documents/{doc_id}",
    "/api/chunks/{chunk_id}",
    "/api/index/status",
    "/api/index/runs/{run}",
    "/api/effectiveness",
    "/api/drift",
    "/api/reports",
    "/api/access",
    "/api/vault-index/documents",
    "/api/vault-index/type-effectiveness",
    "/healthz",
    "/readyz",
    "/metrics",
)
POSTS = (
    "/api/ask",
    "/api/index/scan",
    "/api/effectiveness/eval",
    "/api/feedback",
    "/api/vault-index/scan",
    "/api/vault-index/type-effectiveness/eval",
)
ROUTES = [*(("GET", path) for path in GETS), *(("POST", path) for path in POSTS)]


def operations(door: Door) -> set[tuple[str, str]]:
    paths = door.app.openapi()["paths"]
    return {(method.upper(), path) for path, methods in paths.items() for method in methods}


@pytest.fixture(scope="module")
def home(_birds: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One home for all of these: making an app takes longer than any request."""
    return Path(shutil.copytree(_birds / "home", tmp_path_factory.mktemp("conformance") / "home"))


@pytest.fixture(scope="module")
def door(home: Path) -> Iterator[Door]:
    """One door for all that need no token."""
    with opened(home) as made:
        yield made


@pytest.fixture(scope="module")
def known(door: Door) -> dict[str, str]:
    """Ids that are there."""
    (hit, *_) = door.get("/api/search", params={"q": "heron"}).json()["hits"]
    chunk = door.get(f"/api/chunks/{hit['chunk_id']}").json()
    run = door.get("/api/index/status").json()["run"]
    return {"chunk_id": chunk["chunk_id"], "doc_id": chunk["doc_id"], "run": run}


def send(door: Door, method: str, path: str, known: dict[str, str], **more: Any) -> Any:
    """A right request of a route."""
    query = {"q": "heron"} if path == "/api/search" else {}
    json = BODIES.get(path) if method == "POST" else None
    return door.request(method, path.format(**known), params=query, json=json, **more)


def contents(folder: Path) -> dict[str, str]:
    """Every file with its hash."""
    found = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() for path in found}


def test_every_route_is_known_here(door: Door) -> None:
    assert operations(door) == set(ROUTES)


@pytest.mark.parametrize("path", GETS)
def test_a_get_answers_and_changes_nothing(door: Door, home: Path, known: dict[str, str], path: str) -> None:
    kept = {name: contents(home / name) for name in ("index", "runs")}
    answer = send(door, "GET", path, known)
    assert answer.status_code == 200
    assert {name: contents(home / name) for name in ("index", "runs")} == kept


@pytest.mark.parametrize("path", GETS)
def test_what_json_says_is_what_is_described(door: Door, known: dict[str, str], path: str) -> None:
    answer = send(door, "GET", path, known)
    described = door.app.openapi()["paths"][path]["get"]["responses"]["200"]["content"]
    assert answer.headers["content-type"].partition(";")[0] in described


WRONG = [
    *((path, {"nonsense": "1"}) for path in ("/api/search", "/api/documents", "/api/effectiveness")),
    *(
        (path, {})
        for path in ("/api/documents/x", "/api/chunks/x", "/api/index/runs/x", "/api/search", "/nope", "/mcp")
    ),
    *((path, {}) for path in ("/api/documents/..%2f..%2fetc%2fpasswd", "/api/index/runs/..%2fx", "/api/%00")),
    # Absolute: httpx takes a bare `//api` for a host.
    (f"{BASE}//api", {}),
    ("/api/index/runs/20260101T000000Z-00000z", {}),
    ("/api/documents", {"cursor": "x"}),
    ("/api/documents", {"limit": "0"}),
    ("/api/search", {"q": "heron", "limit": "101"}),
    ("/api/search", {"q": "heron", "as_of": "99"}),
]


@pytest.mark.parametrize(("path", "params"), WRONG)
def test_every_error_is_a_problem(door: Door, path: str, params: dict[str, str]) -> None:
    answer = door.get(path, params=params)
    problem = answer.json()
    assert 400 <= answer.status_code < 500
    assert answer.headers["content-type"] == "application/problem+json"
    assert (problem["status"], problem["request_id"]) == (answer.status_code, answer.headers["x-request-id"])
    assert problem["detail"]
    assert set(problem) - {"errors"} == set(door.app.openapi()["components"]["schemas"]["Problem"]["required"])


@pytest.mark.parametrize(("method", "path"), ROUTES)
def test_a_wrong_method_is_a_problem(door: Door, method: str, path: str) -> None:
    answer = door.request("DELETE", path)
    assert (answer.status_code, answer.json()["error"]) == (405, "MethodNotAllowed")
    assert method in answer.headers["allow"]


@pytest.mark.parametrize("path", POSTS)
def test_a_broken_body_is_a_problem(door: Door, path: str) -> None:
    for content in (b"{", b"\xff", b"[1]", b'{"surplus": 1}', b'"x"'):
        answer = door.request("POST", path, content=content, headers={"content-type": "application/json"})
        assert answer.status_code in (400, 422)
        assert answer.headers["content-type"] == "application/problem+json"


@pytest.mark.parametrize("path", [path for path in GETS if path not in {"/healthz", "/metrics"}])
def test_without_an_index_every_get_says_so(own_place: Path, path: str) -> None:
    known = {"chunk_id": "0" * 32, "doc_id": "0" * 32, "run": "20260101T000000Z-000000"}
    with opened(own_place) as door:
        answer = send(door, "GET", path, known)
    if path.endswith("effectiveness"):
        assert answer.json()["assemblies"] == 0
    elif path in {"/api/reports", "/api/access"}:
        assert answer.status_code == 200
    else:
        assert answer.status_code == (503 if path == "/readyz" else 404)
        assert answer.headers["content-type"] == "application/problem+json"


@pytest.fixture(scope="module", params=["", "read", "write", "revoked"])
def held(request: pytest.FixtureRequest) -> str:
    """The scope of the token that somebody holds."""
    scope: str = request.param
    return scope


@pytest.fixture(scope="module")
def guarded(_birds: Path, tmp_path_factory: pytest.TempPathFactory, held: str) -> Iterator[tuple[Door, dict[str, str]]]:
    """A door that other machines reach, and the headers of somebody at it."""
    home = Path(shutil.copytree(_birds / "home", tmp_path_factory.mktemp("guarded") / "home"))
    now = datetime.now(UTC)
    tokens = {scope: create_token(home, scope, scope, now) for scope in ("read", "write")}
    tokens["revoked"] = "mnm_" + "A" * 43
    with opened(home, host="0.0.0.0") as door:
        yield door, {"authorization": f"Bearer {tokens[held]}"} if held else {}


@pytest.mark.parametrize(("method", "path"), ROUTES)
def test_each_route_asks_for_its_scope(guarded: tuple[Door, dict[str, str]], held: str, method: str, path: str) -> None:
    door, headers = guarded
    known = {"chunk_id": "0" * 32, "doc_id": "0" * 32, "run": "20260101T000000Z-000000"}
    answer = send(door, method, path, known, headers=headers)
    door.serving.runs.wait()
    if path in OPEN:
        assert answer.status_code == 200
    elif held in ("", "revoked"):
        assert answer.status_code == 401
        assert answer.headers["www-authenticate"].startswith("Bearer")
    elif held == "read" and needed_scope(method, path) == "write":
        assert (answer.status_code, answer.json()["error"]) == (403, "ScopeMissing")
    else:
        assert answer.status_code in {200, 202, 400, 404}


def test_only_asking_needs_no_more_than_reading() -> None:
    assert [path for method, path in ROUTES if method == "POST" and needed_scope(method, path) == "read"] == [
        "/api/ask"
    ]
    assert {needed_scope("GET", path) for path in GETS} == {"read"}
    assert needed_scope("DELETE", "/anything") == "write"


def test_the_description_is_whole(door: Door) -> None:
    described = door.get("/openapi.json").json()
    for path, methods in described["paths"].items():
        for method, operation in methods.items():
            assert operation["summary"]
            assert operation["description"]
            assert "default" in operation["responses"]
            assert ("security" in operation) == (path not in OPEN), (method, path)
    for path in ("/api/search", "/api/ask"):
        (operation,) = described["paths"][path].values()
        assert operation["responses"]["200"]["content"]["application/json"]["example"]
    for name in ("AskBody", "FeedbackBody", "ScanBody", "WindowQuery"):
        assert described["components"]["schemas"][name]["examples"]


def test_every_example_is_as_its_schema_says(door: Door) -> None:
    described = door.get("/openapi.json").json()
    schemas = described["components"]["schemas"]
    shown = [(schema, schema["example"]) for schema in schemas.values() if "example" in schema]
    shown += [(schema, one) for schema in schemas.values() for one in schema.get("examples", ())]
    for operation in (one for methods in described["paths"].values() for one in methods.values()):
        contents = [
            content for answer in operation["responses"].values() for content in answer.get("content", {}).values()
        ]
        shown += [(content["schema"], content["example"]) for content in contents if "example" in content]
    assert len(shown) > 6
    for schema, example in shown:
        Draft202012Validator({**schema, "components": described["components"]}).validate(example)


def test_names_are_the_tables() -> None:
    assert set(TypeAdapter(Kind).json_schema()["enum"]) == set(KINDS)
    for reply, columns in ((Document, DOCUMENTS), (Chunk, CHUNKS)):
        assert {field.name for field in fields(reply)} <= {column.name for column in columns}
    told = {field.name for field in fields(IndexStatus)} - {"kept", "age_s", "running"}
    assert told == set(Generation._fields) - {"tables", "files"}
    assert {field.name for field in fields(SourceStatus)} <= set(SourceState._fields)
