"""The golden harness: states of a repository, made, indexed and asked."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from benchmarks import golden
from muniment.embedders import EmbedderChoice, make_embedder
from muniment.evaluate.questions import load_questions
from tests.conftest import git, make_repo

FAQ = "# Questions\n\n## How is it restored?\n\nCopy the folder back.\n\n## How is it paid?\n\nBy invoice.\n"


@pytest.fixture
def repositories(tmp_path: Path) -> Path:
    make_repo(tmp_path / "repositories" / "o+r" / "repo", {"docs/faq.md": FAQ, "docs/old.md": "# Old\n", "run.py": ""})
    return tmp_path / "repositories"


@pytest.fixture
def questions(repositories: Path, tmp_path: Path) -> Path:
    commit = git(repositories / "o+r" / "repo", "rev-parse", "HEAD").strip()
    corpus = {"corpus": f"github:o/r@{commit}", "index": ["docs/*.md"], "exclude": ["docs/old.md"]}
    blanked = {"gold": [{"path": "docs/faq.md", "start": 3, "end": 5}], "blank": [["docs/faq.md", 3]]}
    rows = [
        {"id": "1", "query": "How is it restored?", "set": "faq-r", **blanked, **corpus},
        {"id": "2", "query": "invoice", "set": "words-r", "gold": [{"path": "docs/faq.md"}], **corpus},
        {"id": "3", "query": "x", "set": "lost-r", "gold": [{"path": "a"}], **corpus, "corpus": "github:o/none@0"},
    ]
    file = tmp_path / "questions.jsonl"
    file.write_text("\n".join(map(json.dumps, rows)))
    return file


def test_each_state_holds_its_files_and_not_its_blanked_lines(
    repositories: Path, questions: Path, tmp_path: Path
) -> None:
    first, second, _ = load_questions(questions)
    corpus = golden.find_corpus(first.corpus, repositories, tmp_path / "cache")
    assert corpus is not None
    for one, line in ((first, ""), (second, "## How is it restored?"), (first, "")):
        golden.make_state(corpus, golden.state_of(one))
        assert git(corpus.tree, "ls-files").split() == ["docs/faq.md"]
        assert git(corpus.tree, "show", "HEAD:docs/faq.md").split("\n")[2] == line


def test_questions_are_asked_of_their_own_state(repositories: Path, questions: Path, tmp_path: Path) -> None:
    asked = load_questions(questions)
    rankings = list(golden.ask_all(asked, repositories, tmp_path / "cache", make_embedder(EmbedderChoice())))
    assert {(ranking.asked.key, ranking.mode, ranking.rank) for ranking in rankings} == {
        (key, mode, 1) for key in ("1", "2") for mode in ("lexical", "vector", "hybrid")
    } - {("1", "lexical", 1)} | {("1", "lexical", None)}


def test_without_its_files_it_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    nowhere = str(tmp_path / "nowhere")
    monkeypatch.setattr(sys, "argv", ["golden", "--questions", nowhere, "--repositories", nowhere])
    assert golden.main() == 0
    assert capsys.readouterr().err.startswith("skipped: needs")
