"""`ask` and `feedback` as a person meets them, without a model."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import make_repo

FILES = {
    "scripts/kestrel.sh": "#!/bin/sh\n#\n# kestrel.sh - copy the archive\n#\n# OPERATIONAL SAFEGUARDS\n#\n"
    "# Grace window\n"
    "#   On TERM the copy in hand gets KESTREL_GRACE seconds (default: 300) to finish, and is\n"
    "#   thrown away after that.\n#\n# RUNTIME MODES\n#\n# --dry-run\n#   Print what would be copied.\n\nexit 0\n",
    "docs/heron.md": "# Heron\n\nThe heron job prints \x1b[31mred\x1b[0m labels for the boxes.\n\nIt never sleeps.\n",
}
QUESTION = "How long does the copy in hand get to finish on TERM?"


@pytest.fixture
def indexed(muniment: Any, tmp_path: Path, words_only: None) -> Path:
    repo = make_repo(tmp_path / "repo", FILES)
    assert muniment("index", repo).code == 0
    return repo


def test_an_answer_opens_at_its_lines(muniment: Any, indexed: Path) -> None:
    ran = muniment("ask", QUESTION)
    assert (ran.code, ran.err) == (0, "")
    assert "KESTREL_GRACE seconds (default: 300) to finish" in ran.out
    assert "[1] scripts/kestrel.sh:" in ran.out
    assert "OPERATIONAL SAFEGUARDS > Grace window" in ran.out


def test_what_is_cited_stands_in_the_file(muniment: Any, indexed: Path) -> None:
    answer = muniment("ask", QUESTION, "--json").json
    (first, *_) = answer["citations"]
    lines = (indexed / first["path"]).read_text().splitlines()[first["line_start"] - 1 : first["line_end"]]
    assert first["text"].split() == " ".join(line.removeprefix("#") for line in lines).split()
    assert (answer["model"], answer["host"], answer["prompt"]) == ("none", "", "")


def test_without_an_answer_the_closest_passages_are_shown(muniment: Any, indexed: Path) -> None:
    ran = muniment("ask", "Who won the football World Cup in 1998?")
    assert ran.code == 0
    assert ran.out.startswith("no answer: nothing that was found answers the question\n")
    assert ran.err.startswith("note: no_matching_content: ")


def test_nothing_live_is_shown(muniment: Any, indexed: Path) -> None:
    assert "\x1b" not in muniment("ask", "What does the heron job print?").out
    assert "\x1b" not in muniment("ask", "heron \x1b[2J labels").out


@pytest.mark.parametrize(
    "question",
    ["--grace?", "${KESTREL_GRACE}", "a/b.sh", "C++", '"', "the", "日本語", "x" * 5_000, "?", "OR AND NOT *:"],
)
def test_any_question_is_taken(muniment: Any, indexed: Path, question: str) -> None:
    ran = muniment("ask", "--json", "--", question)
    assert ran.code == 0
    assert ran.json["reason"] in ("", "no_matching_content")


def test_an_empty_question_is_an_error(muniment: Any, indexed: Path) -> None:
    assert muniment("ask", "  ").code == 2


def test_a_path_limits_what_is_asked(muniment: Any, indexed: Path) -> None:
    answer = muniment("ask", QUESTION, "--path", "docs/", "--json").json
    assert all(one["path"] == "docs/heron.md" for one in answer["excerpts"])


@pytest.mark.parametrize(
    ("asked", "settings", "code", "says"),
    [
        ("ollama", {}, 4, "ask.enabled"),
        ("gpt", {}, 2, "choose one of none, ollama, openai"),
        ("openai", {"ASK__ENABLED": "true", "MODEL__NAME": "ollama"}, 2, "allow 'none' and 'ollama'"),
        ("ollama", {"ASK__ENABLED": "true", "MODEL__NAME": "ollama"}, 2, "model.model"),
        (
            "ollama:x",
            {"ASK__ENABLED": "true", "MODEL__NAME": "ollama", "MODEL__HOSTS": '["http://192.0.2.1"]'},
            4,
            "egress_ack",
        ),
    ],
)
def test_a_model_is_asked_only_as_settings_allow(
    muniment: Any,
    indexed: Path,
    monkeypatch: pytest.MonkeyPatch,
    asked: str,
    settings: dict[str, str],
    code: int,
    says: str,
) -> None:
    for key, value in settings.items():
        monkeypatch.setenv(f"MUNIMENT_{key}", value)
    ran = muniment("ask", QUESTION, "--model", asked)
    assert ran.code == code
    assert says in ran.err


def test_none_is_always_allowed(muniment: Any, indexed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MUNIMENT_ASK__ENABLED", "true")
    monkeypatch.setenv("MUNIMENT_MODEL__NAME", "ollama")
    monkeypatch.setenv("MUNIMENT_MODEL__MODEL", "x")
    assert muniment("ask", QUESTION, "--model", "none", "--json").json["model"] == "none"


def test_the_log_holds_what_was_gathered_and_no_text(muniment: Any, indexed: Path, own_place: Path) -> None:
    answer = muniment("ask", QUESTION, "--json").json
    (log,) = (own_place / "log").iterdir()
    text = log.read_text()
    line = json.loads(text)
    assert line["assembly"] == answer["assembly"]
    assert line["chunk_ids"] == [one["chunk_id"] for one in answer["excerpts"]]
    assert line["used"] == [one["chunk_id"] for one in answer["citations"]]
    assert not any(word in text for word in ("copy", "TERM", "KESTREL", "kestrel"))


def test_a_search_is_logged_as_well(muniment: Any, indexed: Path, own_place: Path) -> None:
    found = muniment("search", "kestrel", "--json").json
    (log,) = (own_place / "log").iterdir()
    line = json.loads(log.read_text())
    assert (line["act"], line["assembly"], line["used"]) == ("search", found["assembly"], [])
    assert line["chunk_ids"] == [hit["chunk_id"] for hit in found["hits"]]
    assert muniment("feedback", found["assembly"], "--used", line["chunk_ids"][0]).code == 0


def test_feedback_names_what_was_used(muniment: Any, indexed: Path, own_place: Path) -> None:
    answer = muniment("ask", QUESTION, "--json").json
    chunk = answer["excerpts"][-1]["chunk_id"]
    ran = muniment("feedback", answer["assembly"], "--used", chunk, chunk)
    assert ran.out == f"recorded: 1 used of assembly {answer['assembly']}\n"
    (log,) = (own_place / "log").iterdir()
    assert json.loads(log.read_text().splitlines()[-1])["used"] == [chunk]
    assert muniment("feedback", "nothing", "--used", chunk).code == 2
    assert muniment("feedback", answer["assembly"]).code == 2


def test_doctor_says_who_words_answers(muniment: Any, indexed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "model      none: answers are sentences of the documents" in muniment("doctor").out
    for key, value in {"ASK__ENABLED": "true", "MODEL__NAME": "ollama", "MODEL__MODEL": "x"}.items():
        monkeypatch.setenv(f"MUNIMENT_{key}", value)
    monkeypatch.setenv("MUNIMENT_MODEL__HOSTS", '["http://127.0.0.1:9"]')
    ran = muniment("doctor")
    assert ran.code == 1
    assert "ollama:x at http://127.0.0.1:9 is passed over" in ran.out


def test_marks_of_rst_are_no_words(muniment: Any, tmp_path: Path, words_only: None) -> None:
    steps = (
        "Restoring the loft\n==================\n\n.. _loft:\n\n.. note:: The loft is restored by hand.\n\n"
        "#. Fetch the blue ladder from the shed.\n#. Lean the blue ladder against the loft.\n"
    )
    assert muniment("index", make_repo(tmp_path / "repo", {"docs/loft.rst": steps})).code == 0
    answer = muniment("ask", "Where is the blue ladder fetched from?", "--json").json["answer"]
    assert "Fetch the blue ladder from the shed." in answer
    assert not {".", "..", "#."} & set(answer.split())
    assert "::" not in answer


def test_requests_of_a_manual_page_are_no_words(muniment: Any, tmp_path: Path, words_only: None) -> None:
    page = (
        '.TH ladder 8 "2026-01-31" "LOFT COMMANDS"\n.SH NAME\nladder \\- lean the blue ladder against the loft.\n'
        ".SH OPTIONS\n.TP\n.B \\-\\-angle\nDegrees between \\fIladder\\fR and floor (default: 75).\n"
    )
    assert muniment("index", make_repo(tmp_path / "repo", {"man/ladder.8": page})).code == 0
    name = muniment("ask", "What does the blue ladder lean against?", "--json").json["answer"]
    assert name == "ladder - lean the blue ladder against the loft. [1]"
    angle = muniment("ask", "How many degrees are between ladder and floor by default?", "--json").json["answer"]
    assert "--angle Degrees between ladder and floor (default: 75)." in angle


def test_what_is_quoted_is_numbered_first(muniment: Any, tmp_path: Path, words_only: None) -> None:
    files = {
        "docs/a.md": "```\ngannets: nest\nnest: gannets\n```\n",
        "docs/b.md": "The gannets nest above the far shelf, where nobody can reach them.\n",
    }
    assert muniment("index", make_repo(tmp_path / "repo", files)).code == 0
    answer = muniment("ask", "Where do the gannets nest?", "--json").json
    assert [(one["id"], one["path"]) for one in answer["citations"]] == [(1, "docs/b.md")]
    assert [one["id"] for one in answer["excerpts"]] == list(range(1, len(answer["excerpts"]) + 1))


def test_what_was_taken_out_leaves_one_blank_line(muniment: Any, tmp_path: Path, words_only: None) -> None:
    text = "# Gannets\n\n<!--\n\nhidden\n\nhidden\n-->\n\nThe gannets nest.\n"
    assert muniment("index", make_repo(tmp_path / "repo", {"docs/a.md": text})).code == 0
    shown = muniment("ask", "Which opera has the most gannets and sopranos?").out
    assert "    | # Gannets\n    | \n    | The gannets nest.\n" in shown
