"""`make bench-drift`: documented defaults of public repositories at named commits, whose truth is known.

For each case the repository is read at its commit, all of it or the document and the truth alone, and judged as
`muniment drift` does. Printed: precision, recall by form of truth, and every miss and false alarm with its cause.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel

from benchmarks.repositories import HELP, find_repository, list_at, read_at
from schemas.claims import Judgement
from tasks.drift.facts import NO_FACTS, Facts, facts_of
from tasks.drift.find import judge_all
from tasks.drift.spelling import folded, last_part
from tasks.enumerate.blobs import Blobs

ROOT = Path(__file__).resolve().parent.parent
CASES = ROOT.parent / "shared" / "eval" / "drift_cases.jsonl"
LINES_APART = 2
"""A case names the line of the value or that of the option; in a list or a table they may be two lines apart."""


class Case(BaseModel):
    """One documented default whose truth was looked up by a person."""

    id: str
    label: Literal["stale", "ok", "ambiguous"]
    repo: str
    commit: str
    doc_path: str
    doc_line: int
    option: str
    documented: Any
    actual: Any
    truth_path: str
    truth_line: int
    form: str
    truth_form: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """What muniment said of a case."""

    case: Case
    judgement: Judgement | None
    """None where no claim was seen at that place."""

    @property
    def said(self) -> str:
        """The verdict, or `no claim`."""
        return self.judgement.verdict if self.judgement else "no claim"

    @property
    def cause(self) -> str:
        """Why it was said."""
        if self.judgement is None:
            return "no claim was recognised there"
        one = self.judgement
        held = f"{one.truth.path}:{one.truth.line} {one.truth.value!r}" if one.truth else "nothing"
        return f"{one.claim.option} = {one.claim.documented!r} against {held}: {one.reason}"


def main() -> int:
    """Judges every case and prints the tables."""
    args = _parser().parse_args()
    if not args.cases.is_file() or not args.repositories.is_dir():
        print(f"skipped: needs {args.cases} and a folder of repositories (--repositories)", file=sys.stderr)
        return 0
    cases = [Case.model_validate_json(line) for line in args.cases.read_text().splitlines()]
    outcomes = list(judge_cases(cases, args.repositories, whole=args.whole))
    print(report(outcomes))
    if args.out:
        rows = [{"id": one.case.id, "label": one.case.label, "said": one.said, "cause": one.cause} for one in outcomes]
        args.out.write_text(json.dumps(rows, indent=1))
    return 0


def judge_cases(cases: Iterable[Case], repositories: Path, *, whole: bool) -> Iterator[Outcome]:
    """What is said of each case whose repository is there; every state is read and judged once."""
    for (slug, commit), group in groupby(sorted(cases, key=_state), key=_state):
        repo = find_repository(slug, commit, repositories)
        if repo is None:
            print(f"left out: {slug} at {commit[:12]} is not there", file=sys.stderr)
            continue
        for case in group:
            paths = () if whole else tuple({case.doc_path, case.truth_path})
            facts = facts_at(repo, commit, paths)
            truths = [truth for one in facts.values() for truth in one.truths]
            yield Outcome(case, find_judgement(case, judge_all(facts[case.doc_path].claims, truths)))


_Read = dict[tuple[str, str], Facts]
_READ: dict[Path, _Read] = defaultdict(dict)
"""Repository -> path and blob -> facts: most files are the same at many commits."""


def facts_at(repo: Path, commit: str, paths: Collection[str]) -> dict[str, Facts]:
    """Path -> claims and truths of every file of a commit, or of these paths; each content is read once."""
    known = _READ[repo]
    facts = {}
    with Blobs(str(repo)) as blobs:
        for path, blob in list_at(repo, commit, paths):
            if (path, blob) not in known:
                file = read_at(blobs, path, blob)
                known[path, blob] = facts_of(file) if file else NO_FACTS
            facts[path] = known[path, blob]
    return facts


def find_judgement(case: Case, judged: Iterable[Judgement]) -> Judgement | None:
    """The judgement on the claim that a case is about: nearest to its line, and a decided one before others."""
    near = [
        one
        for one in judged
        if one.claim.path == case.doc_path
        and abs(one.claim.line - case.doc_line) <= LINES_APART
        and _is_about(one.claim.option, case.option)
    ]
    return min(near, key=lambda one: (abs(one.claim.line - case.doc_line), one.verdict == "unknown"), default=None)


def _is_about(option: str, named: str) -> bool:
    own = last_part(folded(option))
    return bool(own) and any(own in (last_part(folded(word)), folded(named)) for word in named.split())


def report(outcomes: list[Outcome]) -> str:
    """The tables as text."""
    lines = [*_totals(outcomes), "", *_by_truth(outcomes), ""]
    for title, wrong in (
        ("missed", [one for one in outcomes if one.case.label == "stale" and one.said != "disagrees"]),
        ("false alarms", [one for one in outcomes if one.case.label == "ok" and one.said == "disagrees"]),
    ):
        lines += [f"{title}: {len(wrong)}", *map(_line, wrong), ""]
    return "\n".join(lines)


def _totals(outcomes: list[Outcome]) -> Iterator[str]:
    for label in ("stale", "ok", "ambiguous"):
        said = Counter(one.said for one in outcomes if one.case.label == label)
        yield f"{label:9s} {said.total():4d}: " + ", ".join(f"{count} {name}" for name, count in said.most_common())
    stale, false = (
        sum(one.said == "disagrees" for one in outcomes if one.case.label == label) for label in ("stale", "ok")
    )
    if stale + false:
        yield f"precision {stale / (stale + false):.3f}"


def _by_truth(outcomes: list[Outcome]) -> Iterator[str]:
    forms: dict[str, list[bool]] = defaultdict(list)
    for one in outcomes:
        if one.case.label == "stale":
            forms[one.case.truth_form].append(one.said == "disagrees")
    yield f"{'form of truth':40s} stale found recall"
    for form, found in sorted(forms.items(), key=lambda item: -len(item[1])):
        yield f"{form:40s} {len(found):5d} {sum(found):5d} {sum(found) / len(found):6.2f}"


def _line(one: Outcome) -> str:
    case = one.case
    return f"  {case.id} {case.doc_path}:{case.doc_line} {case.option}: {one.said}; {one.cause}"


def _state(case: Case) -> tuple[str, str]:
    return case.repo.removeprefix("github:"), case.commit


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="make bench-drift", description=__doc__)
    parser.add_argument("--cases", type=Path, default=CASES, metavar="FILE")
    parser.add_argument("--repositories", type=Path, default=ROOT.parent / "repositories", metavar="DIR", help=HELP)
    parser.add_argument("--whole", action="store_true", help="read whole repositories, not the two files of a case")
    parser.add_argument("--out", type=Path, metavar="FILE", help="write what was said of each case as JSON")
    return parser


if __name__ == "__main__":
    sys.exit(main())
