"""Python names, signatures and defaults that documents state and the code does not have."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemas.claims import Finding
from tasks.drift.checks import CHECKS
from tests.tasks.drift.trees import tree_of

CODE = {
    "pyproject.toml": "",
    "bells/__init__.py": "from bells.tower import Tower\n",
    "bells/tower.py": (
        "class Tower:\n"
        "    def __init__(self, rope, *, count=3, loud=True): ...\n"
        "    def ring(self, times=2): ...\n"
        "    @decorated\n"
        "    def chime(self): ...\n"
        "def toll(hour, *, pause=1.5, **more): ...\n"
        "def bell_of(name='great'): ...\n"
    ),
    "bells/ropes.py": "class Rope: ...\nregister('bells.Registered.v1')\n",
}


def found(document: str, path: str = "docs/guide.md", **files: str) -> list[Finding]:
    return list(CHECKS["python-api"](tree_of({**CODE, path: document, **files})))


def messages(document: str, path: str = "docs/guide.md") -> list[str]:
    return [finding.message for finding in found(document, path)]


def test_a_finding_says_what_is_missing_and_where_it_went() -> None:
    (finding,) = found("Use `bells.tower.Rope` here.\n")
    assert (finding.path, finding.line, finding.option) == ("docs/guide.md", 1, "bells.tower.Rope")
    assert finding.message == "bells.tower has no Rope; did you mean bells.ropes.Rope"
    assert finding.truth is not None
    assert (finding.truth.path, finding.truth.line) == ("bells/ropes.py", 1)
    assert finding.edit is not None
    assert finding.edit.new == "Use `bells.ropes.Rope` here."


STALE = {
    "`bells.Rope`": "bells has no Rope; did you mean bells.ropes.Rope",
    "`bells.tower.tol()`": "bells.tower has no tol; did you mean bells.tower.toll",
    "`bells.Tower.wring`": "bells.tower.Tower has no wring; did you mean bells.tower.Tower.ring",
    "```python\nfrom bells.tower import Tower, Spire\n```": "bells.tower has no Spire",
    "```python\nimport bells.spire\n```": "bells has no spire",
    "```pycon\n>>> from bells import Rope\n```": "bells has no Rope; did you mean bells.ropes.Rope",
    "::: bells.spire": "bells has no spire",
}


@pytest.mark.parametrize("document", STALE)
def test_a_name_that_is_not_there_is_found(document: str) -> None:
    assert messages(document) == [STALE[document]]


RST = {
    ":class:`bells.Spire`": "bells has no Spire",
    ":func:`~bells.tower.tol`": "bells.tower has no tol; did you mean bells.tower.toll",
    ":py:meth:`ring it <bells.Tower.wring>`": "bells.tower.Tower has no wring; did you mean bells.tower.Tower.ring",
    ".. autofunction:: bells.tower.tol": "bells.tower has no tol; did you mean bells.tower.toll",
    ".. function:: bells.tower.toll(hour, pause=2)": (
        "bells.tower.toll.pause is documented to default to 2, and defaults to 1.5"
    ),
    ".. class:: bells.Tower(rope, count=4)": "bells.Tower.count is documented to default to 4, and defaults to 3",
    ".. class:: bells.Tower(rope, size=4)": "bells.Tower has no parameter size; not documented: count, loud",
    ".. function:: bells.tower.bell_of(which='great')": (
        "bells.tower.bell_of has no parameter which; not documented: name"
    ),
    ".. method:: bells.Tower.ring([times=3])": (
        "bells.Tower.ring.times is documented to default to 3, and defaults to 2"
    ),
}


@pytest.mark.parametrize("document", RST)
def test_roles_and_declarations_are_held_against_the_code(document: str) -> None:
    assert messages(document, "docs/guide.rst") == [RST[document]]


FINE = [
    "`bells.Tower` and `bells.tower.toll(5)`",
    "`bells.toml`, `bells.io`, `bells.example.com`",
    "`bells.volume` is a setting",
    "`bells.volume.level`",
    "`bells.ring(times=2)` where bells is a Tower",
    "`ropes.Rope` and `Tower.wring` and `other.bells.Spire`",
    "`bells.Spire` was removed.",
    "`bells.Registered`",
    "For example, `bells.Spire` could be added.",
    "Renamed: `bells.Spire` is now `bells.Tower`.",
    "```sh\nfrom bells import Spire\n```",
    "`bells.tower.Tower.chime.cache_clear()`",
    "bells.Spire without code type",
]


@pytest.mark.parametrize("document", FINE)
def test_what_may_be_something_else_is_left_alone(document: str) -> None:
    assert messages(document) == []


FINE_RST = [
    ".. module:: bells.tower\n\n.. class:: Hook()\n\n   .. method:: wring()\n\n   See :meth:`bells.tower.Hook.wring`.",
    ".. class:: bells.Tower(rope)\n\n   .. method:: Tower.ring(times=2)\n\n   .. attribute:: Tower.mood",
    ".. module:: bells.tower\n\n.. class:: Tower(rope)\n\n   .. method:: ring(times=2)\n\n.. function:: toll(hour)",
    ".. module:: bells.tower\n\n.. class:: bells.tower.Tower(rope)",
    ".. function:: bells.tower.toll(hour, volume=3)",
    ".. method:: bells.Tower.chime(times)",
    ".. class:: bells.Tower(rope, ...)",
    ".. class:: bells.Tower(rope, *, count=3, loud=True)",
    ".. function:: other.tol(x)",
    ".. module:: bells.tower\n\n.. autoclass:: requests.Response",
    ".. code-block:: rst\n\n   :class:`bells.Spire`",
]


@pytest.mark.parametrize("document", FINE_RST)
def test_declarations_like_the_code_are_left_alone(document: str) -> None:
    assert messages(document, "docs/guide.rst") == []


@pytest.mark.parametrize("path", ["i18n/fr/pages/guide.md", "docs/whats-new.md"])
def test_translations_and_news_are_left_alone(path: str) -> None:
    assert messages("`bells.tower.Rope`\n", path) == []


def test_changelogs_are_left_alone() -> None:
    assert messages("`bells.tower.Spire`", "CHANGELOG.md") == []


DOCSTRINGS = {
    "numpy": "    Parameters\n    ----------\n    times : int, default {}\n        How often.\n",
    "sphinx": "    :param times: how often (default: {})\n",
    "sphinx with a type": "    :param int times: how often. Defaults to ``{}``.\n",
    "google": "    Args:\n        times (int): How often.\n            Defaults to {}.\n",
    "list": "    - times: how often (default {}) \n".replace("default {}", "default: {}"),
}


def defined(docstring: str, default: object = 2) -> list[Finding]:
    code = f'def ring(rope, times={default!r}):\n    """Rings.\n\n{docstring}    """\n'
    return list(CHECKS["python-api"](tree_of({**CODE, "bells/ring.py": code})))


@pytest.mark.parametrize("style", DOCSTRINGS)
def test_a_default_in_a_docstring_is_held_against_the_parameter(style: str) -> None:
    (finding,) = defined(DOCSTRINGS[style].format(5))
    assert finding.message == "ring.times is documented to default to 5, and defaults to 2"
    assert finding.path == "bells/ring.py"
    assert finding.truth is not None
    assert finding.truth.line == 1
    assert finding.edit is not None
    assert "5" not in finding.edit.new
    assert not defined(DOCSTRINGS[style].format(2))


@pytest.mark.parametrize(
    "docstring",
    [
        "    :param times: how often (default: 5 if loud)\n",
        "    :param times: 3 may be given, but the default is 5\n",
        "    :param times: when loud, default: 5\n",
        "    :param times: how often. Any hour left out defaults to 5.\n",
        "    :param times: how often. Defaults to 2, which is enough\n",
        "    :param times: how often. Defaults to 2 means enough\n",
        "    :param rope: which (default: 5)\n",
        "    :param other: which (default: 5)\n",
        "    The default: 5\n",
        "    :param times: how often\n    :return: something (default: 5)\n",
        "    :param times: how often. Defaults to the hour.\n",
    ],
)
def test_a_docstring_that_says_something_else_is_left_alone(docstring: str) -> None:
    assert not defined(docstring)


def test_a_decorator_does_not_hide_a_docstring() -> None:
    code = '@loud\ndef ring(times=2):\n    """Rings.\n\n    :param times: (default: 5)\n    """\n'
    (finding,) = CHECKS["python-api"](tree_of({**CODE, "bells/ring.py": code}))
    assert (finding.documented, finding.actual) == ("5", "2")


def test_a_default_made_in_the_body_is_not_judged() -> None:
    assert not defined("    :param times: how often (default: 5)\n", None)


PARTS = st.sampled_from(
    [
        "`bells.",
        "Tower",
        "``",
        "(",
        ")",
        ":class:`",
        "`",
        "bells",
        ".",
        "\n",
        "\n\n",
        ".. class:: ",
        ".. method:: ",
        "a=[",
        "]",
        ",",
        "**",
        "lambda: ",
        "x" * 90,
        "from bells import ",
        "```python\n",
        "::: ",
        " ",
        "default: ",
        "5",
    ]
)


@settings(max_examples=60)
@given(text=st.lists(PARTS, max_size=30).map("".join), path=st.sampled_from(["a.md", "a.rst", "bells/x.py"]))
def test_no_text_raises(text: str, path: str) -> None:
    assert all(finding.check == "python-api" for finding in found("", **{path: text}))


@pytest.mark.parametrize("text", ["(" * 5_000, "x=" * 5_000, "if x:\n" * 200, "a." * 100_000, "-" * 100_000 + "1"])
def test_hostile_code_is_passed_over(text: str) -> None:
    assert found("`bells.evil.Tower`", **{"bells/evil.py": text}) == []


CHAIN = ".x" * 280


@pytest.mark.parametrize(
    "code",
    [
        f"class Tower(a{CHAIN}): ...\n",
        f"@a{CHAIN}\ndef toll(hour=1): ...\n",
        f"def toll(hour=a{CHAIN}): ...\n",
        f"def toll(hour={'(' * 90}1{')' * 90}): ...\n",
        f"def toll(hour={'-' * 900}1): ...\n",
        f"toll = a{CHAIN}\n",
    ],
)
def test_deep_expressions_are_survived(code: str) -> None:
    document = f".. function:: bells.deep.toll(hour=a{CHAIN})\n\n:class:`bells.deep.Tower.wring`\n"
    assert all(finding.check == "python-api" for finding in found(document, "a.rst", **{"bells/deep.py": code}))


def test_an_import_is_mended_where_it_stands() -> None:
    (finding,) = found("```python\nfrom bells.tower import tower, bellof\n```\n")[1:]
    assert finding.edit is not None
    assert finding.edit.new == "from bells.tower import tower, bell_of"


def test_a_constructor_is_named_by_its_class() -> None:
    docstring = '"""Makes one.\n\n        :param size: (default: 2)\n        """'
    code = f"class Rope:\n    def __init__(self, size=1):\n        {docstring}\n"
    (finding,) = CHECKS["python-api"](tree_of({**CODE, "bells/hemp.py": code}))
    assert finding.message == "Rope.size is documented to default to 2, and defaults to 1"
