"""An archive: what sidecars and the manifest state, in which order they count, and when a document has changed."""

from datetime import date
from pathlib import Path

import pytest

from muniment.errors import SourceUnreadable
from schemas.files import Source
from schemas.stated import NOTHING_STATED, Stated
from tasks.enumerate import reader
from tasks.enumerate.manifest import parse_manifest
from tests.conftest import write


def stated(place: Path) -> dict[str, Stated]:
    listing = reader(Source("papers", str(place), "archive")).list_files()
    return {entry.path: entry.stated for entry in listing.entries if entry.stated != NOTHING_STATED}


def ids(place: Path, *paths: str) -> dict[str, str]:
    return dict(reader(Source("papers", str(place), "archive")).present_ids(paths))


def read_ids(place: Path) -> dict[str, str]:
    files = reader(Source("papers", str(place), "archive"))
    return {
        one[0].path: one[0].content_id for one in files.read_files(files.list_files().entries) if isinstance(one, tuple)
    }


@pytest.mark.parametrize(
    "name", ["bill.pdf.yaml", "bill.pdf.yml", "bill.pdf.json", "bill.yaml", "bill.yml", "bill.json"]
)
def test_a_sidecar_is_found_by_its_name(tmp_path: Path, name: str) -> None:
    write(tmp_path, {"x/bill.pdf": "x", f"x/{name}": '{"title": "A bill", "date": "2025-01-02"}', "bill.pdf": "x"})
    assert stated(tmp_path) == {"x/bill.pdf": Stated("A bill", date(2025, 1, 2))}


def test_the_sidecar_of_the_whole_name_goes_before_that_of_the_stem(tmp_path: Path) -> None:
    write(tmp_path, {"a.pdf": "x", "a.txt": "x", "a.yaml": "title: both", "a.pdf.json": '{"title": "pdf"}'})
    assert {path: said.title for path, said in stated(tmp_path).items()} == {"a.pdf": "pdf", "a.txt": "both"}


def test_the_sidecar_goes_before_the_manifest(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "a.txt": "x",
            "a.yaml": "title: sidecar",
            "manifest.csv": "path,title,correspondent,sensitivity\na.txt,manifest,Acme,confidential\n",
        },
    )
    assert stated(tmp_path) == {"a.txt": Stated("sidecar", None, "Acme", (), "confidential")}


def test_a_sidecar_that_can_not_be_read_hides_its_document(tmp_path: Path) -> None:
    write(
        tmp_path, {"a.txt": "x", "a.yaml": b"\0\1\2", "b.txt": "x", "b.yaml": "y" * 70_000, "c.txt": "x", "c.yaml": ""}
    )
    (tmp_path / "d.txt").write_text("x")
    (tmp_path / "d.yaml").symlink_to(tmp_path / "c.yaml")
    found = stated(tmp_path)
    assert {path: said.sensitivity for path, said in found.items()} == dict.fromkeys(
        ("a.txt", "b.txt", "d.txt"), "restricted"
    )
    assert all(said.faults for said in found.values())


def test_a_document_has_changed_when_only_its_sidecar_did(tmp_path: Path) -> None:
    write(tmp_path, {"a.txt": "x", "a.yaml": "title: one", "b.txt": "y"})
    before = read_ids(tmp_path)
    assert ids(tmp_path, "a.txt", "b.txt", "gone.txt") == {path: before[path] for path in ("a.txt", "b.txt")}
    write(tmp_path, {"a.yaml": "title: two"})
    after = ids(tmp_path, "a.txt", "b.txt")
    assert after["a.txt"] != before["a.txt"]
    assert after["b.txt"] == before["b.txt"]


@pytest.mark.parametrize("mark", [",", ";", "\t"])
def test_a_manifest_is_read_with_any_separator(mark: str) -> None:
    rows = [["File", "Date", "Title"], ["x\\a.txt", "2025-11-05", '"A ""bill"""'], ["", "", ""], ["./b.txt", "", ""]]
    found = parse_manifest("\n".join(mark.join(row) for row in rows))
    assert found == {"x/a.txt": Stated('A "bill"', date(2025, 11, 5)), "b.txt": Stated()}


def test_two_rows_of_one_document_add_up() -> None:
    found = parse_manifest("path,title,sensitivity\na.txt,One,restricted\na.txt,Two,public\n")
    assert found == {"a.txt": Stated("Two", sensitivity="restricted")}


@pytest.mark.parametrize(
    "broken",
    [
        "name,title\na.txt,x\n",
        "path,title\na.txt,A, with a comma\n",
        "path,title,sensitivity\na.txt,confidential\n",
        'path,title\na.txt,"never closed\n',
        b"path\0title",
        b"\xff\xfe\x00",
    ],
)
def test_a_manifest_that_can_not_be_understood_stops_the_run(tmp_path: Path, broken: str | bytes) -> None:
    write(tmp_path, {"a.txt": "x", "manifest.csv": broken})
    with pytest.raises(SourceUnreadable, match=r"manifest\.csv"):
        stated(tmp_path)


def test_an_empty_manifest_states_nothing(tmp_path: Path) -> None:
    write(tmp_path, {"a.txt": "x", "manifest.csv": ""})
    assert stated(tmp_path) == {}


def test_a_fault_names_its_file_and_row(tmp_path: Path) -> None:
    write(tmp_path, {"a.txt": "x", "a.yaml": "date: soon", "manifest.csv": "path,sensitivity\na.txt,hush\n"})
    assert [fault.partition(": ")[0] for fault in stated(tmp_path)["a.txt"].faults] == ["a.yaml", "manifest.csv, row 2"]
