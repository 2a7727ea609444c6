"""A tab of a real browser before the page, which notes all that happens there."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import Browser, ConsoleMessage, Dialog, Page, Request, sync_playwright

PHONE = {"width": 390, "height": 844}


@dataclass(slots=True)
class Visit:
    """A tab, and what was seen in it."""

    page: Page
    base: str
    asked: list[str] = field(default_factory=list)
    """Every address that it wanted something from."""
    kept_back: list[str] = field(default_factory=list)
    """Every address that a policy kept it from."""
    said: list[str] = field(default_factory=list)
    """Errors of its scripts and of its console, where a browser also tells what the policy refused."""
    dialogs: list[str] = field(default_factory=list)

    def go(self, hash_: str = "") -> Page:
        """The page, opened at a hash as a link from elsewhere would, with its index known."""
        self.page.goto("about:blank")
        self.page.goto(f"{self.base}/{hash_}")
        return self.page

    def watch(self) -> None:
        """Notes from now on what happens."""

        # Functions: Playwright can't tie methods to a record with slots.
        def note(message: ConsoleMessage) -> None:
            if message.type == "error":
                self.said.append(message.text)

        def keep_back(request: Request) -> None:
            if request.failure == "csp":  # it never left the browser
                self.asked.remove(request.url)
                self.kept_back.append(request.url)

        def refuse(dialog: Dialog) -> None:
            self.dialogs.append(dialog.message)
            dialog.dismiss()

        self.page.on("request", lambda request: self.asked.append(request.url))
        self.page.on("requestfailed", keep_back)
        self.page.on("pageerror", lambda error: self.said.append(str(error)))
        self.page.on("console", note)
        self.page.on("dialog", refuse)

    def check(self) -> None:
        """Nothing ran that is not ours, nobody else was asked for anything."""
        assert [url for url in self.asked if not url.startswith((f"{self.base}/", "data:,", "about:blank"))] == []
        assert (self.dialogs, self.said) == ([], [])
        assert self.page.title() != "taken"


@dataclass(frozen=True, slots=True)
class Browsing:
    """A running browser."""

    browser: Browser

    @staticmethod
    @contextlib.contextmanager
    def started(path: str) -> Iterator[Browsing]:
        """The browser at that path, until the block ends."""
        with sync_playwright() as playwright:
            found = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-dev-shm-usage"])
            with contextlib.closing(found):
                yield Browsing(found)

    @contextlib.contextmanager
    def visit(self, base: str, **options: Any) -> Iterator[Visit]:
        """A tab with a profile of its own."""
        with contextlib.closing(self.browser.new_context(**options)) as context:
            page = context.new_page()
            page.set_default_timeout(20_000)
            made = Visit(page, base)
            made.watch()
            yield made


def search(page: Page, words: str) -> None:
    """Searches as a person does."""
    page.get_by_role("searchbox").fill(words)
    page.get_by_role("button", name="Search").click()


def ask(page: Page, question: str) -> None:
    """Asks as a person does."""
    page.get_by_label("A whole question", exact=True).fill(question)
    page.get_by_role("button", name="Ask").click()
