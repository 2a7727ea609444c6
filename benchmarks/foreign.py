"""Does `ask` know what a public repository does not say? It is asked what its pages answer, and what they don't.

`python -m benchmarks.foreign --repositories DIR scrapy syncthing dms`. Two sets for each corpus: its golden questions
against those of other projects, of which some are any project's ("how do I report a bug"), so that answering one is not
always wrong; and questions in words of our own (`foreign_questions.json`), written before any was asked. `--fit` fits
the weights of `muniment/ask/evidence.py` on half of them, and on half of the sample's.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from benchmarks.abstention import Known, fit, load_questions, sample_reader
from benchmarks.golden import QUESTIONS, State, find_corpus, index_state, make_state, state_of
from benchmarks.repositories import HELP
from muniment.ask.evidence import strongest
from muniment.ask.gather import Limits, gather
from muniment.embedders import Embedder, EmbedderChoice, make_embedder
from muniment.evaluate.questions import Asked
from muniment.evaluate.questions import load_questions as load_golden
from muniment.store.reader import Reader, open_reader

WRITTEN = Path(__file__).with_name("foreign_questions.json")
MOST = 60
USED = (0, 2, 3)
"""Which values are weighed: the other adds nothing to them on a corpus that was not fitted on."""
USED_LEXICAL = (1, 2, 3)

Question = tuple[str, bool]
"""What is asked, and whether the corpus holds an answer."""


@dataclass(frozen=True, slots=True)
class Put:
    """A question that was put to a corpus."""

    question: str
    answerable: bool
    evidence: float
    values: tuple[float, ...]
    """Empty where nothing was found."""

    @property
    def silent(self) -> bool:
        """Whether it was not answered."""
        return self.evidence < Limits().evidence

    @property
    def half(self) -> int:
        """0 or 1, the same for ever: what is fitted on 0 is reported on 1."""
        return hashlib.sha256(self.question.encode()).digest()[0] & 1


def main() -> int:
    """Prints precision and recall of "not in the documents" for each set, and with --fit the weights."""
    args = _parser().parse_args()
    if not args.questions.is_file() or not args.repositories.is_dir():
        print(f"skipped: needs {args.questions} and a folder of repositories (--repositories)", file=sys.stderr)
        return 0
    embedder = None if args.words else make_embedder(EmbedderChoice())
    known = [list(_fitted_sample(embedder))] if args.fit else []
    for name in args.corpora:
        sets = _put_all(name, args, embedder)
        if not sets:
            print(f"{name}: left out, its repository is not there")
        for label, put in sets.items():
            print(figures(f"{name}, {label}", put))
            print(figures(f"{name}, {label}, half 1", [one for one in put if one.half]), flush=True)
        known.append(
            [(one.answerable, one.values) for put in sets.values() for one in put if one.values and not one.half]
        )
    if args.fit:
        print(f"weights {[round(weight, 2) for weight in fit(known, USED if embedder else USED_LEXICAL)]}")
    return 0


def figures(label: str, put: Sequence[Put]) -> str:
    """How well "not in the documents" was said, on one line."""
    silent, foreign = [one for one in put if one.silent], sum(not one.answerable for one in put)
    right = sum(not one.answerable for one in silent)
    recall, wrong = right / max(foreign, 1), (len(silent) - right) / max(len(put) - foreign, 1)
    return (
        f"{label}: {len(put) - foreign} with an answer, {foreign} without: abstention precision"
        f" {right / max(1, len(silent)):.3f} (with as many of each {recall / max(recall + wrong, 1e-9):.3f}),"
        f" recall {recall:.3f}"
    )


def _put_all(name: str, args: argparse.Namespace, by: Embedder | None) -> dict[str, list[Put]]:
    """The questions of each set as they were put; none where the repository is not there."""
    sets: dict[str, list[Put]] = {}
    for label, state, questions in _sets(name, args.questions):
        corpus = find_corpus(state.corpus, args.repositories, args.cache)
        if corpus is None:
            continue
        make_state(corpus, state)
        index_state(corpus)
        with open_reader(corpus.home / "index") as reader:
            sets.setdefault(label, []).extend(_put(reader, questions, by))
    return sets


def _sets(name: str, questions: Path) -> Iterator[tuple[str, State, list[Question]]]:
    """Which questions are put to which state of the corpus; those of others to the last state of its own."""
    asked = [one for one in load_golden(questions) if one.set.startswith(("faq-", "link-"))]
    own = [one for one in asked if one.set.partition("-")[2] == name][:MOST]
    others = [one for one in asked if one.set.startswith("faq-") and not one.set.endswith(name)]
    for state, group in groupby(sorted(own, key=lambda one: str(state_of(one))), key=state_of):
        yield "golden", state, [(one.query, True) for one in group]
    if own:
        yield "golden", state, [(one.query, False) for one in _spread(others)]
    if written := json.loads(WRITTEN.read_text(encoding="utf-8")).get(name):
        without = [question for each in written["unanswerable"].values() for question in each]
        rows = [(question, True) for question in written["answerable"]] + [(question, False) for question in without]
        yield "written", State(written["corpus"], tuple(written["index"]), (), ()), rows


def _put(reader: Reader, questions: Iterable[Question], by: Embedder | None) -> Iterator[Put]:
    for question, answerable in questions:
        found = gather(reader, question, by, Limits())
        values = tuple(strongest(found.weighed)) if found.weighed else ()
        yield Put(question, answerable, found.evidence, values)


def _fitted_sample(by: Embedder | None) -> Iterator[Known]:
    """Every other question of the sample: those that `benchmarks/abstention.py` does not report as held out."""
    with sample_reader() as reader:
        rows = [(one.question, bool(one.answers)) for one in load_questions()[::2]]
        yield from ((one.answerable, one.values) for one in _put(reader, rows, by) if one.values)


def _spread(asked: Sequence[Asked]) -> Sequence[Asked]:
    """At most `MOST` of the questions, from all parts of the list."""
    return asked[:: max(1, len(asked) // MOST)][:MOST]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.foreign", description=__doc__)
    parser.add_argument("corpora", nargs="+", metavar="NAME", help="as sets end: scrapy, syncthing, dms, ...")
    parser.add_argument("--fit", action="store_true", help="fit the weights anew on one half, and print them")
    parser.add_argument("--words", action="store_true", help="search and weigh by words only")
    parser.add_argument("--questions", type=Path, default=QUESTIONS, metavar="FILE")
    parser.add_argument("--repositories", type=Path, required=True, metavar="DIR", help=HELP)
    parser.add_argument("--cache", type=Path, default=Path(tempfile.gettempdir()) / "muniment-golden", metavar="DIR")
    return parser


if __name__ == "__main__":
    sys.exit(main())
