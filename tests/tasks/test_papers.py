"""Which files of an archive are records."""

import pytest

from schemas.files import SKIP_REASONS, Label, Skipped
from tasks.papers import Papers


@pytest.mark.parametrize(
    "path",
    ["a.txt", "x/B.PDF", "c.eml", "d.htm", "e.html", "f.md", "licence.txt", "vendor/readme.md", "requirements.txt"],
)
def test_every_format_that_is_read_is_a_record(path: str) -> None:
    assert Papers().by_path(path) == Label("record", "record")


@pytest.mark.parametrize(
    "path", ["a.jpg", "b.pdf.yaml", "manifest.csv", "x/c.json", "d", "._bill.pdf", "x/.hidden.txt"]
)
def test_everything_else_is_none(path: str) -> None:
    found = Papers().by_path(path)
    assert isinstance(found, Skipped)
    assert found.reason == "not documentation"
    assert found.reason in SKIP_REASONS


@pytest.mark.parametrize("path", ["passwords.txt", "x/secrets.txt"])
def test_what_usually_holds_credentials_is_left_out(path: str) -> None:
    found = Papers().by_path(path)
    assert isinstance(found, Skipped)
    assert found.reason == "may hold secrets"
