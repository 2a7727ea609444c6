"""What the operator named: folders, files and checks."""

from dataclasses import replace
from pathlib import Path

import pytest

from muniment.drift.named import Named, choose_checks, concerning, files_of, find_named
from muniment.errors import UsageError
from schemas.claims import CHECKS, Place
from tests import gitzoo
from tests.muniment.drift.reports import FLAG, GRACE, LINK, ORDINARY
from tests.tasks.drift.trees import tree_of


def test_a_folder_belongs_to_the_repository_above_it(tmp_path: Path) -> None:
    repo = gitzoo.small(tmp_path)
    assert find_named(str(repo)) == Named(str(repo))
    assert find_named(str(repo / "docs" / "deep")) == Named(str(repo.resolve()), "docs/deep")


def test_a_folder_of_no_repository_is_taken_as_it_stands(tmp_path: Path) -> None:
    assert find_named(str(tmp_path)) == Named(str(tmp_path))
    repo = gitzoo.small(tmp_path)
    assert find_named(str(repo / "nowhere")) == Named(str(repo / "nowhere"))


@pytest.mark.parametrize(
    ("prefix", "name", "path"),
    [
        ("", "README.md", "README.md"),
        ("", "./docs/", "docs"),
        ("", ".", ""),
        ("docs", ".", "docs"),
        ("docs", "two.md", "docs/two.md"),
        ("docs", "../README.md", "README.md"),
        ("docs", "..", ""),
        ("", "../outside.md", "../outside.md"),
        ("", "not utf-8 \udcff.md", r"not utf-8 \xff.md"),
    ],
)
def test_names_are_seen_from_the_folder(prefix: str, name: str, path: str) -> None:
    assert Named("/nowhere", prefix).path_of(name) == path


def test_an_absolute_name_is_a_path_of_the_repository(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(gitzoo.small(tmp_path), target_is_directory=True)
    for top in (tmp_path / "repo", tmp_path / "link"):
        for name in (tmp_path / "repo" / "docs" / "two.md", tmp_path / "link" / "docs" / "two.md"):
            assert Named(str(top)).path_of(str(name)) == "docs/two.md"


def test_a_folder_names_the_files_below_it() -> None:
    tree = tree_of({"docs/a.md": "A", "docs/deep/b.md": "B", "docs2/c.md": "C"}, ["docs/picture.png"])
    assert files_of(tree, ["docs"]) == (frozenset({"docs/a.md", "docs/deep/b.md", "docs/picture.png"}), ())
    found, lost = files_of(tree, ["docs2/c.md", "doc", "x"])
    assert (set(found), lost) == ({"docs2/c.md"}, ("doc", "x"))
    assert len(files_of(tree, [""])[0]) == 4


def test_a_finding_concerns_its_document_and_its_truth() -> None:
    assert concerning(ORDINARY, {"README.md"}).findings == (GRACE, LINK)
    assert concerning(ORDINARY, {"conf/kestrel.conf.template"}).findings == (GRACE,)
    assert concerning(ORDINARY, {"kestrel.sh"}).findings == ()
    assert concerning(ORDINARY, {"k.sh"}).counts == {"agrees": 1, "disagrees": 0, "unknown": 1}
    assert concerning(replace(ORDINARY, findings=(replace(FLAG, truth=Place("x", 1)),)), ()).findings == ()


def test_checks_are_chosen_by_name() -> None:
    assert choose_checks([], []) == set(CHECKS)
    assert choose_checks(["default", "dead-link"], ["dead-link"]) == {"default"}
    assert choose_checks([], ["default"]) == set(CHECKS) - {"default"}


@pytest.mark.parametrize(
    ("name", "nearest"), [("defaults", "default"), ("link", "dead-link"), ("python", "python-api"), ("zzz", "")]
)
def test_an_unknown_check_names_the_nearest(name: str, nearest: str) -> None:
    for wanted, skipped in (([name], []), ([], [name])):
        with pytest.raises(UsageError, match=f"no check '{name}'") as refused:
            choose_checks(wanted, skipped)
        assert (f"did you mean '{nearest}'" in refused.value.hint) is bool(nearest)
        assert "stated-version" in refused.value.hint


def test_no_check_at_all_is_refused() -> None:
    with pytest.raises(UsageError, match="no check is left"):
        choose_checks(["default"], ["default"])
