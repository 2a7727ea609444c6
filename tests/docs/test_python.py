"""The examples of docs/python.md: each of them runs, and prints what it is there to print."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import ROOT, Ran

BLOCKS = re.findall(r"^```python ?(\w*)\n(.*?)^```", (ROOT / "docs" / "python.md").read_text(), re.M | re.S)
PLAIN = [code for name, code in BLOCKS if not name]
ADAPTERS = {name: code for name, code in BLOCKS if name}


def run(code: str, names: dict[str, object]) -> None:
    """Runs an example as a file of its own would: without what this file takes from the future."""
    exec(compile(code, "docs/python.md", "exec", dont_inherit=True), names)


@pytest.fixture
def indexed(muniment: Callable[..., Ran], sample: Path, words_only: None) -> None:
    assert muniment("index", sample).code == 0


def test_every_example_is_found() -> None:
    assert (len(PLAIN), set(ADAPTERS)) == (5, {"langchain", "llamaindex"})


def test_the_plain_examples_run(indexed: None, capsys: pytest.CaptureFixture[str]) -> None:
    names: dict[str, object] = {}
    for code in PLAIN:
        run(code, names)
    said = capsys.readouterr().out
    assert "scripts/mover.sh:62-65" in said
    assert "says 300, but conf/mover.conf.template" in said
    assert "[1] " in said
    assert "no answer" not in said


@pytest.mark.parametrize(("name", "needs"), [("langchain", "langchain_core"), ("llamaindex", "llama_index.core")])
def test_the_adapters_retrieve(name: str, needs: str, indexed: None, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip(needs)
    names: dict[str, object] = {"__name__": "adapter"}
    run(ADAPTERS[name], names)
    assert "scripts/mover.sh:62-65" in capsys.readouterr().out
