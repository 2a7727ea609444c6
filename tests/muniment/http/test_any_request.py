"""Requests made from the API's own description, right ones and wrong ones: none meets a bug."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.muniment.http.doors import opened

schemathesis = pytest.importorskip("schemathesis", reason="schemathesis is not installed")

pytestmark = pytest.mark.slow
CASES = 400


def test_no_request_meets_a_bug(home: Path) -> None:
    with opened(home) as door:
        schema = schemathesis.openapi.from_dict(door.app.openapi())
        kinds = [
            operation.ok().as_strategy(generation_mode=mode)
            for operation in schema.get_all_operations()
            for mode in schemathesis.GenerationMode
        ]

        @settings(max_examples=CASES, deadline=None, suppress_health_check=list(HealthCheck), database=None)
        @given(case=st.one_of(kinds))
        def check(case: Any) -> None:
            sent = case.as_transport_kwargs(base_url="http://127.0.0.1:8765")
            answer = door.request(sent.pop("method"), sent.pop("url"), **_plain(sent))
            assert answer.status_code != 500, answer.text
            if answer.status_code >= 400:
                assert answer.headers["content-type"] == "application/problem+json"
            door.serving.runs.wait()

        check()


def _plain(sent: dict[str, Any]) -> dict[str, Any]:
    """What httpx takes of it, without what was not made."""
    return {name: value for name, value in sent.items() if name in ("params", "json", "headers", "cookies") and value}
