"""What documents say of options, where the options really live, and what comparing the two came to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Verdict = Literal["agrees", "disagrees", "unknown"]
ValueKind = Literal["string", "number", "boolean", "null", "list", "map", "computed"]

CHECKS: dict[str, str] = {
    "default": "a documented default differs from the option's real one",
    "unknown-option": "a documented option exists nowhere",
    "undocumented-setting": "a template's setting is in no document",
    "dead-link": "a relative link, anchor or path leads nowhere",
    "unparsed-flag": "a documented flag is none that the program parses",
    "missing-command": "a documented sub-command or make target does not exist",
    "python-api": "a documented Python name, signature or default differs from the code",
    "stated-version": "a stated version differs from the project's own files",
}
"""Rule name -> what a finding of it says. The names are flags, JSON values and SARIF rule ids."""


@dataclass(frozen=True, slots=True)
class Place:
    """A line of a file."""

    path: str
    line: int
    """From 1."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A documented value of an option."""

    option: str
    """The option as the document spells it, without markup: `MOVER_STOP_TIMEOUT`, `--daily`, `image.tag`."""
    documented: str
    """The value as the document spells it, without the markup around it."""
    path: str
    line: int
    """Where the value stands, from 1."""
    shape: str
    """What it was recognised by: a key of `tasks.drift.claims.SHAPES`."""
    binding: str
    """How the option was found: same line, row, heading, term, parent, previous line, or setting."""
    column: int = 0
    """0-based offset of the value in its line."""
    width: int = 0
    """Characters of the value as it stands in its line; 0 where it can't be replaced as it stands."""
    above: tuple[str, ...] = ()
    """What encloses the option, outermost first: headings, or the keys of a code block."""


@dataclass(frozen=True, slots=True)
class Truth:
    """A value that an option has in a file that decides it."""

    option: str
    """As the file spells it; nested keys joined by dots (`image.tag`), a section before its key (`mail.port`)."""
    value: str
    """The literal without its quotes; source text where it is computed; empty for null and for an empty string."""
    kind: ValueKind
    path: str
    line: int
    reader: str
    """What read it: a key of `tasks.drift.truths.READERS`."""
    commented: bool = False
    """It stands in a commented-out line: a default in some files, an example in others."""
    refers: str = ""
    """The one option or constant whose value this is (`${A:-$B}`, `PORT = DEFAULT_PORT`); followed for one hop."""
    local: bool = False
    """It is a variable of one function, which no other file can mean."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """A claim, and what its truths say of it."""

    claim: Claim
    verdict: Verdict
    reason: str
    """In words: 'equal', 'no truth found', 'two truths disagree', 'computed', ..."""
    truth: Truth | None = None
    """The one that decided, by the order of truths."""
    agreeing: tuple[Truth, ...] = ()
    """Other truths with the same value as the one that decided."""
    differing: tuple[Truth, ...] = ()
    """Other truths with another value."""


@dataclass(frozen=True, slots=True)
class Dispute:
    """A claim that disagrees with its truth, as whoever shows either of the two lines shows it."""

    option: str
    documented: str
    path: str
    line: int
    """Where that is documented."""
    actual: str
    truth_path: str
    truth_line: int
    """Where the other value stands."""
    reader: str
    """Form of the truth that decided."""


@dataclass(frozen=True, slots=True)
class Edit:
    """One line replaced by another; nothing but a suggestion."""

    path: str
    line: int
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class Finding:
    """A place where a document and the repository disagree."""

    check: str
    """A key of `CHECKS`."""
    path: str
    line: int
    message: str
    """One sentence without a full stop, which names both values or what is missing."""
    option: str = ""
    """Option, flag, setting, link target, name or command that it is about."""
    documented: str = ""
    actual: str = ""
    """The real value or name; empty where there is none."""
    truth: Place | None = None
    won_by: str = ""
    """Reader of the truth that decided: template, env, shell, yaml, ..."""
    agreeing: tuple[Place, ...] = ()
    """Other places that say what the truth says."""
    differing: tuple[Place, ...] = ()
    edit: Edit | None = None
    since: str = ""
    """Commit from which the two differ; empty where unknown."""
    since_note: str = ""
    """Why `since` is unknown or only a bound: 'shallow clone', 'not yet committed', ..."""

    @property
    def key(self) -> str:
        """What identifies the finding while lines above it come and go: check, path, option and both values."""
        return "\x1f".join((self.check, self.path, self.option, self.documented, self.actual))


@dataclass(frozen=True, slots=True)
class DriftReport:
    """What one look at a repository found."""

    repository: str
    """As the operator named it."""
    commit: str
    """Empty for a folder outside git."""
    state: Literal["head", "worktree", "staged"]
    files: int
    """Text files read."""
    judgements: tuple[Judgement, ...]
    findings: tuple[Finding, ...]
    """By path and line."""
    silenced: int = 0
    """Findings that the baseline holds."""
    skipped: Mapping[str, int] = field(default_factory=dict)
    """Reason -> files that could not be read."""
    notes: tuple[str, ...] = ()

    @property
    def counts(self) -> dict[str, int]:
        """Claims by verdict, with all three verdicts present."""
        verdicts = [judgement.verdict for judgement in self.judgements]
        return {name: verdicts.count(name) for name in ("agrees", "disagrees", "unknown")}
