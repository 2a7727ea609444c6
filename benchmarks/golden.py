"""`make golden`: the golden questions over public repositories, asked of indexes that muniment itself makes.

A question file names repositories at commits, which files of them to index, and which lines to blank first (a
question that is a heading must not find itself). For each such state one commit is made in a scratch repository and
indexed into a home of its corpus. Vectors are cached there, so a second run embeds nothing.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from benchmarks.repositories import HELP, find_repository
from flows.index import index
from flows.job import make_job
from muniment.embedders import Embedder, EmbedderChoice, make_embedder
from muniment.evaluate.metrics import measure
from muniment.evaluate.questions import Asked, load_questions
from muniment.evaluate.report import as_json, table
from muniment.evaluate.runs import MODES, Ranking, rank_all
from muniment.home import find_config
from muniment.patterns import admits
from muniment.runner import Direct
from muniment.settings import load_settings
from muniment.store.reader import open_reader

ROOT = Path(__file__).resolve().parent.parent
QUESTIONS = ROOT.parent / "shared" / "eval" / "golden_questions.jsonl"
NOTHING: frozenset[tuple[str, int]] = frozenset()


@dataclass(frozen=True, slots=True)
class State:
    """What is indexed for a question: files of a commit, some lines of them blanked."""

    corpus: str
    index: tuple[str, ...]
    exclude: tuple[str, ...]
    blank: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Corpus:
    """A repository at a commit, and the scratch folder in which its states are made and indexed."""

    repo: Path
    commit: str
    scratch: Path

    @property
    def tree(self) -> Path:
        """The scratch repository."""
        return self.scratch / "repo"

    @property
    def home(self) -> Path:
        """The home its indexes are kept in."""
        return self.scratch / "home"


def main() -> int:
    """Asks every question in every mode, and prints the table."""
    args = _parser().parse_args()
    if not args.questions.is_file() or not args.repositories.is_dir():
        print(f"skipped: needs {args.questions} and a folder of repositories (--repositories)", file=sys.stderr)
        return 0
    asked = [one for one in load_questions(args.questions) if not args.sets or one.set.startswith(tuple(args.sets))]
    embedder = make_embedder(EmbedderChoice())
    rankings = list(ask_all(asked, args.repositories, args.cache, embedder))
    report = measure(rankings)
    print(table(report))
    if args.out:
        args.out.write_text(json.dumps(as_json(report, rankings), indent=1))
    if args.plot:
        from muniment.evaluate.plot import draw

        draw(report, args.plot)
    return 0


def ask_all(asked: Iterable[Asked], repositories: Path, cache: Path, embedder: Embedder) -> Iterator[Ranking]:
    """The rankings of all questions, state by state."""
    for state, group in groupby(sorted(asked, key=_state_key), key=state_of):
        corpus = find_corpus(state.corpus, repositories, cache)
        if corpus is None:
            print(f"left out: {state.corpus} is not in {repositories}", file=sys.stderr)
            continue
        make_state(corpus, state)
        index_state(corpus)
        with open_reader(corpus.home / "index") as reader:
            yield from rank_all(reader, [one.model_copy(update={"corpus": ""}) for one in group], MODES, embedder)


def find_corpus(name: str, repositories: Path, cache: Path) -> Corpus | None:
    """The repository and commit that `github:OWNER/NAME@COMMIT` means; None where it is not there."""
    slug, _, commit = name.removeprefix("github:").partition("@")
    repo = find_repository(slug, commit, repositories)
    return Corpus(repo, commit, cache / slug.replace("/", "+")) if repo else None


def make_state(corpus: Corpus, state: State) -> None:
    """Commits the state's files in the scratch repository; writes only those that differ from what stands there."""
    if not corpus.tree.is_dir():
        corpus.tree.mkdir(parents=True)
        _git(corpus.tree, "init", "-q")
    admitted = admits([f"/{glob}" for glob in state.index], [f"/{glob}" for glob in state.exclude])
    listed = _git(corpus.repo, "ls-tree", "-r", "-z", "--format=%(objecttype) %(objectname) %(path)", corpus.commit)
    rows = [row.split(" ", 2) for row in listed.decode().split("\0") if row]
    wanted = {path: blob for kind, blob, path in rows if kind == "blob" and admitted(path)}
    for path in set(_git(corpus.tree, "ls-files", "-z").decode().split("\0")) - {"", *wanted}:
        (corpus.tree / path).unlink()
    for path, blob in wanted.items():
        _write(corpus, path, blob, {line for where, line in state.blank if where == path})
    _git(corpus.tree, "add", "-A", "--force")
    _git(corpus.tree, "commit", "-q", "--allow-empty", "-m", "state")


def index_state(corpus: Corpus) -> None:
    """Indexes the scratch repository's HEAD with vectors, as the product does."""
    config = find_config(None, {})
    job = make_job(load_settings(config), config, corpus.home, os.environ, paths=[str(corpus.tree)])
    report = index(dataclasses.replace(job, allow_shrink=True), Direct())
    if report.pending:
        raise SystemExit(f"{corpus.tree}: {report.pending} vectors pending: {report.pending_reason}")
    if report.embedded:
        print(f"{corpus.scratch.name}: {report.chunks} chunks, {report.embedded} embedded", file=sys.stderr)


def _write(corpus: Corpus, path: str, blob: str, blank: set[int]) -> None:
    target, marker = corpus.tree / path, corpus.scratch / "written" / path
    stamp = f"{blob} {sorted(blank)}"
    if target.exists() and marker.is_file() and marker.read_text() == stamp:
        return
    lines = _git(corpus.repo, "cat-file", "blob", blob).split(b"\n")
    for place, text in (
        (target, b"\n".join(b"" if n in blank else line for n, line in enumerate(lines, 1))),
        (marker, stamp.encode()),
    ):
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(text)


def state_of(asked: Asked) -> State:
    """What has to be indexed for a question."""
    return State(asked.corpus, asked.index, asked.exclude, asked.blank)


def _state_key(asked: Asked) -> tuple[str, ...]:
    return (asked.corpus, str(asked.index), str(asked.exclude), str(asked.blank))


def _git(folder: Path, *words: str) -> bytes:
    own = [
        "-c",
        "user.name=golden",
        "-c",
        "user.email=golden@example.com",
        "-c",
        "gc.auto=0",
        "-c",
        "core.autocrlf=false",
    ]
    return subprocess.run(["git", "-C", folder, *own, *words], check=True, capture_output=True).stdout


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="make golden", description=__doc__)
    parser.add_argument("--questions", type=Path, default=QUESTIONS, metavar="FILE")
    parser.add_argument(
        "--repositories",
        type=Path,
        default=ROOT.parent / "repositories",
        metavar="DIR",
        help=HELP,
    )
    parser.add_argument("--cache", type=Path, default=Path(tempfile.gettempdir()) / "muniment-golden", metavar="DIR")
    parser.add_argument("--sets", nargs="*", metavar="PREFIX", help="only sets whose name begins so")
    parser.add_argument("--out", type=Path, metavar="FILE", help="write figures and rankings as JSON")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="write the plot as PNG")
    return parser


if __name__ == "__main__":
    sys.exit(main())
