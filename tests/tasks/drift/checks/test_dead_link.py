"""Links, anchors and paths, by the conventions of code hosts and of site generators."""

import pytest

from schemas.claims import Finding
from tasks.drift.checks import CHECKS
from tests.tasks.drift.trees import tree_of

GUIDE = """\
# Guide

## Set up the bells

### What's new?

<a id='ropes'></a>

Twice
=====

## Twice

## Named {#own-id}
"""
REST = {
    "docs/guide.md": GUIDE,
    "docs/bells/tenor.md": "# Tenor\n",
    "scripts/ring.sh": "echo ding\n",
    "LICENSE": "free\n",
    "docs/my file.md": "# Space\n",
}


def found(text: str, path: str = "README.md", **more: str) -> list[Finding]:
    others = {name.replace("__", "/").replace("_DOT_", "."): content for name, content in more.items()}
    return list(CHECKS["dead-link"](tree_of({**REST, path: text, **others}, ["docs/bell.png", "docs/linked"])))


def targets(text: str, path: str = "README.md", **more: str) -> list[str]:
    return [finding.option for finding in found(text, path, **more)]


PATHS = "`scripts/ring.sh`, `docs/guide.md`"

DEAD = {
    "a link": ("[x](docs/gone.md)", "docs/gone.md"),
    "a picture": ("![x](docs/gone.png)", "docs/gone.png"),
    "a folder": ("[x](tools/)", "tools/"),
    "a definition": ("see [x]\n\n[x]: docs/gone.md\n", "docs/gone.md"),
    "html": ('<img src="docs/gone.png">', "docs/gone.png"),
    "other case": ("[x](docs/GUIDE.md)", "docs/GUIDE.md"),
    "behind a query": ("[x](docs/gone.md?plain=1)", "docs/gone.md?plain=1"),
    "from the top": ("[x](/docs/gone.md)", "/docs/gone.md"),
    "an anchor here": ("# One\n\n[x](#two)", "#two"),
    "an anchor there": ("[x](docs/guide.md#tear-down)", "docs/guide.md#tear-down"),
    "a path in code type": (f"{PATHS}\n\nRun `scripts/toll.sh`.", "scripts/toll.sh"),
}


@pytest.mark.parametrize("path", ["i18n/de/pages/a.md", "docs/locales/fr/a.md", "translations/a.md"])
def test_a_translation_is_laid_over_the_pages_it_links_to(path: str) -> None:
    assert targets("[x](gone.md)", path) == []


@pytest.mark.parametrize("name", DEAD)
def test_what_leads_nowhere_is_found(name: str) -> None:
    text, target = DEAD[name]
    assert targets(text) == [target]


ALIVE = {
    "a file": "[x](docs/guide.md) [y](./LICENSE)",
    "a folder": "[x](docs) [y](docs/bells/)",
    "a picture that is no text": "![x](docs/bell.png)",
    "an encoded name": "[x](docs/my%20file.md)",
    "what lies behind a link": "[x](docs/linked/any.md)",
    "another host": "[x](https://bells.example/gone) [y](//bells.example) [z](mailto:a@bells.example)",
    "out of the repository": "[x](../../issues)",
    "a path of the machine": "[x](/etc/bells.conf)",
    "an anchor": "[x](docs/guide.md#set-up-the-bells)",
    "an anchor with punctuation": "[x](docs/guide.md#whats-new)",
    "an anchor of a heading that comes again": "[x](docs/guide.md#twice-1)",
    "a given id": "[x](docs/guide.md#ropes) [y](docs/guide.md#own-id)",
    "a line": "[x](scripts/ring.sh#L1)",
    "the top": "[x](#top) [y](#)",
    "a template": "[x]({{ site.url }}/gone) [y]({% link gone.md %})",
    "a placeholder": "[x](<path>) [y](url)",
    "in a block of code": "```\n[x](gone.md)\n```",
    "in code type": "`[x](gone.md)`",
    "in a comment": "<!-- [x](gone.md) -->",
    "a path that is made": f"{PATHS}\n\nIt writes `scripts/report.sh`.",
    "an example": f"{PATHS}\n\nSay `scripts/my-script.sh`.",
    "a path in no known folder": f"{PATHS}\n\nLook at `src/main.sh`.",
    "a path beneath another folder": f"{PATHS}\n\nLook at `bells/tenor.md`.",
}


@pytest.mark.parametrize("name", ALIVE)
def test_what_exists_or_can_not_be_told_is_left_alone(name: str) -> None:
    assert targets(ALIVE[name]) == []


def test_what_git_ignores_may_be_made_by_a_build() -> None:
    assert targets("[x](out/report.html)", _DOT_gitignore="/out/\n") == []


def test_a_bad_pattern_in_gitignore_hides_nothing() -> None:
    assert targets("[x](out/report.html)", _DOT_gitignore="a*b*c*d*e\n[[z-a]\n\\\n") == ["out/report.html"]


def test_a_sites_links_without_suffix_are_not_judged() -> None:
    site = {"mkdocs_DOT_yml": "site_name: Bells\n"}
    assert targets("[x](gone/) [y](guide/)", "docs/index.md", **site) == []
    assert targets("[x](gone.md)", "docs/index.md", **site) == ["gone.md"]


def test_a_tab_of_a_site_has_an_anchor() -> None:
    assert targets('[x](#ropes)\n\n=== "Ropes"\n\n    text\n', "docs/index.md", mkdocs_DOT_yml="") == []


def test_a_page_put_together_may_have_any_anchor() -> None:
    assert targets("{% include 'x' %}\n\n[x](#ropes)") == []


def test_a_moved_file_comes_with_its_place_and_an_edit() -> None:
    (finding,) = found("See [the tenor](docs/tenor.md).")
    assert finding.actual == "docs/bells/tenor.md"
    assert finding.edit is not None
    assert finding.edit.new == "See [the tenor](docs/bells/tenor.md)."


def test_a_manual_whose_paths_are_its_readers_is_left_alone() -> None:
    assert targets("Make `scripts/toll.sh` and `scripts/strike.sh`.") == []


def test_a_page_that_another_takes_in_starts_its_links_there() -> None:
    assert targets(".. image:: gone.png\n", "docs/parts/a.rst", docs__b_DOT_rst=".. include:: parts/a.rst\n") == []


def test_a_translated_page_is_named_without_its_language() -> None:
    assert targets("[x](rope.md)", "docs/a.md", docs__rope_DOT_en_DOT_md="# Rope\n") == []


def test_an_anchor_may_lose_its_accents() -> None:
    assert targets("# Höhe\n\n[x](#hohe) [y](#höhe)") == []


def test_a_near_anchor_is_named() -> None:
    (finding,) = found("[x](docs/guide.md#set-up-bells)")
    assert finding.message == "anchor '#set-up-bells' is none in docs/guide.md; the nearest is '#set-up-the-bells'"


def test_a_link_on_a_later_line_of_its_paragraph_is_found_there() -> None:
    (finding,) = found("One\ntwo `a\nb` three\n[four](gone.md)\n")
    assert finding.line == 4


def test_test_data_holds_any_links() -> None:
    assert targets("[x](gone.md)", "tests/data/page.md") == []


RST = "Bells\n=====\n\n.. _ropes:\n\nRopes\n-----\n"


@pytest.mark.parametrize(
    ("text", "dead"),
    [
        (":doc:`guide`", []),
        (":doc:`Gone <gone>`", ["gone"]),
        (":ref:`ropes` :ref:`search`", []),
        (":ref:`clappers`", ["clappers"]),
        (".. include:: gone.txt", ["gone.txt"]),
        (".. image:: bell.png", []),
        ("`x <gone.rst>`_", ["gone.rst"]),
        ("::\n\n  `x <gone.rst>`_", []),
    ],
)
def test_restructuredtext_has_its_own_links(text: str, dead: list[str]) -> None:
    assert targets(f"{RST}\n{text}\n", "docs/page.rst") == dead


def test_a_label_may_stand_in_the_cell_of_a_list_table() -> None:
    table = ".. list-table::\n\n   * - .. _tenor-bell:\n\n       tenor\n     - low\n"
    assert targets(f":ref:`tenor <tenor-bell>`\n\n{table}", "docs/page.rst") == []


def test_labels_may_be_another_projects() -> None:
    assert targets(":ref:`clappers`\n", "docs/page.rst", docs__conf_DOT_py="extensions = ['intersphinx']\n") == []


@pytest.mark.parametrize(
    ("text", "dead"),
    [
        ("xref:guide.md[x] image::bell.png[]", []),
        ("link:gone.adoc[x]", ["gone.adoc"]),
        ("include::{here}/gone.adoc[]", []),
        ("<<ropes>>\n\n[[ropes]]\n== Ropes", []),
        ("<<clappers>>\n\n== Ropes", ["#clappers"]),
        ("----\nlink:gone.adoc[x]\n----", []),
    ],
)
def test_asciidoc_has_its_own_links(text: str, dead: list[str]) -> None:
    assert targets(f"= Bells\n\n{text}\n", "docs/page.adoc") == dead
