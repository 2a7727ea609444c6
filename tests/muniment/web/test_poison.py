"""A repository that attacks its reader, in a real browser: nothing of it runs, and all of it shows as text."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.muniment.web.poison import IMAGE, LINK, SCRIPT
from tests.muniment.web.visits import Visit, ask

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("hash_", ["#search?q=magpie+glitter", "#search?q=jay+acorns", "#search?q=press+glitter+mark"])
def test_a_poisoned_document_stays_inert(visit: Visit, hash_: str) -> None:
    page = visit.go(hash_)
    page.locator("#search-found h3 a").first.click()
    expect(page.get_by_role("dialog")).to_be_visible()
    for selector in (
        "script:not([src='web/app.js'])",
        "img",
        "iframe",
        "svg",
        "base",
        "style",
        "a[href^='javascript']",
    ):
        assert page.locator(selector).count() == 0, selector
    assert page.locator("form").count() == page.evaluate("document.querySelectorAll('body > main form').length")


def test_a_poisoned_document_shows_as_its_text(visit: Visit) -> None:
    page = visit.go("#search?q=magpie+glitter")
    page.locator("#search-found h3 a").first.click()
    shown = page.locator("#reader-shown")
    for text in (SCRIPT, IMAGE, LINK, "</mark></div><mark>not ours</mark> &lt;mark&gt;", r"\u202eeht\u202c"):
        expect(shown).to_contain_text(text)
    assert "not ours" not in page.locator("mark").all_text_contents()


def test_a_poisoned_answer_stays_inert(visit: Visit) -> None:
    page = visit.go("#ask")
    ask(page, "What does the magpie collect?")
    expect(page.locator("#ask-said")).to_contain_text("nswer")
    expect(page.locator("#ask-answer .passage").first).to_be_attached()
    assert page.locator("main script, main img, main iframe").count() == 0
