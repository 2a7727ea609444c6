"""Settings of templates that no document mentions."""

from tasks.drift.checks import CHECKS
from tests.tasks.drift.trees import tree_of

NAMES = [f"BELL_{name}" for name in ("ROPE", "WEIGHT", "PITCH", "FRAME", "WHEEL", "STAY", "CLAPPER")]
TEMPLATE = "".join(f"# What it is.\n{name}=1\n\n" for name in NAMES)
CODE = "\n".join(f"echo ${name}" for name in NAMES)


def undocumented(
    readme: str, template: str = TEMPLATE, code: str = CODE, path: str = "bells.conf.template"
) -> list[str]:
    tree = tree_of({"README.md": readme, path: template, "ring.bash": code})
    return [finding.option for finding in CHECKS["undocumented-setting"](tree)]


def test_the_one_setting_that_is_in_no_document_is_found() -> None:
    tree = tree_of({"README.md": " ".join(NAMES[:-1]), "bells.conf.template": TEMPLATE, "ring.bash": CODE})
    (finding,) = CHECKS["undocumented-setting"](tree)
    assert (finding.path, finding.line, finding.option) == ("bells.conf.template", 20, "BELL_CLAPPER")
    assert finding.message == "setting BELL_CLAPPER is in no document; 6 of 7 in bells.conf.template are"


def test_where_documents_list_few_settings_nothing_is_said() -> None:
    assert undocumented(" ".join(NAMES[:3])) == []


def test_a_setting_that_nothing_uses_is_left_alone() -> None:
    assert undocumented(" ".join(NAMES[:-1]), code=CODE.replace("BELL_CLAPPER", "x")) == []


def test_a_setting_commented_out_is_left_alone() -> None:
    assert undocumented(" ".join(NAMES[:-1]), TEMPLATE.replace("BELL_CLAPPER=", "#BELL_CLAPPER=")) == []


def test_another_programs_settings_are_no_template() -> None:
    assert undocumented(" ".join(NAMES[:-1]), path="conf/bells.conf") == []


def test_a_roles_defaults_are_meant_for_its_own_readme() -> None:
    names = [name.lower() for name in NAMES]
    defaults = "".join(f"{name}: 1\n" for name in names)
    role = {"roles/bells/defaults/main.yml": defaults, "roles/bells/tasks/main.yml": " ".join(names)}
    listed = {"roles/bells/README.md": " ".join(names[:-1])}
    found = CHECKS["undocumented-setting"](tree_of({**role, **listed}))
    assert [finding.option for finding in found] == ["bell_clapper"]
    assert list(CHECKS["undocumented-setting"](tree_of({**role, "README.md": " ".join(names[:-1])}))) == []
