"""An archive: what sidecars and the manifest state, in which order they count, and when a document has changed."""

from datetime import date
from pathlib import Path

import pytest

from muniment.errors import SourceUnreadable
from schemas.files import Skipped, Source
from schemas.stated import NOTHING_STATED, Stated
from tasks.enumerate import reader
from tasks.enumerate.manifest import MANIFEST, parse_manifest
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


@pytest.mark.parametrize("name", ["\u00fcB.pdf.YAML", "\u00fcB.Json", "u\u0308b.PDF.yaml", "\u00dcb.yml"])
def test_a_sidecar_is_found_however_its_name_is_spelled(tmp_path: Path, name: str) -> None:
    write(tmp_path, {"x/\u00fcB.pdf": "x", f"x/{name}": '{"sensitivity": "restricted"}'})
    assert stated(tmp_path)["x/\u00fcB.pdf"].sensitivity == "restricted"
    assert ids(tmp_path, "x/\u00fcB.pdf")["x/\u00fcB.pdf"] == read_ids(tmp_path)["x/\u00fcB.pdf"]


@pytest.mark.parametrize("other", ["a.txt.json", "a.yaml", "a.txt.YAML"])
def test_of_all_sidecars_the_strictest_counts(tmp_path: Path, other: str) -> None:
    write(tmp_path, {"a.txt": "x", "a.txt.yaml": "title: one\nsensitivity: public\n"})
    write(tmp_path, {other: '{"title": "two", "correspondent": "Acme", "sensitivity": "restricted"}'})
    assert stated(tmp_path) == {"a.txt": Stated("one", sensitivity="restricted")}


def test_what_is_not_read_is_as_sensitive_as_is_stated(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "a.txt": "",
            "b.txt": "x" * 600_000,
            "a.yaml": "sensitivity: restricted",
            "b.yaml": "sensitivity: confidential",
        },
    )
    (tmp_path / "c.txt").symlink_to("a.txt")
    write(tmp_path, {"c.yaml": "sensitivity: restricted"})
    (tmp_path / "d.txt.yaml").symlink_to("c.yaml")
    files = reader(Source("papers", str(tmp_path), "archive"))
    listing = files.list_files()
    unread = [*listing.skipped, *(one for one in files.read_files(listing.entries) if isinstance(one, Skipped))]
    assert {one.path: one.sensitivity for one in unread} == {
        "a.txt": "restricted",
        "b.txt": "confidential",
        "c.txt": "restricted",
        "d.txt.yaml": "restricted",
    }


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
    found = parse_manifest(["\n".join(mark.join(row) for row in rows)])
    assert found.rows == {"x/a.txt": Stated('A "bill"', date(2025, 11, 5)), "b.txt": Stated()}


def test_two_rows_of_one_document_add_up() -> None:
    found = parse_manifest(["path,title,sensitivity\na.txt,One,restricted\na.txt,Two,public\n"])
    assert found.rows == {"a.txt": Stated("Two", sensitivity="restricted")}


@pytest.mark.parametrize(
    "spelled",
    ["/x/\u00fc.txt", "x//\u00fc.txt", "y/../x/\u00fc.txt", "x/u\u0308.txt", "X/\u00dc.TXT", "x/", "x", "./x", "."],
)
def test_a_row_withholds_what_people_would_say_it_names(tmp_path: Path, spelled: str) -> None:
    write(tmp_path, {"x/\u00fc.txt": "x", "manifest.csv": f"path,sensitivity\n{spelled},restricted\n"})
    assert stated(tmp_path)["x/\u00fc.txt"].sensitivity == "restricted"
    assert ids(tmp_path, "x/\u00fc.txt") == {path: one for path, one in read_ids(tmp_path).items() if path != MANIFEST}


def test_a_folder_tells_its_documents_nothing_but_how_sensitive_they_are(tmp_path: Path) -> None:
    write(tmp_path, {"x/a.txt": "x", "manifest.csv": "path,title,sensitivity\nx,Letters,internal\n"})
    assert stated(tmp_path) == {"x/a.txt": Stated(sensitivity="internal")}


@pytest.mark.parametrize("name", ["manifest.csv", "Manifest.CSV"])
def test_a_row_that_withholds_what_is_not_there_is_doubted(tmp_path: Path, name: str) -> None:
    rows = "path,sensitivity\ngone.txt,public\nx/*,restricted\na.txt,confidential\nx,restricted\n"
    write(tmp_path, {"x/a.txt": "x", name: rows})
    listing = reader(Source("papers", str(tmp_path), "archive")).list_files()
    assert [doubt.split("'")[1] for doubt in listing.doubts] == ["x/*", "a.txt"]


@pytest.mark.parametrize("head", ["path,Sensitivity,sensitivity", "path,sensitivity,Sensitivity"])
def test_of_two_columns_the_stricter_counts(head: str) -> None:
    assert parse_manifest([f"{head}\na.txt,restricted,public\n"]).stated("a.txt").sensitivity == "restricted"


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
