"""Names of options: spellings that mean one option."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.drift.spelling import folded, is_compound, last_part, without_default


@pytest.mark.parametrize(
    ("one", "other"),
    [("--warn-at", "WARN_AT"), ("warnAt", "warn-at"), ("image.tag", "Image.Tag"), ("hosts[0].name", "hosts.name")],
)
def test_spellings_of_one_option_fold_alike(one: str, other: str) -> None:
    assert folded(one) == folded(other)


def test_a_dot_keeps_two_options_apart() -> None:
    assert folded("image.tag") != folded("imagetag")
    assert last_part(folded("image.tag")) == "tag"


def test_a_slash_keeps_two_options_apart() -> None:
    assert folded("mover/hostname") != folded("MOVER_HOSTNAME")


@pytest.mark.parametrize(
    ("constant", "option"),
    [
        ("DEFAULT_PORT", "port"),
        ("PORT_DEFAULT", "port"),
        ("OPNs_DefaultPort", "opnsport"),
        ("PORT", ""),
        ("DEFAULT", ""),
    ],
)
def test_a_constant_named_for_being_a_default_names_its_option(constant: str, option: str) -> None:
    assert without_default(constant) == option


@pytest.mark.parametrize(
    ("option", "compound"),
    [("port", False), ("STOP_TIMEOUT", True), ("--warn-at", True), ("retentionDays", True), ("image.tag", False)],
)
def test_a_name_of_two_words_reaches_far(option: str, compound: bool) -> None:
    assert is_compound(option) is compound


@given(st.text(max_size=60))
def test_folding_again_changes_nothing(option: str) -> None:
    assert folded(folded(option)) == folded(option)
