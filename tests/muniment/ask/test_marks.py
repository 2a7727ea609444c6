"""Of what an editor of notes writes into them, an answer shows the words alone."""

import pytest

from muniment.ask.marks import unmarked


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("See [[types/Harbour#Depth|the harbour]] and [[Winch]].", "See the harbour and Winch."),
        ("![[Chart.pdf|Chart]] of it", "Chart of it"),
        ("%% hidden %% shown", " shown"),
        ("The basin is deep. ^depth-1", "The basin is deep."),
        ("> [!warning]- Take care\n> The basin is deep.", "Take care\nThe basin is deep."),
        ("if [[ -f x ]]; then x == y or y == z", "if [[ -f x ]]; then x == y or y == z"),
        ("a ==marked== word, 100 % and 50 %", "a marked word, 100 % and 50 %"),
    ],
)
def test_a_note_is_quoted_without_its_marks(written: str, shown: str) -> None:
    assert unmarked(written, "note") == shown


def test_other_documents_keep_what_looks_like_it() -> None:
    for text in ("if [[ -f x ]]; then", "x == y", "> quoted", "100%% sure %%"):
        assert unmarked(text, "doc") == text


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("!!! note", ""),
        ('??? tip "Once"', '"Once"'),
        (":::{warning} Take care", "Take care"),
        ("Volumes { #volumes-mail }", "Volumes"),
        ("**0** => off, 2**3 and **/*.md", "0 => off, 2**3 and **/*.md"),
    ],
)
def test_marks_of_site_builders_are_no_words(written: str, shown: str) -> None:
    assert unmarked(written, "doc").rstrip() == shown
    assert unmarked(written, "header") == written


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("See :ref:`the tower <tower>` and :stconf:opt:`bells`.", "See the tower and bells."),
        ("From `the shed <https://example.org/a>`__ fetch it.", "From the shed fetch it."),
        ("From `the shed  https://example.org/a `_ fetch it.", "From the shed fetch it."),
        ("Ask `Jane Doe`_, or use Bells_ (``--ring``).", "Ask Jane Doe, or use Bells (`--ring`)."),
        ("Then ring::", "Then ring:"),
        ("`ring <NAME>` rings my_bell", "`ring <NAME>` rings my_bell"),
    ],
)
def test_roles_and_links_are_told_by_their_words(written: str, shown: str) -> None:
    assert unmarked(written, "doc", "a.rst") == shown


def test_requests_that_converters_make_are_no_words() -> None:
    page = ".INDENT 0.0\n.TP\nSee https://\\:example\\:.org\n.UNINDENT"
    assert unmarked(page, "manual").split() == ["See", "https://example.org"]


def test_what_the_shell_needs_escaped_is_shown_bare() -> None:
    written = r"Uses \$BELLS, or \"ring\"; sed 's/x\$//'"
    assert unmarked(written, "header") == r"""Uses $BELLS, or "ring"; sed 's/x\$//'"""
    assert unmarked(written, "doc") == written
