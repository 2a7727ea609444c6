"""Documented options that nothing but documentation holds."""

import pytest

from schemas.claims import Finding
from tasks.drift.checks import CHECKS
from tasks.drift.real.slips import is_inner_slip, is_slip
from tests.tasks.drift.trees import tree_of

CODE = "".join(f': "${{BELL_{name}:=1}}"\n' for name in ("ROPE", "WEIGHT", "PITCH", "FRAME", "CLAPPER_SIZE", "WHEEL"))
CODE += "tower_keeper=1\nfor i in --quarter-hours; do :; done\n"


def found(text: str, path: str = "README.md", code: str = CODE) -> list[Finding]:
    return list(CHECKS["unknown-option"](tree_of({path: text, "src/bells.bash": code})))


def options(text: str, path: str = "README.md", code: str = CODE) -> list[str]:
    return [finding.option for finding in found(text, path, code)]


TABLE = "| Option | Meaning |\n| --- | --- |\n| `BELL_ROPE` | a |\n| `BELL_WEIGHT` | b |\n| `BELL_PITCH` | c |\n"

UNKNOWN = {
    "a row": TABLE + "| `BELL_COLOUR` | d |\n",
    "an item": "- `BELL_ROPE`: a\n- `BELL_WEIGHT`: b\n- `BELL_PITCH`: c\n- `BELL_COLOUR`: d\n",
    "a bold item": "- **BELL_ROPE** a\n- **BELL_WEIGHT** b\n- **BELL_PITCH** c\n- **BELL_COLOUR** d\n",
    "a heading": "## BELL_ROPE\n\n## BELL_WEIGHT\n\n## BELL_PITCH\n\n## BELL_COLOUR\n",
    "a setting in shell": f"{TABLE}\n```bash\nexport BELL_COLOUR=red\n```\n",
    "an argument of docker": f"{TABLE}\n```bash\ndocker run -e BELL_COLOUR=red bells\n```\n",
    "a line of an environment file": "```env\nBELL_ROPE=1\nBELL_WEIGHT=1\nBELL_PITCH=1\n# BELL_COLOUR=1\n```\n",
    "running text": f"{TABLE}\nThe hue is `BELL_COLOUR`.\n",
}


@pytest.mark.parametrize("name", UNKNOWN)
def test_an_option_among_real_ones_is_found(name: str) -> None:
    assert options(UNKNOWN[name]) == ["BELL_COLOUR"]


KNOWN = {
    "all real": TABLE,
    "another spelling": TABLE + "| `bell.clapperSize` | d |\n| `BELL_CLAPPERSIZE` | e |\n",
    "part of another": TABLE + "| `BELL_CLAPPER` | d |\n",
    "called old": f"{TABLE}\n`BELL_COLOUR` was renamed to `BELL_PITCH`.\n",
    "another program's": TABLE + "| `AWS_REGION` | d |\n",
    "an example": f"{TABLE}\nFor example `BELL_COLOUR`.\n",
    "the reader's own": f"{TABLE}\n```sh\nexport BELL_COLOUR=red\npaint $BELL_COLOUR\n```\n",
    "no family": "Set `CHIME_COLOUR`.\n",
    "most are not real": "| Name |\n| --- |\n| `BELL_ROPE` |\n| `GONG_A` |\n| `GONG_B` |\n| `GONG_C` |\n",
    "beside what replaced it": f"{TABLE}\n`BELL_TOWER_KEEPER` `tower_keeper`\n",
    "joined from sections": TABLE + "| `BELL__COLOUR` | d |\n",
}


@pytest.mark.parametrize("name", KNOWN)
def test_what_may_exist_is_left_alone(name: str) -> None:
    assert options(KNOWN[name]) == []


@pytest.mark.parametrize(
    "path", ["src/plans/ropes.md", "CHANGELOG.md", "docs/migration.md", "docs/release-notes.md", "docs/tutorial.md"]
)
def test_history_and_tutorials_are_not_judged(path: str) -> None:
    assert options(TABLE + "| `BELL_COLOUR` | d |\n", path) == []


def test_a_name_that_code_puts_together_is_left_alone() -> None:
    code = CODE + 'for name in $all; do eval "GONG_$name=1"; done\n'
    assert options("| a |\n| --- |\n| `GONG_A` |\n", code=code + "GONG_=1\n") == []


def test_a_scripts_own_header_is_no_proof() -> None:
    script = (
        "#!/bin/sh\n# BELL_ROPE\n#   a\n#\n# BELL_PITCH\n#   b\n#\n# BELL_WEIGHT\n#   c\n#\n# BELL_WEIHGT\n#   d\n\n"
    )
    assert options(f"{script}{CODE}", "ring.sh") == ["BELL_WEIHGT"]


SLIPS = {
    "a constant": (
        "`BELL_CLAPPER_SIZE`, BELL_CLAPPER_SIZE and BELL_CLAPER_SIZE\n",
        "BELL_CLAPER_SIZE",
        "BELL_CLAPPER_SIZE",
    ),
    "a name": ("`tower_keeper`, tower_keeper and `tower_keper`\n", "tower_keper", "tower_keeper"),
    "a flag": ("--quarter-hours, --quarter-hours and --quater-hours\n", "--quater-hours", "--quarter-hours"),
}


@pytest.mark.parametrize("name", SLIPS)
def test_a_slip_of_the_pen_comes_with_what_was_meant(name: str) -> None:
    text, written, meant = SLIPS[name]
    (finding,) = found(text)
    assert (finding.option, finding.actual) == (written, meant)
    assert finding.edit is not None
    assert finding.edit.new == text.strip().replace(written, meant)


def test_a_neighbour_on_the_same_page_is_another_option() -> None:
    (finding,) = found(TABLE + "| `BELL_PITCHES` | d |\n")
    assert (finding.actual, finding.edit) == ("", None)


@pytest.mark.parametrize(
    ("written", "meant"),
    [("FIELDS_EXPROT", "FIELDS_EXPORT"), ("dns_severs", "dns_servers"), ("bigqery_adapter", "bigquery_adapter")],
)
def test_letters_lacking_or_swapped_are_slips(written: str, meant: str) -> None:
    assert is_slip(written, meant)
    assert is_inner_slip(written, meant)


@pytest.mark.parametrize(
    ("written", "meant"),
    [("schema_v2", "schema_v3"), ("Regex", "TRegex"), ("write_items", "write_item"), ("keep_yearly", "keep_daily")],
)
def test_another_name_is_no_slip(written: str, meant: str) -> None:
    assert not is_slip(written, meant)


@pytest.mark.parametrize(("written", "meant"), [("rows_order", "row_order"), ("get_name", "gen_name")])
def test_an_ending_or_a_short_word_makes_another_name(written: str, meant: str) -> None:
    assert not is_inner_slip(written, meant)
