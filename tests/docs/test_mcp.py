"""docs/mcp.md names every tool that there is, and no other."""

from __future__ import annotations

import re

from muniment.mcp.tools import Tools
from tests.conftest import ROOT


def test_the_page_names_every_tool() -> None:
    page = (ROOT / "docs" / "mcp.md").read_text()
    table = page.partition("## Tools")[2].partition("\n\nAll but")[0]
    assert re.findall(r"^\| `(\w+)`", table, re.M) == [name for name in vars(Tools) if not name.startswith("_")]
