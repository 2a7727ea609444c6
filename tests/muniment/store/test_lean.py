"""LanceDB is loaded without what local tables never use, and nothing that wants it is the worse for it."""

from __future__ import annotations

import subprocess
import sys

from muniment.store.lean import UNUSED


def said(code: str) -> str:
    return subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout


def test_lancedb_loads_without_the_client_of_a_catalogue() -> None:
    loaded = f"""
import sys
from muniment.store.lean import spare_unused
spare_unused()
import lancedb
print("{UNUSED}.api" in sys.modules, "{UNUSED}.models" in sys.modules)
"""
    assert said(loaded) == "False True\n"


def test_the_client_is_there_for_who_asks() -> None:
    asked = f"""
from muniment.store.lean import spare_unused
spare_unused()
import lancedb
import {UNUSED} as client
from {UNUSED} import ApiClient
print(client.ApiClient is ApiClient, client.models.__name__, type(client).__name__)
"""
    assert said(asked) == f"True {UNUSED}.models module\n"
