"""Does `ask` know what the documents do not say? Questions with and without an answer in the sample corpus.

Half of the questions (every other one) served to fit the weights of `muniment/ask/evidence.py`, beside those of public
repositories (`benchmarks/foreign.py --fit`); the figures that count are those of the other half.
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

from flows.index import index
from flows.job import IndexJob
from muniment.ask.answer import ask
from muniment.ask.gather import Limits
from muniment.embedders import EmbedderChoice, make_embedder
from muniment.models import ModelChoice, make_model
from muniment.runner import Direct
from muniment.store.reader import Reader, open_reader
from schemas.cited import Answer
from schemas.files import Source

ROOT = Path(__file__).resolve().parent.parent
SAMPLE = ROOT / "data" / "sample" / "ops"
DAMPED = 0.005
"""How much weights are held down."""

Known = tuple[bool, Sequence[float]]
"""Whether a question has an answer, and what evidence for one is made of."""


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
    model = make_model(ModelChoice("openai", "any", hosts=(args.host,), max_tokens=400)) if args.host else None
    limits = Limits(timeout_s=args.timeout_s)
    with sample_reader() as reader:
        for name, embedder in (("with vectors", make_embedder(EmbedderChoice())), ("by words only", None)):
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


def fit(corpora: Sequence[Sequence[Known]], used: Sequence[int]) -> list[float]:
    """Weights and bias of a damped logistic regression over the values used, moved so that even odds are 0.4.

    Each corpus weighs as much as another, and in it what has an answer as much as what has none.
    """
    known = [(each, *one) for each, rows in enumerate(corpora) for one in rows]
    answered, every = np.array([answer for _, answer, _ in known]), np.array([values for *_, values in known])
    _, group, sizes = np.unique([one[:2] for one in known], axis=0, return_inverse=True, return_counts=True)
    share = 1 / sizes[group] / len(sizes)
    values = every[:, list(used)]
    mean, spread = values.mean(0), values.std(0)
    scaled = np.c_[(values - mean) / spread, np.ones(len(values))]
    damped = np.diag([DAMPED] * len(used) + [0.0])
    weights = np.zeros(len(used) + 1)
    for _ in range(20):  # Newton's steps
        likely = 1 / (1 + np.exp(-scaled @ weights))
        curve = scaled.T @ (scaled * (share * likely * (1 - likely))[:, None]) + damped
        weights -= np.linalg.solve(curve, scaled.T @ (share * (likely - answered)) + damped @ weights)
    slopes = np.zeros(every.shape[1])
    slopes[list(used)] = weights[:-1] / spread
    return [*slopes.tolist(), float(weights[-1] - slopes[list(used)] @ mean + np.log(0.4 / 0.6))]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.abstention", description=__doc__)
    parser.add_argument("--host", default="", metavar="URL", help="let an OpenAI-compatible server word the answers")
    parser.add_argument("--timeout-s", type=float, default=60.0, metavar="S", help="for one answer (default: 60)")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="ask every Nth question only")
    parser.add_argument("--verbose", action="store_true", help="list what went wrong")
    return parser


if __name__ == "__main__":
    sys.exit(main())
