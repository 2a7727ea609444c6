"""Names that lead out: whoever sends or commits one reads nothing, and writes nothing, outside."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.conftest import Ran, make_repo, write
from tests.muniment.http.doors import FILES, Door, index_repo, opened
from tests.muniment.mcp.agents import Agent, over_stdio

Muniment = Callable[..., Ran]
OUTSIDE = "the cormorant is outside"
"""What stands in a file that no door leads to, and in no other."""
UPWARDS = (
    "../secret.md",
    "../../secret.md",
    "..%2f..%2fsecret.md",
    "..%252f..%252fsecret.md",
    "....//....//secret.md",
    "%2e%2e/%2e%2e/secret.md",
    "..\\..\\secret.md",
    "..%5c..%5csecret.md",
    "%c0%ae%c0%ae/secret.md",
    "%00../secret.md",
    "x%00.js",
    "/etc/passwd",
    "//etc/passwd",
    "file:%2f%2f%2fetc%2fpasswd",
    "app.js/../../../secret.md",
    "app.js%00",
    "APP.JS",
    "~/secret.md",
    ".",
    "..",
    "-",
    "%",
    "CON",
)


@pytest.fixture
def place(tmp_path: Path, own_place: Path) -> Path:
    """A repository that is indexed, and beside it and the home a file that is not."""
    write(tmp_path, {"secret.md": f"# Secret\n\n{OUTSIDE}\n"})
    index_repo(own_place, make_repo(tmp_path / "repo", FILES))
    return tmp_path


@pytest.fixture
def door(place: Path, own_place: Path) -> Iterator[Door]:
    with opened(own_place) as made:
        yield made


@pytest.fixture
def agent(place: Path, own_place: Path) -> Iterator[Agent]:
    with over_stdio(own_place) as talking:
        yield talking


def files_of(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*")}


@pytest.mark.parametrize("route", ["/web/", "/api/documents/", "/api/chunks/", "/api/index/runs/", "/"])
def test_no_address_leads_out(door: Door, place: Path, route: str) -> None:
    kept = files_of(place)
    for name in UPWARDS:
        answer = door.request("GET", f"http://127.0.0.1:8765{route}{name}")
        assert answer.status_code in (200, 404, 400, 422), (name, answer.status_code)
        assert OUTSIDE not in answer.text
        assert "root:" not in answer.text
    assert files_of(place) == kept


def test_no_id_of_the_log_leads_out(muniment: Muniment, door: Door, agent: Agent, place: Path) -> None:
    kept = files_of(place)
    ids = ("../../..", "../../x-1", "/etc/passwd", "20260101/../../x", "../..//a-x", "....", "", "²²²²²²²²-x")
    for one in ids:
        ran = muniment("feedback", "--used", "0" * 32, "--", one)
        assert (ran.code, ran.out) == (2, "")
        assert door.post("/api/feedback", {"assembly": ascii(one), "used": ["0" * 32]}).status_code == 422
        assert agent.call("report_used", assembly=ascii(one), used=["0" * 32]).is_error
        assert agent.call("read", chunk_id=ascii(one)).is_error
    assert files_of(place) == kept


@pytest.mark.parametrize("value", ["../../secret.md", "current", "1e3", "1/../2", "", "0x1"])
def test_a_generation_is_a_number(muniment: Muniment, door: Door, agent: Agent, value: str) -> None:
    assert muniment("search", "heron", f"--as-of={value}").code == 2
    assert door.get("/api/search", params={"q": "heron", "as_of": value}).status_code == 422
    assert door.post("/api/ask", {"question": "heron?", "as_of": value}).status_code == 422
    assert agent.call("search", question="heron", as_of=value).is_error


@pytest.mark.parametrize("value", ["0", "-1", "99", str(2**63), str(10**30)])
def test_a_generation_that_is_not_kept_is_an_error(muniment: Muniment, door: Door, value: str) -> None:
    ran = muniment("search", "heron", f"--as-of={value}")
    assert (ran.code, ran.out) == (2, "")
    assert door.get("/api/search", params={"q": "heron", "as_of": value}).status_code in (400, 422)


@pytest.mark.parametrize("name", ["..", ".", "../../x", "/etc", "a\\..\\..", "x\ny", "CON", "%2e%2e", "-"])
def test_a_source_of_any_name_stays_in_the_home(
    muniment: Muniment, words_only: None, place: Path, own_place: Path, name: str
) -> None:
    before = files_of(place) - {"home"}
    ran = muniment("index", place / "repo", "--worktree", f"--name={name}")
    assert ran.code in (0, 2)
    assert {one for one in files_of(place) - before if not one.startswith("home/")} <= {"home", "prefect"}
    if ran.code == 0:
        hits = muniment("search", "heron", "--json", f"--source={name}").json["hits"]
        assert {hit["source"] for hit in hits} == {name}


@pytest.mark.parametrize("kind", ["vault", "archive"])
def test_no_file_of_a_folder_leads_out(
    muniment: Muniment, words_only: None, place: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    """Neither by a link nor by a sidecar or a manifest that is one, whatever these call it."""
    folder = place / "folder"
    rows = "".join(f"{path},leaked\n" for path in ("../secret.md", "/etc/passwd", "deep/../../secret.md"))
    write(
        folder, {"note.md": "# Note\n\nThe wren.\n", "manifest.csv": f"path,title\n{rows}", "deep/bill.txt": "5 EUR\n"}
    )
    write(place, {"side.yaml": f"title: {OUTSIDE}\n"})
    for name, target in (("out.md", place / "secret.md"), ("note.md.yaml", place / "side.yaml"), ("up", place)):
        (folder / name).symlink_to(target)
    os.link(place / "secret.md", folder / "hard.txt")
    settings = f'[[sources]]\nname = "s"\nkind = "{kind}"\npath = "{folder}"\ninclude = ["../", "/note.md", "deep/"]\n'
    write(place, {"muniment.toml": settings.replace('"../", ', "")})
    monkeypatch.setenv("MUNIMENT_CONFIG", str(place / "muniment.toml"))
    assert muniment("index").code in (0, 3)
    for question in ("cormorant outside", "root daemon", "leaked"):
        assert OUTSIDE not in muniment("search", question, "--json", "--source", "s").out
    write(place, {"muniment.toml": settings})
    ran = muniment("index")
    assert (ran.code, "is a path of the shell" in ran.err) == (2, True)


def test_the_name_of_a_canary_is_only_compared(
    muniment: Muniment, words_only: None, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    canaries = '[{"question": "what does the cormorant do", "path": "../secret.md"}]'
    monkeypatch.setenv("MUNIMENT_QUALITY__CANARIES", canaries)
    ran = muniment("quality", "--json")
    assert ran.code == 1
    assert OUTSIDE not in ran.out
    assert "../secret.md" in ran.out


def test_an_imported_log_writes_to_the_log_alone(muniment: Muniment, place: Path, own_place: Path) -> None:
    lines = [
        '{"at": "2026-01-01T00:00:00+00:00", "content": "[Doc] ../../x", "assembly": "../../x"}',
        '{"at": "2026-01-01/../../../x", "content": "[Doc] a"}',
        '{"at": "../../2026-01-01T00:00:00", "content": "[Doc] a"}',
    ]
    write(place, {"foreign.jsonl": "\n".join(lines) + "\n"})
    before = files_of(place)
    assert muniment("effectiveness", "--import", place / "foreign.jsonl").code in (0, 3)
    assert files_of(place) - before == {"home/log", "home/log/assembly-2026-01-01.jsonl"}
    assert "../" not in (own_place / "log" / "assembly-2026-01-01.jsonl").read_text()


@pytest.mark.parametrize(
    "mapping",
    [
        'at = "../../x"',
        'at = "t"\nfile = "/etc/passwd"',
        'at = ["a", 1]',
        "at = ",
        "\0",
        "x" * 70_000,
        "a." * 5_000 + "a = 1",
    ],
)
def test_a_mapping_names_fields_and_no_files(muniment: Muniment, place: Path, mapping: str) -> None:
    write(place, {"foreign.jsonl": '{"at": "2026-01-01", "content": "[Doc] a"}\n', "map.toml": mapping})
    before = files_of(place)
    ran = muniment("effectiveness", "--import", place / "foreign.jsonl", "--mapping", place / "map.toml")
    assert (ran.code, ran.out) == (2, "")
    assert "Traceback" not in ran.err
    assert files_of(place) == before


def test_drift_looks_at_no_file_that_a_link_names(muniment: Muniment, place: Path) -> None:
    """A link to a file outside that exists is judged as one to a file that does not."""
    there, gone = "../../secret.md", "../../gone.md"
    page = f"[a]({there}) [b]({gone}) [c](/etc/passwd) [d](/etc/gone) [e](file:///etc/passwd) [f](here.md)\n"
    write(place / "repo", {"docs/heron.md": f"# Links\n\n{page}"})
    ran = muniment("drift", place / "repo", "--worktree", "--format", "json", "--checks", "dead-link")
    said = [finding["message"] for finding in ran.json["findings"]]
    assert len([one for one in said if "here.md" in one]) == 1
    for one, other in ((there, gone), ("/etc/passwd", "/etc/gone")):
        assert [text for text in said if one in text] == [text.replace(other, one) for text in said if other in text]
    assert OUTSIDE not in ran.out


@pytest.mark.parametrize(
    "words",
    [
        ("search", b"heron\xff"),
        ("search", "heron", "--section", b"\xff"),
        ("ask", b"heron\xff?"),
        ("index", "HERE", "--name", b"\xff"),
        ("status", "--home", b"\xff"),
    ],
)
def test_a_word_that_is_no_text_is_an_error(words: tuple[str | bytes, ...], place: Path) -> None:
    named = [place / "repo" if word == "HERE" else word for word in words]
    ran = subprocess.run([sys.executable, "-m", "muniment", *named], capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert "is not UTF-8" in ran.stderr


def test_a_folder_whose_name_is_no_text_can_be_indexed(tmp_path: Path, words_only: None) -> None:
    repo = make_repo(tmp_path / os.fsdecode(b"caf\xe9"), {"README.md": "# Heron\n\nThe heron.\n"})
    ran = subprocess.run([sys.executable, "-m", "muniment", "index"], cwd=repo, capture_output=True, check=False)
    assert ran.returncode == 2
    ran = subprocess.run([sys.executable, "-m", "muniment", "index", "."], cwd=repo, capture_output=True, check=False)
    assert (ran.returncode, b"caf\\xe9 at" in ran.stdout) == (0, True)
