"""The page in a real browser: what a person finds, opens and reads there, by mouse and by keyboard."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path

import pytest
from playwright.sync_api import expect

from muniment.tokens import create_token, revoke_token
from tests.muniment.http.doors import QUESTION
from tests.muniment.web.visits import Browsing, Visit, ask, search

pytestmark = pytest.mark.slow


def test_a_search_shows_passages_with_its_words_marked(visit: Visit) -> None:
    page = visit.go()
    search(page, "heron labels boxes")
    first = page.locator("#search-found > li").first
    expect(first.get_by_role("heading")).to_contain_text("docs/heron.md:")
    assert "labels" in first.locator("mark").all_text_contents()
    expect(first).to_contain_text("<b onclick=alert(1)>labels</b> & tags")
    expect(page).to_have_url(f"{visit.base}/#search?q=heron+labels+boxes")


def test_filters_narrow_a_search_and_stand_in_the_link(visit: Visit) -> None:
    page = visit.go()
    page.locator("#search summary").click()
    page.locator("#search").get_by_label("birds").check()
    page.locator("#search").get_by_label("doc", exact=True).check()
    page.get_by_label("Path").first.fill("docs/w*")
    search(page, "heron")
    found = page.locator("#search-found h3 a")
    expect(found).to_have_text(["docs/wren.md:1-3"])
    again = visit.go(page.evaluate("location.hash"))
    expect(again.locator("#search-found h3 a")).to_have_text(["docs/wren.md:1-3"])
    expect(again.locator("#search").get_by_label("birds")).to_be_checked()
    expect(again.get_by_label("Path").first).to_have_value("docs/w*")


@pytest.mark.parametrize(("words", "badge"), [("crane reeds", "gone"), ("stork leg", "changed since index")])
def test_what_changed_since_the_index_says_so(visit: Visit, words: str, badge: str) -> None:
    page = visit.go()
    search(page, words)
    expect(page.locator("#search-found > li").first.get_by_text(badge, exact=True)).to_be_visible()
    page.locator("#search-found h3 a").first.click()
    expect(page.get_by_role("dialog").get_by_text(badge, exact=True)).to_be_attached()


def test_every_filter_of_the_search_is_on_the_page(visit: Visit) -> None:
    page = visit.go("#search?q=ferry&mode=lexical")
    form = page.locator("#search")
    expect(form.get_by_label("Search by")).to_have_value("lexical")
    for label, value, path in (("Type", "intel", "gull.md"), ("Namespace", "south", "tern.md")):
        form.get_by_label(label).fill(value)
        form.get_by_role("button").click()
        expect(page.locator("#search-found h3 a")).to_have_text([re.compile(path)])
        form.get_by_label(label).fill("")
    form.get_by_label("Generation").fill("77")
    form.get_by_role("button").click()
    expect(page.get_by_role("alert")).to_contain_text("77")
    visit.said.clear()  # the browser notes each 400 itself
    form.get_by_label("Generation").fill(page.locator("#generations option").first.get_attribute("value") or "")
    form.get_by_role("button").click()
    expect(page.locator("#search-found > li")).to_have_count(3)


def test_what_a_document_states_stands_with_its_passages(visit: Visit) -> None:
    page = visit.go("#search?q=ferry")
    item = page.locator("#search-found > li")
    expect(item.filter(has_text="gull.md")).to_contain_text("North Sea · tide")
    paper = item.filter(has_text="ferry.md")
    expect(paper).to_contain_text("2026-01-31 · Ferry Office")
    paper.locator("h3 a").click()
    expect(page.locator("#reader time")).to_have_attribute("datetime", "2026-01-31")


def test_a_question_may_be_of_one_namespace(visit: Visit) -> None:
    page = visit.go("#ask?namespace=South")
    ask(page, "What watches the ferry?")
    expect(page.locator(".answer")).to_contain_text("tern")
    expect(page.locator("#ask-answer .passage")).to_have_count(1)


def test_more_shows_the_next_passages(visit: Visit) -> None:
    page = visit.go("#search?q=backup+mover+log")
    found = page.locator("#search-found > li")
    expect(found).to_have_count(10)
    expect(page.locator("#search-said")).to_contain_text("10 passages, and more")
    page.get_by_role("button", name="More").press("Enter")
    expect(found).to_have_count(20)
    expect(found.nth(10).locator("h3 a")).to_be_focused()
    places = page.locator("#search-found h3 a").all_text_contents()
    assert len(set(places)) == 20


def test_an_answer_shows_its_sources_and_both_values(visit: Visit) -> None:
    page = visit.go("#ask")
    ask(page, QUESTION)
    expect(page.locator(".answer")).to_contain_text("default: 300")
    note = page.locator("#ask-answer .passages .dispute").first
    expect(note).to_contain_text("documented 300 at scripts/kestrel.sh:8, really 120 at conf/kestrel.conf.template:2")
    assert note.evaluate("note => note.previousElementSibling.dataset.line") in {"8", "2"}


def test_a_total_lists_its_documents(visit: Visit) -> None:
    page = visit.go("#ask")
    ask(page, "how much did I pay for electricity in November 2024")
    expect(page.locator(".answer")).to_contain_text("2024-11-01")
    page.locator("summary", has_text="What became of").click()
    expect(page.locator("#ask-answer li", has_text=": used").first).to_be_visible()


def test_a_question_without_an_answer_says_so(visit: Visit) -> None:
    page = visit.go("#ask")
    ask(page, "Which colour is the submarine of the ambassador?")
    expect(page.locator("#ask-said")).to_contain_text("No answer")


def test_a_link_fills_a_question_in_and_asks_nothing(visit: Visit) -> None:
    page = visit.go("#ask?q=What+does+the+heron+do")
    expect(page.locator("#ask-said")).to_have_text("Press Ask to ask this.")
    expect(page.locator("#status")).to_contain_text("generation")
    assert not [url for url in visit.asked if url.endswith("/api/ask")]


def test_a_citation_opens_the_document_at_its_lines(visit: Visit) -> None:
    page = visit.go("#ask")
    ask(page, QUESTION)
    source = page.locator("#ask-answer .passages h3 a").first
    name, _, lines = source.inner_text().rpartition(":")
    source.click()
    expect(page.get_by_role("dialog", name=name)).to_be_visible()
    first, _, last = lines.partition("-")
    cited = page.locator("#reader .cited")
    expect(cited.first).to_have_attribute("data-line", first)
    expect(cited.last).to_have_attribute("data-line", last or first)
    expect(cited.first).to_be_in_viewport()
    link = page.evaluate("location.hash")
    page.get_by_role("button", name="Close").click()
    expect(page.get_by_role("dialog")).to_be_hidden()
    expect(page.locator(".answer")).to_be_visible()
    expect(page).not_to_have_url(re.compile("chunk="))
    expect(visit.go(link).get_by_role("dialog", name=name)).to_be_visible()


def test_going_back_closes_the_document(visit: Visit) -> None:
    page = visit.go("#search?q=heron")
    page.locator("#search-found h3 a").first.click()
    expect(page.get_by_role("dialog")).to_be_visible()
    page.go_back()
    expect(page.get_by_role("dialog")).to_be_hidden()
    expect(page.locator("#search-found h3 a").first).to_be_visible()


def test_a_view_is_found_as_it_was_left(visit: Visit) -> None:
    page = visit.go("#ask")
    ask(page, QUESTION)
    expect(page.locator(".answer")).to_be_visible()
    page.get_by_role("link", name="Drift").click()
    expect(page.get_by_role("row").first).to_be_visible()
    page.get_by_role("link", name="Ask", exact=True).click()
    expect(page.locator(".answer")).to_contain_text("default: 300")
    assert len([url for url in visit.asked if url.endswith("/api/ask")]) == 1


def test_drift_shows_both_values_and_opens_the_document(visit: Visit) -> None:
    page = visit.go("#drift")
    row = page.get_by_role("row").filter(has_text="KESTREL_GRACE")
    expect(row).to_contain_text("300 scripts/kestrel.sh:8")
    expect(row).to_contain_text("120 conf/kestrel.conf.template:2")
    row.get_by_role("link").first.click()
    expect(page.locator("#reader .cited")).to_have_attribute("data-line", "8")
    expect(page.locator("#reader .cited")).to_contain_text("KESTREL_GRACE")
    expect(page.locator("#reader .cited + .dispute")).to_contain_text("really 120")


def test_a_document_shows_all_that_disputes_it(visit: Visit) -> None:
    page = visit.go("#drift")
    page.get_by_role("row").filter(has_text="KESTREL_GRACE").get_by_role("link").nth(1).click()
    note = page.locator("#reader [data-line='2'] + .dispute")
    expect(note).to_contain_text("documented 300 at scripts/kestrel.sh:8, really 120 at conf/kestrel.conf.template:2")
    # Wherever it is opened.
    page = visit.go("#search?q=mover+settings&in=ops&file=conf/mover.conf.template&lines=1")
    expect(page.locator("#reader .dispute").first).to_be_attached()


def test_effectiveness_is_shown_for_the_chosen_group(visit: Visit) -> None:
    page = visit.go("#search?q=heron")
    expect(page.locator("#search-found > li").first).to_be_visible()
    page.get_by_role("link", name="Effectiveness").click()
    expect(page.get_by_role("table")).to_contain_text("doc")
    page.get_by_role("combobox", name="By").select_option("section")
    expect(page.get_by_role("table", name="Use by section")).to_contain_text("Heron")


def test_the_strip_names_generation_commit_and_age(visit: Visit, base: str) -> None:
    status = visit.go().request.get(f"{base}/api/index/status").json()
    strip = visit.page.locator("#status")
    expect(strip).to_contain_text(f"generation {status['number']}")
    expect(strip).to_contain_text(f"birds {status['sources']['birds']['commit'][:10]}")
    expect(strip).to_contain_text("published")


def test_all_of_it_can_be_done_by_keyboard(visit: Visit) -> None:
    page = visit.go()
    page.locator("body").press("/")
    expect(page.get_by_role("searchbox")).to_be_focused()
    page.keyboard.type("heron sleeps")
    page.keyboard.press("Enter")
    expect(page.locator("#search-found h3 a").first).to_be_visible()
    for _ in range(4):  # the button, the filters, the first passage
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.closest('.passage') !== null"):
            break
    expect(page.locator("#search-found h3 a").first).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_be_visible()
    expect(page.locator("#reader-shown")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()
    expect(page.locator("#search-found h3 a").first).to_be_focused()


def test_an_error_is_said_with_what_to_do(visit: Visit) -> None:
    page = visit.go("#search?q=heron&source=bird")
    expect(page.get_by_role("alert")).to_contain_text("no source 'bird'")
    expect(page.get_by_role("alert")).to_contain_text("did you mean 'birds'?")
    visit.said.clear()  # the browser notes each 400 itself


def test_what_was_found_before_is_no_answer_to_what_failed(visit: Visit) -> None:
    page = visit.go("#search?q=heron")
    expect(page.locator("#search-found > li").first).to_be_visible()
    page.route("**/api/search*", lambda route: route.abort())
    search(page, "wren")
    expect(page.get_by_role("alert")).to_contain_text("the server does not answer")
    expect(page.locator("#search-found > li")).to_have_count(0)
    visit.said.clear()  # the browser tells of it too
    page.unroute("**/api/search*")
    search(page, "finch")
    expect(page.locator("#search-found > li").first).to_be_visible()
    expect(page.get_by_role("alert")).to_be_empty()


def test_a_token_is_asked_for_once_a_tab(browsing: Browsing, base: str, web_home: Path) -> None:
    token = create_token(web_home, "page", "read", datetime.now(UTC))
    try:
        with browsing.visit(base) as visit:
            page = visit.go("#search?q=heron")
            expect(page.get_by_role("alert")).to_contain_text("a token is needed")
            page.get_by_label("Token").fill(token)
            page.get_by_role("button", name="Use it").click()
            expect(page.locator("#search-found > li").first).to_be_visible()
            expect(page.get_by_label("Token")).to_be_hidden()
            page.reload()
            expect(page.locator("#search-found > li").first).to_be_visible()
            assert page.evaluate("localStorage.length") == 0
    finally:
        revoke_token(web_home, "page")
