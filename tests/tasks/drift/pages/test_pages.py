"""Documents, taken apart."""

import pytest

from tasks.drift.pages import Page, Term, read_page
from tasks.drift.pages.slugs import slugs
from tests.tasks.drift.trees import tree_of


def page(text: str, path: str = "README.md") -> Page:
    return read_page(tree_of({path: text}).files[path])


MARKDOWN = """\
---
title: Bells
---

# The `bells`

Pull `ROPE` and
then `WHEEL`.

| Name | Meaning |
| --- | --- |
| `BELL_ROPE` | a [link](rope.md) |

- `BELL_STAY`: b
- **BELL_FRAME** c

```bash {.wide}
ring --all
```

![x](bell.png) and [y][z]

[z]: wheel.md
<p><a href="frame.md">f</a></p>
"""


def test_markdown_is_taken_apart_with_its_lines() -> None:
    read = page(MARKDOWN)
    assert [(span.line, span.text) for span in read.spans] == [
        (5, "bells"), (7, "ROPE"), (8, "WHEEL"), (12, "BELL_ROPE"), (14, "BELL_STAY"),
    ]  # fmt: skip
    assert [(link.line, link.target) for link in read.links] == [
        (12, "rope.md"), (21, "bell.png"), (23, "wheel.md"), (24, "frame.md"),
    ]  # fmt: skip
    assert [(term.line, term.name) for term in read.terms] == [
        (5, "bells"), (12, "BELL_ROPE"), (14, "BELL_STAY"), (15, "BELL_FRAME"),
    ]  # fmt: skip
    assert [(fence.line, fence.language, fence.lines[0]) for fence in read.fences] == [(18, "bash", "ring --all")]
    assert read.anchors == {"the-bells"}


def test_names_of_one_table_share_a_group() -> None:
    read = page("| N |\n| - |\n| `A_B` |\n| `C_D` |\n\n| N |\n| - |\n| `E_F` |\n")
    assert read.terms == (Term(3, "A_B", "table 1"), Term(4, "C_D", "table 1"), Term(8, "E_F", "table 6"))


RST = """\
Bells
=====

.. setting:: BELL_ROPE

See ``rope`` and :doc:`wheel`::

   ``code`` and `x <frame.rst>`_

``BELL_STAY``
    Stays.

.. a comment with ``code``
"""


def test_restructuredtext_is_taken_apart_with_its_lines() -> None:
    read = page(RST, "docs/a.rst")
    assert [(span.line, span.text) for span in read.spans] == [(6, "rope"), (10, "BELL_STAY")]
    assert [(term.line, term.name) for term in read.terms] == [(1, "Bells"), (4, "BELL_ROPE"), (10, "BELL_STAY")]
    assert [(link.line, link.target, link.kind) for link in read.links] == [(6, "wheel", "doc")]
    assert [(fence.line, fence.lines[1]) for fence in read.fences] == [(7, "``code`` and `x <frame.rst>`_")]


ADOC = """\
= Bells

BELL_ROPE:: pulls `wheels`, see xref:rope.adoc#top[there].

----
`code`
----
// `comment`
"""


def test_asciidoc_is_taken_apart_with_its_lines() -> None:
    read = page(ADOC, "docs/a.adoc")
    assert [(span.line, span.text) for span in read.spans] == [(3, "wheels")]
    assert [(term.line, term.name) for term in read.terms] == [(3, "BELL_ROPE")]
    assert [(link.line, link.target) for link in read.links] == [(3, "rope.adoc#top")]
    assert [(fence.line, fence.lines) for fence in read.fences] == [(6, ("`code`",))]


SCRIPT = """\
#!/bin/bash
# ring.sh - rings the bells of the tower
#
# BELL_ROPE, BELL_STAY
#   How `hard` they are pulled.

BELL_ROPE=1
"""


def test_a_scripts_header_is_its_documentation() -> None:
    read = page(SCRIPT, "ring.sh")
    assert [(term.line, term.name) for term in read.terms] == [(4, "BELL_ROPE"), (4, "BELL_STAY")]
    assert [(span.line, span.text) for span in read.spans] == [(5, "hard")]
    assert [number for number, _ in read.documentation] == [2, 3, 4, 5]


@pytest.mark.parametrize("path", ["notes.txt", "main.c", "bells.conf.template"])
def test_what_has_no_markup_is_empty(path: str) -> None:
    assert page("`A_B` [x](y)\n", path) == Page()


@pytest.mark.parametrize(
    ("titles", "anchors"),
    [
        (["What's new?"], ["whats-new"]),
        (["Twice", "Twice", "Twice"], ["twice", "twice-1", "twice-2"]),
        (["snake_case & more"], ["snake_case--more"]),
        (["Über Glocken"], ["über-glocken"]),
        (["<own_config>"], ["own_config"]),
        (["Named {#own}"], ["own", "named"]),
    ],
)
def test_headings_have_the_anchors_of_a_code_host(titles: list[str], anchors: list[str]) -> None:
    assert list(slugs(titles)) == anchors
