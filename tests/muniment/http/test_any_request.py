"""Requests made from the API's own description, right ones and wrong ones: none meets a bug."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from muniment.http.access import OPEN
from muniment.tokens import SCOPES, create_token
from tests.muniment.http.doors import Door, opened

schemathesis = pytest.importorskip("schemathesis", reason="schemathesis is not installed")

pytestmark = pytest.mark.slow
CASES = 15
"""Of each operation, and of each kind of case: right and wrong."""


@pytest.mark.parametrize("scope", ["", "none", "read", "write"])
def test_no_request_meets_a_bug(home: Path, scope: str) -> None:
    """On this machine alone, and as somebody else who has no token, one to read with, or one that may write."""
    headers = {}
    if scope in SCOPES:
        headers["authorization"] = f"Bearer {create_token(home, scope, scope, datetime.now(UTC))}"
    with opened(home, host="0.0.0.0" if scope else "127.0.0.1") as door:
        schema = schemathesis.openapi.from_dict(door.app.openapi())
        operations = [operation.ok() for operation in schema.get_all_operations()]
        tried = {_check(door, operation, headers, refused=scope == "none") for operation in operations}
        assert tried == {(method.upper(), path) for path, one in door.app.openapi()["paths"].items() for method in one}


def _check(door: Door, operation: Any, headers: dict[str, str], *, refused: bool) -> tuple[str, str]:
    """Sends cases of one operation and returns which it was."""
    kinds = [operation.as_strategy(generation_mode=mode) for mode in schemathesis.GenerationMode]

    @settings(max_examples=CASES, suppress_health_check=list(HealthCheck), database=None)
    @given(case=st.one_of(kinds))
    def check(case: Any) -> None:
        sent = _plain(case.as_transport_kwargs(base_url="http://127.0.0.1:8765"))
        sent["headers"] = {**(sent.get("headers") or {}), **headers}
        answer = door.request(case.method, f"http://127.0.0.1:8765{case.formatted_path}", **sent)
        assert answer.status_code != 500, answer.text
        assert not refused or operation.path in OPEN or answer.status_code >= 400
        if answer.status_code >= 400:
            assert answer.headers["content-type"] == "application/problem+json"
        door.serving.runs.wait()

    check()
    return operation.method.upper(), operation.path


def _plain(sent: dict[str, Any]) -> dict[str, Any]:
    """What httpx takes of it, without what was not made."""
    return {name: value for name, value in sent.items() if name in ("params", "json", "headers", "cookies") and value}
