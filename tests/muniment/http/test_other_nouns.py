"""Effectiveness, feedback, drift and health."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Ran
from tests.muniment.http.doors import QUESTION, Door, opened


def test_feedback_counts_as_use(door: Door, home: Path) -> None:
    found = door.get("/api/search", params={"q": "heron"}).json()
    used = [hit["chunk_id"] for hit in found["hits"][:1]]
    answer = door.post("/api/feedback", {"assembly": found["assembly"], "used": used * 2})
    assert (answer.status_code, answer.json()) == (200, {"assembly": found["assembly"], "used": used})
    report = door.get("/api/effectiveness").json()
    assert (report["assemblies"], report["assembled"], report["used"]) == (1, len(found["hits"]), 1)


def test_feedback_on_what_was_not_gathered_is_an_error(door: Door) -> None:
    found = door.get("/api/search", params={"q": "heron"}).json()
    assert door.post("/api/feedback", {"assembly": found["assembly"], "used": ["0" * 32]}).status_code == 400
    assert door.post("/api/feedback", {"assembly": "20260131-0", "used": ["0" * 32]}).status_code == 400


@pytest.mark.parametrize("assembly", ["../../../x", "20260131-/../x", "20260131-\x00", "", "x" * 100])
def test_an_assembly_names_no_file(door: Door, assembly: str) -> None:
    assert door.post("/api/feedback", {"assembly": assembly, "used": ["0" * 32]}).status_code == 422


def test_effectiveness_is_the_command_lines(door: Door, muniment: Callable[..., Ran]) -> None:
    door.get("/api/search", params={"q": "heron"})
    shown = muniment("effectiveness", "--json", "--by", "kind", "--window-hours", 24).json
    report = door.get("/api/effectiveness", params={"by": "kind", "window_hours": 24}).json()
    assert set(report) == set(shown)
    assert report["effects"] == shown["effects"]


def test_an_evaluation_becomes_part_of_the_index(door: Door) -> None:
    door.post("/api/ask", {"question": QUESTION})
    before = door.get("/api/index/status").json()
    done = door.post("/api/effectiveness/eval", {"window_hours": 24}).json()
    after = door.get("/api/index/status").json()
    assert (done["generation"], done["assemblies"], done["window_hours"]) == (before["number"] + 1, 1, 24)
    assert after["number"] == done["generation"]
    assert {name: after[name] for name in ("run", "sources", "fingerprint")} == {
        name: before[name] for name in ("run", "sources", "fingerprint")
    }
    with door.serving.index.reader() as reader:
        rows = reader.rows("effectiveness", ["by", "name", "used"]).to_pylist()
    assert {(one["by"], one["name"], one["used"]) for one in done["effects"]} == {
        (row["by"], row["name"], row["used"]) for row in rows
    }
    assert door.get("/api/search", params={"q": "heron"}).json()["generation"] == done["generation"]


def test_drift_tells_both_values(door: Door) -> None:
    found = door.get("/api/drift").json()
    (claims,) = found["claims"]
    (dispute,) = claims["disputes"]
    assert (claims["source"], claims["counts"]["disagrees"]) == ("birds", 1)
    assert (dispute["option"], dispute["documented"], dispute["actual"]) == ("KESTREL_GRACE", "300", "120")
    assert found["night"] is None


def test_drift_tells_of_the_last_night(home: Path, muniment: Callable[..., Ran], words_only: None) -> None:
    assert muniment("nightly").code == 0
    kept = json.loads((home / "reports" / "nightly.json").read_text())
    with opened(home) as door:
        night = door.get("/api/drift").json()["night"]
        assert (night["run"], night["verdict"]) == (kept["run"], kept["verdict"])
        assert night["drift"] == kept["drift"]
        (home / "reports" / "nightly.json").write_text('{"verdict": 1}')
        assert door.get("/api/drift").json()["night"] is None


def test_ready_says_nothing_of_where_the_index_should_be(own_place: Path) -> None:
    with opened(own_place) as door:
        assert door.get("/healthz").json() == {"status": "ok"}
        answer = door.get("/readyz")
    assert (answer.status_code, answer.json()["error"]) == (503, "NoIndex")
    assert str(own_place) not in answer.text


def test_numbers_name_routes_and_outcomes(door: Door) -> None:
    door.get("/api/documents/x")
    door.get("/api/nowhere/secret")
    door.request("SESAME", "/api/search")
    door.post("/api/ask", {"question": QUESTION})
    text = door.get("/metrics").text
    assert 'muniment_http_requests_total{method="GET",route="/api/documents/{doc_id}",status="404"} 1.0' in text
    assert 'muniment_answers_total{outcome="answered"} 1.0' in text
    assert 'muniment_documents{source="birds"} 5.0' in text
    assert "secret" not in text
    assert "SESAME" not in text


@pytest.mark.parametrize(
    ("path", "alias"),
    [
        ("/api/documents", "/api/vault-index/documents"),
        ("/api/effectiveness", "/api/vault-index/type-effectiveness"),
    ],
)
def test_an_alias_returns_the_same(door: Door, path: str, alias: str) -> None:
    door.post("/api/ask", {"question": QUESTION})
    one, other = (door.get(name).json() for name in (path, alias))
    moments = {"since", "until"}
    assert {name: value for name, value in one.items() if name not in moments} == {
        name: value for name, value in other.items() if name not in moments
    }
    assert one.get("documents") or one["assemblies"] == 1


def test_an_alias_evaluates_and_scans_as_its_original_does(door: Door) -> None:
    done = door.post("/api/vault-index/type-effectiveness/eval", {"window_hours": 24}).json()
    assert (done["window_hours"], door.get("/api/index/status").json()["number"]) == (24, done["generation"])
    scan = door.post("/api/vault-index/scan", {"force": True})
    assert (scan.status_code, scan.json()["state"]) == (202, "running")
    door.serving.runs.wait()
    counts = door.get(f"/api/index/runs/{scan.json()['run']}").json()["counts"]
    names = {"scanned", "indexed", "skipped", "deleted", "chunks", "duration_ms", "errors"}
    assert names <= set(counts)
    assert (counts["indexed"], counts["errors"]) == (5, [])
