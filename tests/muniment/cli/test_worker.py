"""`muniment worker`; that it takes nothing from its folder is shown with a real one (tests/flows/test_workers.py)."""

from typing import Any


def test_without_an_api_no_worker_is_started(muniment: Any) -> None:
    ran = muniment("worker")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == "error: no Prefect API is configured\nhint: name one in PREFECT_API_URL (docs/prefect.md)\n"
