"""How the page looks: to a screen reader, on a phone, in light and dark, and in the docs."""

from __future__ import annotations

import os
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.conftest import ROOT
from tests.muniment.http.doors import QUESTION
from tests.muniment.web.visits import PHONE, Browsing, ask

pytestmark = pytest.mark.slow

IMAGES = ROOT / "docs" / "images"
SHOTS = {"width": 1000, "height": 760}
AXE_OPTIONS = {"resultTypes": ["violations"]}
VIEWS = ("#search?q=heron+sleeps", "#ask", "#drift", "#effectiveness", "#search?q=kestrel+grace")


def shot(page: Page, name: str) -> None:
    """Keeps a picture for the docs where that is asked for."""
    if os.environ.get("UPDATE_SCREENSHOTS"):
        page.screenshot(path=IMAGES / name)


@pytest.mark.parametrize("hash_", VIEWS)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious(browsing: Browsing, base: str, hash_: str, scheme: str) -> None:
    with browsing.visit(base, color_scheme=scheme) as visit:
        page = visit.go(hash_)
        expect(page.locator("#status")).to_contain_text("generation")
        assert serious(page) == []
        if hash_ == "#ask":
            ask(page, QUESTION)
            expect(page.locator(".answer")).to_be_visible()
            assert serious(page) == []
            page.locator("#ask-answer .passages h3 a").first.click()
            expect(page.get_by_role("dialog")).to_be_visible()
            assert serious(page) == []


def serious(page: Page) -> list[Any]:
    """What axe-core finds of serious or critical impact."""
    found = Axe().run(page, options=AXE_OPTIONS).response["violations"]
    return [
        (one["id"], [node["html"] for node in one["nodes"]])
        for one in found
        if one["impact"] in {"serious", "critical"}
    ]


@pytest.mark.parametrize("hash_", VIEWS)
def test_it_fits_a_phone(browsing: Browsing, base: str, hash_: str) -> None:
    with browsing.visit(base, viewport=PHONE) as visit:
        page = visit.go(hash_)
        expect(page.locator("#status")).to_contain_text("generation")
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
        if "q=" in hash_:
            page.locator("#search-found h3 a").first.click()
            expect(page.get_by_role("dialog")).to_be_visible()
            assert page.evaluate("document.getElementById('reader').scrollWidth") <= PHONE["width"]


def test_no_line_stands_over_the_head_of_a_document(browsing: Browsing, base: str) -> None:
    with browsing.visit(base, viewport=PHONE) as visit:
        page = visit.go("#search?q=mover+stop+timeout&source=ops")
        page.locator("#search-found h3 a").first.click()
        expect(page.locator("#reader-shown .cited").first).to_be_visible()
        reader = page.locator("#reader")
        assert reader.evaluate("(one) => one.scrollTop") > 0
        title = page.locator("#reader-title").bounding_box()
        assert title
        middle = [title["x"] + 20, title["y"] + title["height"] / 2]
        assert page.evaluate("([x, y]) => document.elementFromPoint(x, y).id", middle) == "reader-title"


def test_a_line_runs_as_its_script_does(browsing: Browsing, base: str) -> None:
    with browsing.visit(base) as visit:
        page = visit.go("#search?q=%D7%90%D7%A0%D7%A4%D7%94")
        mark = page.locator("#search-found mark").first
        expect(mark).to_have_text("אנפה")
        left = "(one) => one.getBoundingClientRect().left"
        width = page.evaluate("document.documentElement.clientWidth")
        assert page.locator("#search-found .line").last.locator("mark").first.evaluate(left) > width / 2
        page = visit.go("#search?q=heron+sleeps&path=docs/heron.md")
        expect(page.locator("#search-found mark").first).to_be_visible()
        assert page.locator("#search-found mark").first.evaluate(left) < width / 2


def test_pictures_for_the_docs(browsing: Browsing, base: str) -> None:
    with browsing.visit(base, viewport=SHOTS, color_scheme="light") as visit:
        page = visit.go("#search?q=how+is+a+backup+restored&source=ops")
        expect(page.locator("#search-found > li").first).to_be_visible()
        expect(page.locator("#status")).to_contain_text("generation")
        shot(page, "page-search.png")
        page = visit.go("#ask")
        ask(page, QUESTION)
        expect(page.locator(".answer")).to_be_visible()
        shot(page, "page-ask.png")
        visit.check()
    with browsing.visit(base, viewport=PHONE, color_scheme="dark") as visit:
        page = visit.go("#drift")
        page.get_by_role("row").filter(has_text="KESTREL_GRACE").get_by_role("link").first.click()
        expect(page.locator("#reader .cited + .dispute")).to_be_visible()
        shot(page, "page-phone.png")
        visit.check()
