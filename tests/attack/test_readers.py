"""Readers of foreign text that no other property test covers: any text is read, or refused by one of our errors."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from muniment.assembly import find_assembly, read_lines
from muniment.errors import MunimentError
from muniment.evaluate.questions import load_questions
from muniment.home import Config, read_config
from muniment.http.cursor import read_cursor
from muniment.settings import load_settings
from schemas.stated import SENSITIVITIES
from tasks.effectiveness.mapping import read_mapping
from tasks.enumerate.manifest import parse_manifest
from tasks.stated import stated_in, stated_in_sidecar

T = TypeVar("T")
OFTEN = settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
LEAVES = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20)
JSON = st.recursive(
    LEAVES, lambda held: st.lists(held, max_size=4) | st.dictionaries(st.text(max_size=8), held, max_size=4)
)
KEYS = (
    *("title", "date", "doc_date", "tags", "correspondent", "sensitivity", "path", "file", "at", "content", "items"),
    "index",
)
"""What readers look for, and a text meets seldom."""
MARKS = (*KEYS, ": ", "\n", "- ", "---\n", "&a ", "*a", "!!", "[[", "\t", *"{}[]|,;=#\"'")
MIXED = st.lists(st.sampled_from([*MARKS, "restricted", "2026-13-45", "1e999", "\0", "\ud800"]), max_size=30).map(
    "".join
)
TEXTS = st.text(max_size=120) | MIXED


def as_file(folder: Path, text: str) -> Path:
    path = folder / "foreign"
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    return path


def outcome(read: Callable[[], T]) -> T | MunimentError:
    """What is read, or how it is refused: by one of our errors, that of a wrong file or parameter."""
    try:
        return read()
    except MunimentError as error:
        if error.exit_code != 2 or not error.message:
            raise
        return error


@OFTEN
@given(text=TEXTS)
@example(text="path,title\n../x,y\n")
@example(text='path\n"')
def test_a_manifest_is_read_or_refused(text: str) -> None:
    try:
        stated = parse_manifest([text])
    except (ValueError, csv.Error):  # what `read_manifest` makes a SourceUnreadable of
        return
    assert all(one.sensitivity in ("", *SENSITIVITIES) for one in stated.rows.values())


@OFTEN
@given(text=TEXTS | JSON.map(json.dumps))
def test_what_stands_beside_a_document_states_something_or_a_fault(text: str) -> None:
    for found in (stated_in(text), stated_in_sidecar(text)):
        assert found.sensitivity in ("", *SENSITIVITIES)
        assert len(found.title) <= 300
        assert all(isinstance(tag, str) and tag for tag in found.tags)


@OFTEN
@given(text=TEXTS | JSON.map(json.dumps))
@example(text='{"query": "x", "gold": [{"path": "a", "start": -1}]}')
def test_a_file_of_questions_is_read_or_refused(tmp_path: Path, text: str) -> None:
    asked = outcome(lambda: load_questions(as_file(tmp_path, text)))
    assert isinstance(asked, MunimentError) or all(one.query and one.gold for one in asked)


@OFTEN
@given(text=TEXTS)
def test_a_mapping_is_read_or_refused(tmp_path: Path, text: str) -> None:
    found = outcome(lambda: read_mapping(as_file(tmp_path, text)))
    assert isinstance(found, MunimentError) or found.at


@OFTEN
@given(text=TEXTS, values=st.dictionaries(st.sampled_from(["index", "serve", "sources", "vault", "x", "home"]), JSON))
def test_settings_are_read_or_refused(tmp_path: Path, text: str, values: dict[str, object]) -> None:
    outcome(lambda: read_config(as_file(tmp_path, text)))
    outcome(lambda: load_settings(Config(None, "", values)))


@OFTEN
@given(lines=st.lists(st.binary(max_size=60) | JSON.map(lambda one: json.dumps(one).encode()), max_size=8))
@example(lines=[b"[" * 50_000, b'{"a":' * 50_000])
def test_a_torn_log_costs_its_torn_lines(tmp_path: Path, lines: list[bytes]) -> None:
    whole = {"assembly": "20260101-abc", "chunk_ids": [], "at": "2026-01-01"}
    log = tmp_path / "log"
    log.mkdir(exist_ok=True)
    path = log / "assembly-2026-01-01.jsonl"
    path.write_bytes(b"\n".join([*lines, json.dumps(whole).encode(), b""]))
    assert list(read_lines(path))[-1] == whole
    assert (find_assembly(tmp_path, "20260101-abc") or {})["assembly"] == "20260101-abc"


@OFTEN
@given(name=st.text(max_size=30))
def test_no_id_finds_what_is_not_there(tmp_path: Path, name: str) -> None:
    assert find_assembly(tmp_path, name.replace("\0", "")) is None


@OFTEN
@given(text=TEXTS)
def test_a_cursor_is_ours_or_refused(text: str) -> None:
    with pytest.raises(MunimentError):
        read_cursor(text)
