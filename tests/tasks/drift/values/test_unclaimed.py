"""What names one definite value, and what does not."""

import pytest

from tasks.drift.values import is_value
from tasks.drift.values.unclaimed import NO_CLAIMS, no_claim

NO_VALUES = {
    "blank": ["", "  ", "-", "—"],
    "placeholder": [
        "<tower>",
        "<your name>",
        "your-domain.example",
        "your_token",
        "xxx",
        "XXXX",
        "changeme",
        "change-me",
        "***",
    ],
    "elision": ["...", "[1, 2, ...]", "a, b, …", "bells, towers etc."],
    "reference": [
        "see below",
        "See the manual",
        "same as TOWER",
        "the value of TOWER",
        "value of `TOWER`",
        "as above",
        "inherits",
    ],
    "dependence": ["depends on the tower", "varies", "varies by system", "based on the tower"],
    "computed": ["computed", "generated", "random", "auto-generated", "a random name", "autodetected", "calculated"],
    "range": ["1-10", "1 - 10", "0..1", "0.1 to 0.9", "1–10", "[1-5]", "5-10 minutes"],
    "choice": ["a|b|c", "true/false", "on | off", "one of a, b", "tower or spire", "yes/no", "[true, false]", "5 / 10"],
    "bound": ["up to 5", "at least 5", "about 5", ">= 5", "< 10", "between 5 and 6"],
    "machine": ["number of CPU cores", "the number of cores", "CPU count of cores"],
    "condition": ["5 if rung", "tower unless rung", "5, otherwise 6"],
    "example": ["e.g. tower", "tower (for example)", "such as 5"],
    "type": ["string", "int", "a boolean", "object", "Array"],
    "demand": ["required", "(optional)", "Mandatory"],
    "prose": ["the bells ring in the tower", "rings all bells of the tower"],
}
VALUES = """
5; -1; 0.5; none; None; empty; ""; {}; []; tower; true; on; enabled; 2024-01-01; 2024-01; 10.0.0.0/8; 127.0.0.1:8080
/srv/bell-tower/1-2; a/b; ~/.local/generated/x; 0 1 * * *; [1, 2]; a,b; -5; 1.2.3; v1.2.3-rc1; 24h; 1 day; 10 MB; *
https://bell.example/x?a=b; **/*.md; LOG_INFO; 5 (minutes); "true/false"; 20%; text/plain; %(name)s: %(message)s
/etc/bells; edge; inet
not set; not defined; dynamic; latest; 0644; 1073741824 (1 GiB); bell@tower.example; org.bell.Tower
"""


@pytest.mark.parametrize(("kind", "text"), [(kind, text) for kind, texts in NO_VALUES.items() for text in texts])
def test_descriptions_are_no_values(kind: str, text: str) -> None:
    assert no_claim(text) == kind
    assert not is_value(text)


@pytest.mark.parametrize("text", VALUES.strip().replace("\n", "; ").split("; "))
def test_definite_values_are_values(text: str) -> None:
    assert is_value(text)


def test_each_kind_has_its_cases_here() -> None:
    assert set(NO_VALUES) == set(NO_CLAIMS)
