"""HTML becomes the Markdown of what it shows, and nothing in it is run or fetched."""

import pytest

from schemas.extracted import Extracted, NoText
from tasks.extract.html import extract


def shown(html: str | bytes) -> str:
    found = extract(html if isinstance(html, bytes) else html.encode())
    assert isinstance(found, Extracted)
    return found.text


def test_headings_lists_and_tables_become_markdown() -> None:
    page = "<h2>Bill</h2><ul><li>one<li>two</ul><table><tr><th>What<th>Price</tr><tr><td>Gas<td>EUR 4.10</tr></table>"
    assert shown(page) == "## Bill\n\n- one\n- two\n\n| What | Price |\n| --- | --- |\n| Gas | EUR 4.10 |"


def test_the_title_is_stated() -> None:
    found = extract(b"<title>\n A  bill </title><p>text")
    assert isinstance(found, Extracted)
    assert found.stated.title == "A bill"
    assert found.text == "text"


@pytest.mark.parametrize(
    "hidden",
    [
        "<script>EVIL()</script>",
        "<style>EVIL</style>",
        "<noscript>EVIL</noscript>",
        "<template>EVIL</template>",
        "<!-- EVIL -->",
        "<p hidden>EVIL</p>",
        "<p style='color: red; DISPLAY : none'>EVIL</p>",
        "<div style='visibility:hidden'><b>EVIL</b></div>",
        "<iframe src='https://EVIL.invalid'>EVIL</iframe>",
        "<img src='data:text/plain,EVIL'>",
        "<a href='javascript:EVIL()'></a>",
        "<svg><text>EVIL</text></svg>",
        "<p onclick='EVIL()'></p>",
    ],
)
def test_what_is_not_shown_is_left_out(hidden: str) -> None:
    assert shown(f"<p>before</p>{hidden}<p>after</p>").split() == ["before", "after"]


def test_pictures_leave_their_words_and_links_their_text() -> None:
    assert shown("<p><img alt='The logo' src='x.png'> <a href='https://a.invalid/?track=1'>pay here</a>") == (
        "The logo pay here"
    )


def test_numbers_and_signs_stand_as_they_are() -> None:
    assert shown("<p>1. No_1 costs *12.50* &euro; &lt;net&gt;</p>") == "1. No_1 costs *12.50* € <net>"


@pytest.mark.parametrize(
    "raw",
    [
        "<p>Prämie</p>".encode(),
        b"\xef\xbb\xbf<p>Pr\xc3\xa4mie</p>",
        b"<meta charset=iso-8859-1><p>Pr\xe4mie</p>",
        b"<meta http-equiv=Content-Type content='text/html; charset=windows-1252'><p>Pr\xe4mie</p>",
        b"<meta charset=no-such-thing><p>Pr\xe4mie and more of this long sentence</p>",
    ],
)
def test_encodings_are_recognised(raw: bytes) -> None:
    assert shown(raw).startswith("Prämie")


def test_words_are_whole_wherever_they_may_be_divided() -> None:
    assert shown("<p>Versicherungs&shy;schein &#847;&#8203;nr") == "Versicherungsschein nr"


def test_old_encodings_are_read_as_browsers_do() -> None:
    assert shown(b"<meta charset=iso-8859-1><p>12,50 \x80 \x96 fr\xfch</p>") == "12,50 € – früh"


@pytest.mark.parametrize(
    ("page", "sensitivity"),
    [
        ("<meta name=sensitivity content=restricted><p>x", "restricted"),
        ("<META NAME='Sensitivity' content='hush'><p>x", "restricted"),
        ("---\nsensitivity: confidential\n---\n<p>x", "confidential"),
        ("<meta name=viewport content='width=device-width'><meta charset=utf-8><p>x", ""),
    ],
)
def test_a_page_may_say_how_sensitive_it_is(page: str, sensitivity: str) -> None:
    found = extract(page.encode())
    assert isinstance(found, Extracted)
    assert found.stated.sensitivity == sensitivity
    assert bool(found.stated.faults) == ("hush" in page)


def test_a_page_without_text_is_skipped() -> None:
    assert extract(b"<html><body><img src=x></body></html>") == NoText("no documentation", "a page without text")


def test_deep_nesting_is_refused() -> None:
    assert extract(b"<b>" * 2_000 + b"x") == NoText("unreadable", "elements are nested too deep")
