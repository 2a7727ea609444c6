"""What the page is sent with, and that its files name nobody else."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from muniment.http.assets import MEDIA_TYPES, PATHS, SCRIPTS
from muniment.tokens import create_token
from schemas.chunks import KINDS
from tests.muniment.http.doors import Door, opened

FOLDER = Path(__file__).parents[3] / "muniment" / "web"
DIRECTIVES = {
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "img-src 'self' data:",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "form-action 'none'",
}
SVG = "http://www.w3.org/2000/svg"
"""A name, which nobody fetches."""


@pytest.fixture
def door(own_place: Path) -> Iterator[Door]:
    """A server without an index: the page needs none."""
    with opened(own_place) as made:
        yield made


@pytest.mark.parametrize("path", sorted(PATHS))
def test_every_file_has_the_policy(door: Door, path: str) -> None:
    answer = door.get(path)
    assert answer.status_code == 200
    assert set(answer.headers["content-security-policy"].split("; ")) >= DIRECTIVES
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["content-type"].endswith("; charset=utf-8")


@pytest.mark.parametrize("path", sorted(PATHS))
def test_a_file_that_the_browser_has_is_not_sent_again(door: Door, path: str) -> None:
    first = door.get(path)
    again = door.get(path, headers={"if-none-match": f'"other", W/{first.headers["etag"]}'})
    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["etag"] == first.headers["etag"]
    assert door.get(path, headers={"if-none-match": '"other"'}).content == first.content


def test_the_page_needs_no_token_and_its_data_does(own_place: Path) -> None:
    create_token(own_place, "reader", "read", datetime.now(UTC))
    with opened(own_place) as door:
        assert {door.get(path).status_code for path in PATHS} == {200}
        assert door.get("/api/index/status").status_code == 401
        assert door.get("/web/other.js").status_code == 401


@pytest.mark.parametrize("name", ["nope.js", "index.html", "..%2findex.html", "%2e%2e", "app.js%00", "__init__.py"])
def test_nothing_else_is_sent(door: Door, name: str) -> None:
    assert door.get(f"/web/{name}").status_code in {404, 400}


def test_every_file_of_the_folder_is_served() -> None:
    assert {path.name for path in FOLDER.iterdir()} == {"index.html", *MEDIA_TYPES}


def test_no_file_names_a_foreign_address() -> None:
    for path in FOLDER.iterdir():
        addresses = re.findall(r"(?:https?:|wss?:)?//[\w.-]+\.\w+[^\s\"']*", path.read_text())
        assert set(addresses) <= {SVG}, path.name


def test_nothing_is_inline() -> None:
    page = (FOLDER / "index.html").read_text()
    assert not re.findall(r"\son\w+\s*=|\sstyle\s*=|javascript:|<style", page, re.IGNORECASE)
    assert all(not body.strip() for body in re.findall(r"<script[^>]*>(.*?)</script>", page, re.DOTALL))


@pytest.mark.parametrize("name", SCRIPTS)
def test_no_script_reads_markup(name: str) -> None:
    text = (FOLDER / f"{name}.js").read_text()
    assert not re.findall(
        r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|createContextualFragment|srcdoc|"
        r"\beval\b|new Function|setHTML|localStorage|document\.cookie",
        text,
    )


def test_scripts_import_what_is_served() -> None:
    for name in SCRIPTS:
        imported = re.findall(r'from "\./([^"]+)"', (FOLDER / f"{name}.js").read_text())
        assert set(imported) <= set(MEDIA_TYPES)


def test_every_kind_can_be_filtered_by() -> None:
    page = (FOLDER / "index.html").read_text()
    assert re.findall(r'name="kind" value="(\w+)"', page) == list(KINDS)


def test_the_configured_prefect_is_linked(own_place: Path) -> None:
    with opened(own_place, serve={"prefect_ui": "https://flows.example/?a=1&b=%22"}) as door:
        assert '<meta name="prefect-ui" content="https://flows.example/?a=1&amp;b=%22">' in door.get("/").text
