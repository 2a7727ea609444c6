"""Who may do what on the page: feedback for whoever may write, and reports for whoever may look."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from muniment.assembly import find_assembly
from muniment.tokens import create_token, revoke_token
from tasks.effectiveness.evaluate import evaluate_effectiveness
from tests.muniment.web.visits import Browsing, Visit

pytestmark = pytest.mark.slow

FERRY = "#search?q=ferry"


@contextmanager
def token_of(home: Path, scope: str) -> Iterator[str]:
    try:
        yield create_token(home, "page", scope, datetime.now(UTC))
    finally:
        revoke_token(home, "page")


def enter(page: Page, token: str) -> None:
    page.get_by_label("Token").fill(token)
    page.get_by_role("button", name="Use it").click()
    expect(page.locator("#search-found > li").first).to_be_visible()


@pytest.mark.parametrize("hash_", ["#search", "#ask?q=what+watches+the+ferry"])
def test_a_view_that_asks_for_nothing_yet_wants_the_token_too(
    browsing: Browsing, base: str, web_home: Path, hash_: str
) -> None:
    with token_of(web_home, "read") as token, browsing.visit(base) as visit:
        page = visit.go(hash_)
        page.get_by_label("Token").fill(token)
        page.get_by_role("button", name="Use it").click()
        expect(page.locator("#status")).to_contain_text("generation")
        expect(page.get_by_label("Token")).to_be_hidden()


def test_what_helped_is_said_and_counted(visit: Visit, web_home: Path) -> None:
    def used() -> int:
        return evaluate_effectiveness(web_home / "log", datetime.now(UTC)).used

    before = used()
    page = visit.go(FERRY)
    button = page.get_by_role("button", name="this helped: ferry.md")
    button.press("Enter")
    expect(page.locator("#search-found .saying", has_text="Noted.")).to_be_visible()
    expect(button).to_be_disabled()
    assert used() == before + 1


@pytest.mark.parametrize("scope", ["read", "write"])
def test_only_who_may_write_is_asked_what_helped(browsing: Browsing, base: str, web_home: Path, scope: str) -> None:
    with token_of(web_home, scope) as token, browsing.visit(base) as visit:
        page = visit.go(FERRY)
        enter(page, token)
        with page.expect_response("**/api/access"):
            page.reload()
        expect(page.get_by_role("link", name="Data Docs")).to_be_visible()
        expect(page.get_by_role("button", name="this helped").first).to_be_visible(visible=scope == "write")


def test_feedback_that_is_refused_says_why(browsing: Browsing, base: str, web_home: Path) -> None:
    with browsing.visit(base) as visit:
        page = visit.go(FERRY)
        helped = page.get_by_role("button", name="this helped").first
        expect(helped).to_be_visible()  # the page has been told that anybody may write
        with token_of(web_home, "write"):  # made since
            helped.click()
            expect(page.locator("#search-found .saying").first).to_contain_text("a token is needed")


def test_reports_open_and_stay_inert(visit: Visit) -> None:
    page = visit.go()
    page.get_by_role("link", name="The last night").click()
    expect(page.get_by_text("night", exact=True)).to_have_css("color", "rgb(1, 2, 3)")
    assert page.title() == "The night"
    page.go_back()
    page.get_by_role("link", name="Data Docs").click()
    page.get_by_role("link", name="chunks").click()
    page.get_by_text("rows").click()
    assert (page.title(), page.url) == ("Chunks", f"{visit.base}/reports/quality/chunks.html")
    refused = [said for said in visit.said if "favicon" not in said and "404" not in said]
    assert refused
    assert all("Blocked script" in said or "Content Security Policy" in said for said in refused)
    assert visit.kept_back == ["http://evil.example/image"]
    visit.said.clear()


def test_reports_open_with_a_token_and_not_without(browsing: Browsing, base: str, web_home: Path) -> None:
    with token_of(web_home, "read") as token, browsing.visit(base) as visit:
        page = visit.go(FERRY)
        enter(page, token)
        page.get_by_role("link", name="Data Docs").click()
        expect(page.get_by_role("link", name="chunks")).to_be_visible()
        page.get_by_role("link", name="chunks").click()
        expect(page.get_by_text("rows")).to_be_visible()
        assert page.evaluate("document.cookie") == ""
    with token_of(web_home, "read"), browsing.visit(base) as visit:
        visit.page.goto(f"{base}/reports/quality/index.html")
        expect(visit.page.get_by_text("a report is opened from the page at /")).to_be_visible()


def test_a_search_is_logged_as_one_assembly_a_page(visit: Visit, web_home: Path) -> None:
    page = visit.go("#search?q=backup+mover+log")
    expect(page.locator("#search-found > li")).to_have_count(10)
    with page.expect_response("**/api/search?*") as second:
        page.get_by_role("button", name="More").click()
    reply = second.value.json()
    logged = find_assembly(web_home, reply["assembly"])
    assert logged
    assert logged["ranks"] == list(range(11, 11 + len(reply["hits"])))
