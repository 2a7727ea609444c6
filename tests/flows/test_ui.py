"""Prefect's interface as the server shows it that is started in the checkout."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.browser import open_page
from tests.flows.conftest import Api

pytestmark = pytest.mark.slow


def test_the_interface_asks_nobody_else(prefect_server: Api, tmp_path: Path) -> None:
    """The newer one, which Prefect would show, asks a host of analytics from every browser, whatever is set."""
    address = prefect_server.url.removesuffix("api")
    assert prefect_server.client.get(f"{address}ui-settings").json()["default_ui"] == "v1"
    shown = open_page(address, tmp_path / "browser")
    assert shown.asked == set()
    assert "Dashboard" in shown.dom
