"""Does `ask` know what the documents do not say? Questions with and without an answer in the sample corpus.

Half of the questions (every other one) served to fit the weights of `muniment/ask/evidence.py`; the figures that count
are those of the other half. `--fit` fits them anew and prints them.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flows.index import index
from flows.job import IndexJob
from muniment.ask.answer import ask
from muniment.ask.evidence import strongest
from muniment.ask.gather import Limits, gather
from muniment.embedders import Embedder, EmbedderChoice, make_embedder
from muniment.models import ModelChoice, make_model
from muniment.runner import Direct
from muniment.store.reader import Reader, open_reader
from schemas.cited import Answer
from schemas.files import Source

ROOT = Path(__file__).resolve().parent.parent
SAMPLE = ROOT / "data" / "sample" / "ops"


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, and where its answer stands; nowhere, where the documents hold none."""

    question: str
    answers: tuple[dict[str, Any], ...]


@dataclass(frozen=True, slots=True)
class Figures:
    """How well "not in the documents" was said."""

    answerable: int
    unanswerable: int
    precision: float
    """Of the questions that were not answered, the share that has no answer."""
    balanced: float
    """The same, were there as many questions of either kind."""
    recall: float
    """Of the questions that have no answer, the share that was not answered."""
    right: float
    """Of the questions that have an answer, the share that was answered from the right lines."""

    def __str__(self) -> str:
        return (
            f"{self.answerable:4} with an answer, {self.unanswerable:3} without: abstention precision"
            f" {self.precision:.3f} (with as many of each {self.balanced:.3f}), recall {self.recall:.3f};"
            f" answered from the right lines {self.right:.3f}"
        )


def main() -> int:
    """Asks every question with vectors and by words only, and prints the figures of each half."""
    args = _parser().parse_args()
    questions = load_questions()[:: args.every]
    model = make_model(ModelChoice("openai", "any", hosts=(args.host,), max_tokens=120)) if args.host else None
    limits = Limits(timeout_s=args.timeout_s)
    with sample_reader() as reader:
        for name, embedder in (("with vectors", make_embedder(EmbedderChoice())), ("by words only", None)):
            if args.fit:
                weights = fit(reader, questions[::2], embedder)
                print(f"{name}: weights {[round(weight, 2) for weight in weights]}")
                continue
            answered = [(one, ask(reader, one.question, embedder, model, limits)) for one in questions]
            for half, part in (("fitted on", answered[::2]), ("held out ", answered[1::2])):
                print(f"{name:13}  {half}  {figures(part)}")
            reasons = Counter(answer.reason or "answered" for _, answer in answered)
            print(f"{name:13}  {', '.join(f'{count} {reason}' for reason, count in reasons.items())}")
            if args.verbose:
                print("\n".join(f"  {line}" for line in mistakes(answered)))
    return 0


def load_questions() -> list[Asked]:
    """Every question of the sample corpus, those with an answer first."""
    with_answer = json.loads((ROOT / "tests" / "sample_facts.json").read_text())["questions"]
    without = json.loads((ROOT / "tests" / "sample_unanswerable.json").read_text())["questions"]
    return [Asked(one["question"], tuple(one.get("answers", ()))) for one in [*with_answer, *without]]


@contextmanager
def sample_reader() -> Iterator[Reader]:
    """The sample corpus, indexed with vectors in a scratch folder."""
    with tempfile.TemporaryDirectory() as scratch:
        repo = Path(shutil.copytree(SAMPLE, Path(scratch) / "ops"))
        own = ["-c", "user.name=bench", "-c", "user.email=bench@example.com"]
        for words in (["init", "-q"], ["add", "-A"], [*own, "commit", "-q", "-m", "sample"]):
            subprocess.run(["git", "-C", repo, *words], check=True)
        place = Path(scratch)
        index(IndexJob(place / "index", place / "runs", (Source("ops", str(repo)),), EmbedderChoice()), Direct())
        with open_reader(place / "index") as reader:
            yield reader


def figures(answered: Sequence[tuple[Asked, Answer]]) -> Figures:
    """The figures of these answers."""
    silent = [not one.answers for one, answer in answered if answer.reason]
    without = sum(not one.answers for one, _ in answered)
    known = [stands(one, answer) for one, answer in answered if one.answers]
    recall = sum(silent) / max(without, 1)
    wrong = (len(silent) - sum(silent)) / max(len(known), 1)
    return Figures(
        answerable=len(known),
        unanswerable=without,
        precision=sum(silent) / max(len(silent), 1),
        balanced=recall / (recall + wrong) if recall else 0.0,
        recall=recall,
        right=sum(known) / max(len(known), 1),
    )


def stands(asked: Asked, answer: Answer) -> bool:
    """Whether an answer is taken from lines that hold it."""
    return any(
        gold["path"] == cited.path and gold["line_start"] <= cited.line_end and gold["line_end"] >= cited.line_start
        for gold in asked.answers
        for cited in answer.citations
    )


def mistakes(answered: Sequence[tuple[Asked, Answer]]) -> Iterator[str]:
    """What went wrong, a line each."""
    for one, answer in answered:
        if answer.reason and one.answers:
            yield f"not answered: {one.question}"
        elif one.answers and not stands(one, answer):
            yield f"wrong lines: {one.question} -> {answer.citations[0].path}:{answer.citations[0].line_start}"
        elif not answer.reason and not one.answers:
            yield f"answered: {one.question} -> {answer.answer}"


def fit(reader: Reader, questions: Sequence[Asked], embedder: Embedder | None) -> list[float]:
    """Weights and bias of a logistic regression, slightly damped; then the bias moved to where 0.4 splits best."""
    gathered = [(one, gather(reader, one.question, embedder, Limits())) for one in questions]
    known = [(bool(one.answers), strongest(found.weighed)) for one, found in gathered if found.weighed]
    answered, every = np.array([answer for answer, _ in known], float), np.array([row for _, row in known])
    used = [0, 1, 3] if embedder else [1, 2, 3]
    values = every[:, used]
    mean, spread = values.mean(0), values.std(0) + 1e-9
    scaled = np.c_[(values - mean) / spread, np.ones(len(values))]
    weights = np.zeros(scaled.shape[1])
    for _ in range(4_000):
        missed = 1 / (1 + np.exp(-scaled @ weights)) - answered
        weights -= 0.5 * ((scaled * missed[:, None]).mean(0) + np.r_[weights[:-1], 0] / len(values))
    slopes = np.zeros(every.shape[1])
    slopes[used] = weights[:-1] / spread
    split = max(sorted(every @ slopes), key=lambda at: _balance(every @ slopes < at, answered == 0))
    return [*slopes.tolist(), float(np.log(0.4 / 0.6) - split)]


def _balance(silent: NDArray[np.bool_], without: NDArray[np.bool_]) -> float:
    """The worse of recall and precision, where as many questions have an answer as have none."""
    recall, wrong = float((silent & without).sum() / without.sum()), float((silent & ~without).sum() / (~without).sum())
    return min(recall, recall / (recall + wrong)) if recall else 0.0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.abstention", description=__doc__)
    parser.add_argument("--fit", action="store_true", help="fit the weights anew on one half, and print them")
    parser.add_argument("--host", default="", metavar="URL", help="let an OpenAI-compatible server word the answers")
    parser.add_argument("--timeout-s", type=float, default=60.0, metavar="S", help="for one answer (default: 60)")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="ask every Nth question only")
    parser.add_argument("--verbose", action="store_true", help="list what went wrong")
    return parser


if __name__ == "__main__":
    sys.exit(main())
