"""Documented commands against Makefiles, package.json, justfiles and scripts."""

import pytest

from tasks.drift.checks import CHECKS
from tests.tasks.drift.trees import tree_of

MAKEFILE = """\
NAMES := peal toll
.PHONY: ring
ring: rope
	echo ding
$(NAMES):
	echo
out/%.wav:
	echo
include more.mk
"""
FILES = {
    "Makefile": MAKEFILE,
    "more.mk": "strike:\n\techo dong\n",
    "package.json": '{"scripts": {"build": "x"}}',
    "justfile": "alias t := test\ntest tower=\"north\" *rest:\n  echo\nport := '1'\n",
    "tower.sh": "#!/bin/sh\ncase $1 in\n  open) up ;;\n  close) down ;;\n  *) echo usage; exit 2 ;;\nesac\n",
}


def missing(text: str, path: str = "README.md", **more: str) -> list[str]:
    tree = tree_of({**FILES, path: text, **{name.replace("_DOT_", "."): content for name, content in more.items()}})
    return [finding.option for finding in CHECKS["missing-command"](tree)]


MISSING = {
    "a target": ("```bash\nmake clean\n```\n", "make clean"),
    "a target among others": ("```\n$ make -j4 ring V=1 clean\n```\n", "make clean"),
    "a target in code type": ("Run `make clean`.\n", "make clean"),
    "a script": ("```sh\nnpm install && npm run lint\n```\n", "npm run lint"),
    "a recipe": ("```sh\njust lint\n```\n", "just lint"),
    "a sub-command": ("```sh\n./tower.sh paint\n```\n", "tower.sh paint"),
}


@pytest.mark.parametrize("name", MISSING)
def test_a_command_that_is_nowhere_is_found(name: str) -> None:
    text, command = MISSING[name]
    assert missing(text) == [command]


@pytest.mark.parametrize(
    "text",
    [
        "`make ring`, `make strike`, `make toll`, `make out/a.wav` and `make <target>`\n",
        "`npm run build`, `just test`, `just t`, `tower.sh open` and `npm test`\n",
        "```\ncd ../elsewhere\nmake clean\n```\n",
        "```\ngit clone https://bells.example/x\ncd x\nmake clean\n```\n",
        "```\nmake ring           shows this text\n```\n",
        "```python\nmake clean\n```\n",
        "It will make sure of it.\n",
        "```\nusage: bell token create NAME\n\nmake a token and print it, this once\n```\n",
        "```\nmake the bells\n```\n",
        "```\nmake -f other.mk clean\n```\n",
    ],
)
def test_what_exists_or_is_run_elsewhere_is_left_alone(text: str) -> None:
    assert missing(text) == []


def test_a_makefile_that_generates_targets_is_not_judged() -> None:
    assert missing("`make clean`\n", Makefile="$(foreach x,$(all),$(eval $(x):))\nring:\n") == []


def test_a_makefile_with_an_unseen_include_is_not_judged() -> None:
    assert missing("`make clean`\n", Makefile="include gone.mk\nring:\n") == []


def test_the_makefile_beside_a_document_counts_as_well() -> None:
    tree = tree_of({**FILES, "docs/Makefile": "html:\n", "docs/a.md": "`make html` or `make pdf`\n"})
    assert [finding.option for finding in CHECKS["missing-command"](tree)] == ["make pdf"]


def test_without_a_makefile_nothing_is_said() -> None:
    assert list(CHECKS["missing-command"](tree_of({"README.md": "`make clean`\n"}))) == []


def test_a_near_name_is_told() -> None:
    tree = tree_of({**FILES, "README.md": "`make stricke`\n"})
    (finding,) = CHECKS["missing-command"](tree)
    assert finding.message == "'make stricke' is documented, but Makefile has no stricke; it has strike"
