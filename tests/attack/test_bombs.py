"""Small files that mean harm to whoever reads them: each costs itself at most, and nothing that it asks for is done."""

from __future__ import annotations

import re
from collections.abc import Callable
from email.message import EmailMessage
from pathlib import Path
from typing import Any
from zlib import compress

import pytest

from tasks.extract.confined import Confined
from tests.attack.bombs import DEEP, GROUPS, files_of
from tests.attack.bounded import MEGABYTE, bounded
from tests.conftest import Ran, make_repo, write

Muniment = Callable[..., Ran]


@pytest.fixture(autouse=True)
def _quiet(words_only: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MUNIMENT_TRACEBACK")


@pytest.mark.slow
@pytest.mark.parametrize("group", GROUPS)
def test_a_repository_of_bombs_is_indexed_and_judged(group: str, tmp_path: Path) -> None:
    repo = make_repo(tmp_path / "repo", {**files_of(group), "docs/heron.md": "# Heron\n\nThe heron sleeps.\n"})
    ran = bounded(60, "-m", "muniment", "index", repo, cwd=tmp_path)
    assert (ran.code, "heron" in bounded(20, "-m", "muniment", "search", "heron sleeps", cwd=tmp_path).out) == (0, True)
    assert ran.peak < 2_200 * MEGABYTE
    ran = bounded(90, "-m", "muniment", "drift", repo, cwd=tmp_path)
    assert ran.code == 0
    assert re.fullmatch(r"(note: \d+ files were not read: too large\n)?", ran.err), ran.err
    assert ran.peak < 2_200 * MEGABYTE
    assert not list(tmp_path.rglob("SPRUNG"))


ARRAY = "[" * 50_000
NESTED = {"open": ARRAY, "closed": ARRAY + "]" * 50_000, "objects": '{"a":' * 50_000, "inline": "a = " + ARRAY}


@pytest.mark.parametrize("what", NESTED)
def test_a_narrowing_file_that_nests_is_no_bug(muniment: Muniment, tmp_path: Path, what: str) -> None:
    repo = make_repo(tmp_path / "repo", {"muniment.toml": NESTED[what], "a.md": "# A\n\nText.\n"})
    ran = muniment("index", repo)
    assert ran.code in (0, 2)
    assert "a bug" not in ran.err


@pytest.mark.parametrize("what", NESTED)
@pytest.mark.parametrize(
    "command",
    [
        ("config", "--config", "FILE"),
        ("eval", "FILE"),
        ("effectiveness", "--import", "LOG", "--mapping", "FILE"),
        ("drift", "REPO", "--baseline", "FILE"),
    ],
)
def test_a_file_of_the_operator_that_nests_is_no_bug(
    muniment: Muniment, tmp_path: Path, command: tuple[str, ...], what: str
) -> None:
    repo = make_repo(tmp_path / "repo", {"a.md": "# A\n\nText.\n"})
    assert muniment("index", repo).code == 0
    write(tmp_path, {"file": NESTED[what], "log.jsonl": '{"at": "2026-01-01", "content": "[Doc] a"}\n'})
    named = {"FILE": tmp_path / "file", "LOG": tmp_path / "log.jsonl", "REPO": repo}
    ran = muniment(*(named.get(word, word) for word in command))
    assert (ran.code, ran.out) == (2, "")
    assert "a bug" not in ran.err


def test_a_log_that_nests_costs_its_own_line(muniment: Muniment, tmp_path: Path, own_place: Path) -> None:
    lines = ['{"at": "2026-01-01T00:00:00+00:00", "content": "[Doc] a"}', ARRAY, '{"a":' * 50_000]
    write(tmp_path, {"log.jsonl": "\n".join(lines) + "\n"})
    ran = muniment("effectiveness", "--import", tmp_path / "log.jsonl")
    assert ran.code in (0, 3)
    write(own_place / "log", {"assembly-2026-01-02.jsonl": "\n".join(lines[1:]) + "\n"})
    assert muniment("effectiveness").code in (0, 3)
    ran = muniment("feedback", "20260102-0123456789ab", "--used", "0" * 32)
    assert (ran.code, "no assembly" in ran.err) == (2, True)


def test_a_body_that_nests_is_refused(muniment: Muniment, tmp_path: Path, own_place: Path) -> None:
    from tests.muniment.http.doors import opened

    muniment("index", make_repo(tmp_path / "repo", {"a.md": "# A\n\nText.\n"}))
    with opened(own_place) as door:
        for path in ("/api/ask", "/api/feedback", "/api/index/scan", "/api/effectiveness/eval", "/mcp"):
            for body in (ARRAY, '{"question":' * 5_000, '{"question": ' + "[" * 30_000 + "]" * 30_000 + "}"):
                headers = {"content-type": "application/json", "accept": "application/json, text/event-stream"}
                answer = door.request("POST", path, content=body.encode(), headers=headers)
                assert 400 <= answer.status_code < 500, (path, answer.status_code)


def flate_bomb(megabytes: int) -> bytes:
    """A PDF whose one page is a stream of this many megabytes of text operators, a thousandth of that in size."""
    stream = compress(b"BT /F1 9 Tf (heron) Tj ET\n" * (megabytes * 40_000), 9)
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/Contents 4 0 R/MediaBox[0 0 9 9]/Resources<</Font<</F1 5 0 R>>>>>>",
        b"<</Length %d/Filter/FlateDecode>>stream\n%s\nendstream" % (len(stream), stream),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    ]
    body = b"".join(b"%d 0 obj\n%s\nendobj\n" % (number, one) for number, one in enumerate(objects, start=1))
    return b"%PDF-1.7\n" + body + b"trailer<</Root 1 0 R/Size 6>>\n%%EOF\n"


def nested_mail(levels: int) -> bytes:
    mail = EmailMessage()
    mail.set_content("the innermost heron")
    for _ in range(levels):
        outer = EmailMessage()
        outer.add_attachment(mail)
        mail = outer
    return mail.as_bytes()


PAPERS: dict[str, Any] = {
    "flate.pdf": flate_bomb(200),
    "loop.pdf": b"%PDF-1.7\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n"
    b"2 0 obj<</Type/Pages/Kids[2 0 R 2 0 R]/Count 9999999>>endobj\ntrailer<</Root 1 0 R/Size 3>>\n%%EOF",
    "nest.pdf": b"%PDF-1.7\n1 0 obj" + b"[" * DEEP + b"\nendobj\ntrailer<</Root 1 0 R>>",
    "nest.eml": nested_mail(40),
    "parts.eml": b"Content-Type: multipart/mixed; boundary=q\n\n"
    + b"--q\nContent-Type: text/plain\n\nx\n" * 50_000
    + b"--q--\n",
    "header.eml": b"Subject: " + b"=?utf-8?q?a?= " * 100_000 + b"\n\nx\n",
    "nest.html": b"<div>" * 100_000 + b"x",
    "table.html": b"<table>" + b"<tr><td>" * 100_000,
    "entity.html": b"<!DOCTYPE a [<!ENTITY b '" + b"b" * 10_000 + b"'>]>" + b"<p>&b;</p>" * 10_000,
    "attributes.html": b"<a " + b"b=c " * 200_000 + b">x</a>",
}


@pytest.mark.slow
def test_papers_that_unfold_cost_only_themselves() -> None:
    with Confined() as confined:
        for name, raw in PAPERS.items():
            confined.extract(name.rpartition(".")[2], raw)
            fine = confined.extract("html", b"<p>the heron</p>")
            assert "the heron" in getattr(fine, "text", ""), name


@pytest.mark.slow
def test_an_archive_of_bombs_is_indexed(tmp_path: Path) -> None:
    sidecars = {"bill.txt": "5 EUR", "bill.txt.yaml": GROUPS["trees"]["laughs"], "a.txt": "6 EUR", "a.yaml": ARRAY}
    manifest = "path,title\n" + "".join(f"../{'x' * 50}{row},{'y' * 300}\n" for row in range(20_000))
    write(tmp_path / "papers", {**PAPERS, **sidecars, "good.txt": "the heron\n", "manifest.csv": manifest})
    write(tmp_path, {"muniment.toml": f'[[sources]]\nname = "p"\nkind = "archive"\npath = "{tmp_path}/papers"\n'})
    ran = bounded(90, "-m", "muniment", "index", "--config", tmp_path / "muniment.toml", cwd=tmp_path)
    assert ran.code in (0, 3)
    assert "a bug" not in ran.err
    assert ran.peak < 1_300 * MEGABYTE
    assert "heron" in bounded(20, "-m", "muniment", "search", "the heron", cwd=tmp_path).out
