"""Does `ask` know what a public repository does not say? It is asked its own questions, and those of other projects.

`python -m benchmarks.foreign --repositories DIR scrapy syncthing`. Some questions of others are any project's ("how do
I report a bug"), so that answering one is not always wrong.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path

from benchmarks.golden import QUESTIONS, Corpus, find_corpus, index_state, make_state, state_of
from benchmarks.repositories import HELP
from muniment.ask.answer import ask
from muniment.ask.gather import Limits
from muniment.embedders import Embedder, EmbedderChoice, make_embedder
from muniment.evaluate.questions import Asked, load_questions
from muniment.store.reader import open_reader

MOST = 60


def main() -> int:
    """Prints precision and recall of "not in the documents" for each corpus named."""
    args = _parser().parse_args()
    if not args.questions.is_file() or not args.repositories.is_dir():
        print(f"skipped: needs {args.questions} and a folder of repositories (--repositories)", file=sys.stderr)
        return 0
    asked = [one for one in load_questions(args.questions) if one.set.startswith(("faq-", "link-"))]
    embedder = make_embedder(EmbedderChoice())
    for name in args.corpora:
        own = [one for one in asked if one.set.partition("-")[2] == name][:MOST]
        others = [one for one in asked if one.set.startswith("faq-") and not one.set.endswith(name)]
        print(_figures(name, own, _spread(others), args, embedder), flush=True)
    return 0


def _figures(name: str, own: Sequence[Asked], others: Sequence[Asked], args: argparse.Namespace, by: Embedder) -> str:
    states = [(corpus, list(group)) for corpus, group in _indexed(own, args)]
    if not states:
        return f"{name}: left out, its repository is not there"
    silent = sum(count for _, count in states_silent(states, by))
    foreign = _silent(states[-1][0], others, by)
    recall, wrong = foreign / len(others), silent / len(own)
    return (
        f"{name}: {len(own)} with an answer, {len(others)} of other projects: abstention precision"
        f" {foreign / max(1, foreign + silent):.3f} (with as many of each {recall / max(recall + wrong, 1e-9):.3f}),"
        f" recall {recall:.3f}"
    )


def states_silent(states: Sequence[tuple[Corpus, list[Asked]]], by: Embedder) -> Iterator[tuple[Corpus, int]]:
    """Each state, indexed again, with how many of its questions were not answered."""
    for corpus, group in states:
        make_state(corpus, state_of(group[0]))
        index_state(corpus)
        yield corpus, _silent(corpus, group, by)


def _indexed(own: Sequence[Asked], args: argparse.Namespace) -> Iterator[tuple[Corpus, Iterator[Asked]]]:
    for state, group in groupby(sorted(own, key=lambda one: str(state_of(one))), key=state_of):
        corpus = find_corpus(state.corpus, args.repositories, args.cache)
        if corpus is not None:
            yield corpus, group


def _silent(corpus: Corpus, asked: Sequence[Asked], by: Embedder) -> int:
    with open_reader(corpus.home / "index") as reader:
        return sum(bool(ask(reader, one.query, by, None, Limits()).reason) for one in asked)


def _spread(asked: Sequence[Asked]) -> Sequence[Asked]:
    """At most `MOST` of the questions, from all parts of the list."""
    return asked[:: max(1, len(asked) // MOST)][:MOST]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.foreign", description=__doc__)
    parser.add_argument("corpora", nargs="+", metavar="NAME", help="as sets end: scrapy, syncthing, restic, ...")
    parser.add_argument("--questions", type=Path, default=QUESTIONS, metavar="FILE")
    parser.add_argument("--repositories", type=Path, required=True, metavar="DIR", help=HELP)
    parser.add_argument("--cache", type=Path, default=Path(tempfile.gettempdir()) / "muniment-golden", metavar="DIR")
    return parser


if __name__ == "__main__":
    sys.exit(main())
