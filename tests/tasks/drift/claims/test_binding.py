"""Which option a claim speaks of."""

from __future__ import annotations

import pytest

from tasks.drift.claims import find_claims
from tests.tasks.drift.claims.examples import Example


def bound(path: str, text: str) -> list[tuple[str, str]]:
    """Option and binding of each claim of a file."""
    return [(claim.option, claim.binding) for claim in find_claims(Example(path, text).file)]


def test_a_name_right_before_the_claim_wins() -> None:
    assert bound("x.md", "Beside `rope.old` there is `rope.new` (default 5).") == [("rope.new", "same line")]


def test_names_joined_before_the_claim_share_it() -> None:
    assert bound("x.md", "`ring.one`, `ring.two` and `ring.six` (default 5)") == [
        ("ring.one", "same line"),
        ("ring.six", "same line"),
        ("ring.two", "same line"),
    ]


def test_spellings_of_one_flag_are_one_option() -> None:
    assert bound("x.md", "- `-n`, `--number`: strokes (default 5)") == [("--number", "same line")]
    assert bound("x.md", "```\n  -n, --number=N  strokes (default 5)\n```") == [("--number", "same line")]


def test_the_second_of_a_setting_and_its_value_is_no_option() -> None:
    assert bound("x.md", "Set `ring.mode` to `merry` (default: `solemn`).") == [("ring.mode", "same line")]


def test_a_comma_parts_a_name_from_what_is_said_of_the_setting() -> None:
    assert bound("x.conf", "# How often it asks getTone, defaults to 5.\ncount = 7\n") == [("count", "setting")]


def test_in_a_code_block_only_what_a_line_begins_with_counts() -> None:
    assert bound("x.md", "```\n  --number N  strokes (default 5)\n```\n") == [("--number", "same line")]
    assert bound("x.md", "```\n3 hits: the bell has RING_COUNT strokes (default 5)\n```\n") == []


def test_an_item_is_about_what_it_begins_with() -> None:
    assert bound("x.md", "- `ring.one`: as `ring.two` does (default 5)") == [("ring.one", "same line")]


def test_two_names_in_a_sentence_leave_the_claim_in_doubt() -> None:
    assert bound("x.md", "With `ring.one` and `ring.two` it rings every hour (default 5).") == []


def test_a_sentence_may_begin_on_the_line_above() -> None:
    assert bound("x.md", "The bell rings for `ring.minutes`, which\ndefaults to 5.") == [("ring.minutes", "same line")]


def test_a_sentence_of_its_own_speaks_of_the_paragraph() -> None:
    text = "Strokes are counted by `ring.count`.\nThere are many.\nThe default is 5."
    assert bound("x.md", text) == [("ring.count", "previous line")]


def test_an_indented_line_belongs_to_its_term() -> None:
    assert bound("x.rst", "``ring_count``\n    How often it rings.\n    Default: 5") == [("ring_count", "term")]
    assert bound("x.sh", "#!/bin/sh\n# RING_COUNT\n#   How often (default: 5)\n") == [("RING_COUNT", "term")]


def test_a_line_in_mid_sentence_is_no_term() -> None:
    text = "## `ring.count`\n\n: How often it rings. Only used when\nRING_TONE is set.\n\n    Defaults to 5.\n"
    assert bound("x.md", text) == [("ring.count", "heading")]
    assert bound("x.md", "## `ring.count`\n\nIt goes with the\n`ring.tone` setting. Defaults to 5.\n") == [
        ("ring.count", "heading")
    ]


def test_a_list_under_other_words_is_not_the_headings() -> None:
    assert bound("x.md", "## `ring.count`\n\n!!! note\n\n    They lie in:\n\n    - Default: `/srv`\n") == []


def test_a_nested_item_belongs_to_its_parent() -> None:
    assert bound("x.md", "- `ring.count`\n  - type: number\n  - default: 5\n") == [("ring.count", "parent")]


def test_what_belongs_to_something_else_is_not_the_headings() -> None:
    assert bound("x.md", "### `ring.count`\n\n- On Sundays\n    - default: 5\n") == []


@pytest.mark.parametrize(
    ("heading", "option"),
    [
        ("`ring.count`", "ring.count"),
        ("RING_COUNT", "RING_COUNT"),
        ("[`RING_COUNT=<number>`](#ring) {#ring}", "RING_COUNT"),
        ("`-n`, `--number`", "--number"),
        ("ring-count", "ring-count"),
        ("strokes", "strokes"),
    ],
)
def test_an_option_may_be_a_heading(heading: str, option: str) -> None:
    assert bound("x.md", f"# Bells\n\n### {heading}\n\nDefault: 5\n") == [(option, "heading")]


@pytest.mark.parametrize("heading", ["Strokes", "How often it rings", "`ring.count` and all that it does to a tower"])
def test_an_ordinary_heading_is_no_option(heading: str) -> None:
    assert bound("x.md", f"# Bells\n\n### {heading}\n\nDefault: 5\n") == []


def test_a_title_with_a_hyphen_is_a_program() -> None:
    assert bound("x.md", "# bell-ringer\n\nRings every hour (default 5).\n") == []


def test_a_comment_speaks_of_the_setting_below() -> None:
    assert bound("x.conf", "# How often. Default: 5\n#\ncount = 7\n") == [("count", "setting")]
    assert bound("x.conf", "## Defaults to 5\n# COUNT=7\n") == [("COUNT", "setting")]


def test_a_comment_below_a_gap_is_not_about_what_is_switched_off_there() -> None:
    assert bound("x.sh", "#!/bin/sh\n# export A_ONE=1\n#\n# Defaults to 5\n#\n# export A_TWO=2\n") == []


def test_a_comment_between_setting_and_blank_line_speaks_of_the_setting_above() -> None:
    assert bound("x.conf", "count = 7\n# Default: 5\n\ntone = low\n") == [("count", "setting")]


def test_a_comment_behind_a_setting_speaks_of_it() -> None:
    assert bound("x.yaml", "ring:\n  count: 7  # default is 5\n") == [("count", "setting")]


def test_a_comment_that_goes_on_below_speaks_of_the_same_setting() -> None:
    text = "#host = 'tower'   # where it is;\n                  # defaults to 'tower'\n#port = 80\n"
    assert bound("x.conf", text) == [("host", "setting")]


def test_a_setting_switched_off_may_have_a_comment_of_its_own() -> None:
    assert bound("x.yaml", "a: 1\n#count: 7  # default is 5\nb: 2\n") == [("count", "setting")]


def test_an_address_below_a_comment_is_no_setting() -> None:
    assert bound("x.yaml", "# Default: 5\n# ref: https://bells.example\ncount: 7\n") == [("count", "setting")]


def test_a_key_that_is_switched_off_claims_nothing() -> None:
    assert bound("x.yaml", "# bell:\n#   default: 5\n#   tone: low\nbells: []\n") == []


def test_a_row_is_about_its_first_cell() -> None:
    assert bound("x.md", "| Key | Text |\n| --- | --- |\n| `count` | strokes (default 5) |\n") == [("count", "row")]


def test_a_manual_page_is_about_its_entry() -> None:
    text = '.TH RING 8\n.SH OPTIONS\n.TP\n.BR \\-n ", " \\-\\-number\nStrokes of the \\fBbell\\fR (default 5).\n'
    assert bound("man/ring.8", text) == [("--number", "term")]


def test_above_are_headings_keys_or_scopes() -> None:
    def above(path: str, text: str) -> list[tuple[str, ...]]:
        return [claim.above for claim in find_claims(Example(path, text).file)]

    assert above("x.md", "# A\n\n## B\n\n`ring.count` (default 5)\n") == [("A", "B")]
    assert above("x.yaml", "ring:\n  often:\n    count: 7  # default: 5\n") == [("ring", "often")]
    assert above("x.conf", "[ring]\n# Default: 5\ncount = 7\n") == [("ring",)]
    assert above("x.py", 'class A:\n    def b(self, c=7):\n        """:param c: strokes (default 5)"""\n') == [
        ("A", "b")
    ]
    assert above("x.md", "# A\n\n```\nring:\n  [ count: <int> | default = 5 ]\n```\n") == [("A", "ring")]


def test_what_was_the_default_once_is_no_claim() -> None:
    assert bound("x.md", "`ring.count` no longer defaults to 5.") == []
    assert bound("x.rst", "``ring_count``\n   Strokes.\n\n   .. versionchanged:: 2\n      Default is 5.\n") == []
    assert bound("docs/migration.md", "`ring.count` (default 5)") == []


def test_arrows_may_stand_in_a_column() -> None:
    text = "## RING_LEVEL\n\n- -1/-2 => soft\n- **0**   => plain\n- 1/2   => loud\n"
    assert bound("x.md", text) == [("RING_LEVEL", "heading")]


def test_a_comment_inside_of_a_list_is_not_about_the_list() -> None:
    text = "more_bells: []\n{}# Where they hang (default is tower)\n{}# - --hang-in=tower\n\nropes: 1\n"
    assert bound("values.yaml", text.format("  ", "  ")) == []
    assert bound("values.yaml", text.format("", "")) == [("more_bells", "setting")]


def test_what_something_can_be_by_default_is_not_what_it_is() -> None:
    text = "`ring.echo`: if set, it rings back.\n    Echoes can also be disabled by default with a rope.\n"
    assert bound("x.md", f"- {text}") == []
    assert bound("x.md", f"- {text}".replace("can also be", "are")) == [("ring.echo", "parent")]


def test_what_something_is_set_to_on_the_way_is_no_default_of_the_term() -> None:
    text = "bell.state\n  Name of the state. Without one a bell is set to the default value of 1.\n"
    assert bound("x.rst", text) == []


def test_a_parameter_may_have_the_name_of_a_section() -> None:
    text = """\
    def ring(type="bell", n=200):
        \"\"\"Rings.

        Args:
            n (int): How often.
            type (str): Name of what rings. Default is ``"bell"``.
        \"\"\"
    """
    assert bound("x.py", text) == [("type", "same line")]


def test_a_heading_that_is_an_option_leaves_another_name_in_doubt() -> None:
    text = (
        "## `--tower-port <port>`\n\nUsed together with `--ringer` to set the port of the tower (defaults to 5557).\n"
    )
    assert bound("x.md", text) == []
