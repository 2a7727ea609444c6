"""What metadata states of a document, and what happens when it can't be understood."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.stated import SENSITIVITIES, Stated
from tasks.frontmatter import read_mapping
from tasks.stated import stated_by, stated_in, stated_in_note, stated_in_sidecar


def test_every_field_is_read_in_any_case() -> None:
    said = stated_by({"Title": " A  bill ", "DATE": "2025-11-05", "correspondent": "Acme", "tags": ["a", "#b"]})
    assert said == Stated("A bill", date(2025, 11, 5), "Acme", ("a", "b"))


@pytest.mark.parametrize("written", ["2025-11-05", "2025-11-05T10:00:00Z", "5.11.2025", "05.11.2025"])
def test_dates_are_read_in_two_styles(written: str) -> None:
    assert stated_by({"date": written}).doc_date == date(2025, 11, 5)


@pytest.mark.parametrize("written", ["11/05/2025", "2025-02-30", "soon", "0000-00-00"])
def test_another_date_is_a_fault(written: str) -> None:
    said = stated_by({"date": written})
    assert said.doc_date is None
    assert written in said.faults[0]


def test_tags_may_be_one_text() -> None:
    assert stated_by({"tags": "car, insurance; car"}).tags == ("car", "insurance")


@pytest.mark.parametrize("word", [*SENSITIVITIES, "Confidential", " RESTRICTED "])
def test_known_sensitivities_are_taken_in_any_case(word: str) -> None:
    assert stated_by({"sensitivity": word}) == Stated(sensitivity=word.strip().lower())


@pytest.mark.parametrize("word", ["secret", "top-secret", "true", ["public", "hush"], {"level": "public"}, ["", []]])
def test_an_unknown_sensitivity_is_restricted_and_reported(word: str | list[str] | dict[str, str]) -> None:
    said = stated_by({"sensitivity": word})  # type: ignore[dict-item]
    assert said.sensitivity == "restricted"
    assert said.faults


def test_an_empty_sensitivity_states_nothing() -> None:
    assert stated_by({"sensitivity": ""}) == Stated()


def test_the_strictest_of_several_counts() -> None:
    assert stated_by({"sensitivity": ["public", "confidential"]}).sensitivity == "confidential"
    assert Stated(sensitivity="public").over(Stated(sensitivity="restricted")).sensitivity == "restricted"
    assert Stated(sensitivity="restricted").over(Stated(sensitivity="public")).sensitivity == "restricted"


def test_what_is_nearer_wins_and_fills_up_from_what_is_farther() -> None:
    near, far = Stated(title="near", faults=("a",)), Stated("far", date(2025, 1, 1), "Acme", ("x",), "", ("b",))
    assert near.over(far) == Stated("near", date(2025, 1, 1), "Acme", ("x",), "", ("a", "b"))


def test_broken_front_matter_that_may_have_hidden_a_document_hides_it() -> None:
    assert stated_in("---\nsensitivity: [\n---\ntext").sensitivity == "restricted"
    assert stated_in_sidecar("{Sensitivity").sensitivity == "restricted"
    harmless = stated_in("---\nDear all,\nhello: [\n---\ntext about sensitivity")
    assert harmless.sensitivity == ""
    assert harmless.faults


@pytest.mark.parametrize(
    "front",
    [
        "sensitivity: restricted\nsensitivity: public",
        "Sensitivity: public\nsensitivity: restricted",
        "meta:\n  sensitivity: restricted",
        "<<: {sensitivity: restricted}",
        "base: &b {sensitivity: restricted}\n<<: *b",
        "sensitivty: restricted",
        "sensitive: true",
        "Sensitivity level: restricted",
        "sensitivity_label: restricted",
        "sen\u200bsitivity\u00a0: restricted",
        "Sensitivit\u00e4t: streng geheim",
    ],
)
def test_a_slip_in_how_it_is_stated_shows_nothing(front: str) -> None:
    assert stated_in(f"---\n{front}\n---\ntext").sensitivity == "restricted"


@pytest.mark.parametrize(
    "text",
    [
        "---\nsensitivity: restricted\n\ntext",
        "\n\n---\nsensitivity: restricted\n---\n",
        " ---\nsensitivity: restricted\n---\n",
        "----\nSensitivity : restricted\n----\n",
        "+++\nsensitivity = 'restricted'\n+++\n",
        "---\u2028sensitivity: restricted\u2028---\u2028text",
        f"---\nsensitivity: restricted\nx: {'y' * 200_000}\n---\n",
    ],
)
def test_front_matter_that_is_none_may_have_hidden_a_document(text: str) -> None:
    said = stated_in(text)
    assert said.sensitivity == "restricted"
    assert said.faults
    assert stated_in_note(text) == said


@pytest.mark.parametrize(
    "text",
    [
        "# Sensitivity: of a microphone",
        "sensitivity: 3 mV",
        "---\n\nThe sensitivity of the sensor: high\n",
        "---\nsensitive: no\nsensitivities: nuts\nsensor: x\n---\n",
        "---\nsensitivity: ~\nsensitive: false\n---\n",
    ],
)
def test_words_that_are_only_like_it_hide_nothing(text: str) -> None:
    assert stated_in(text) == Stated()


def test_what_a_key_is_taken_for_is_told() -> None:
    assert "'sensitivty'" in stated_in_note("---\nsensitivty: confidential\n---\n").faults[0]
    assert stated_in_note("---\nSENSITIVITY: confidential\n---\n") == Stated(sensitivity="confidential")


def test_aliases_to_aliases_are_looked_through_once() -> None:
    levels = "".join(f"k{n}: &k{n} [*k{n - 1}, *k{n - 1}]\n" for n in range(1, 11))
    assert stated_by(read_mapping(f"k0: &k0 {{sensitivity: public}}\n{levels}")).sensitivity == "public"  # type: ignore[arg-type]


@given(st.dictionaries(st.text(), st.recursive(st.text(), lambda inner: st.lists(inner, max_size=3))))
def test_any_values_state_something_of_known_words(values: dict[str, str]) -> None:
    assert stated_by(values).sensitivity in ("", *SENSITIVITIES)
