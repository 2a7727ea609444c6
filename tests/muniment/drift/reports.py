"""Reports that the formats are tried on: an ordinary one, and one in which every text tries something."""

from __future__ import annotations

from dataclasses import replace

from muniment.drift.view import Original, View
from schemas.claims import Claim, DriftReport, Edit, Finding, Judgement, Place, Truth

README = b"# Kestrel\n\nGrace window: `KESTREL_GRACE` (default: `300`) seconds.\n\nSee [the manual](docs/manaul.md).\n"

GRACE = Finding(
    check="default",
    path="README.md",
    line=3,
    message="KESTREL_GRACE is documented as 300, but conf/kestrel.conf.template:7 says 600",
    option="KESTREL_GRACE",
    documented="300",
    actual="600",
    truth=Place("conf/kestrel.conf.template", 7),
    won_by="template",
    agreeing=(Place("kestrel.sh", 12),),
    differing=(Place("compose.yml", 4),),
    edit=Edit(
        "README.md",
        3,
        "Grace window: `KESTREL_GRACE` (default: `300`) seconds.",
        "Grace window: `KESTREL_GRACE` (default: `600`) seconds.",
    ),
    since="4f1c2d3e5a6b7c8d9e0f1a2b3c4d5e6f7a8b9c0d",
)
LINK = Finding(
    check="dead-link",
    path="README.md",
    line=5,
    message="docs/manaul.md is not there; did you mean docs/manual.md",
    option="docs/manaul.md",
    actual="docs/manual.md",
    edit=Edit("README.md", 5, "See [the manual](docs/manaul.md).", "See [the manual](docs/manual.md)."),
    since_note="shallow clone",
)
FLAG = Finding(
    check="unparsed-flag",
    path="docs/manual.md",
    line=40,
    message="kestrel.sh does not parse --dry",
    option="--dry",
)


def claim(option: str, documented: str, line: int, column: int = 0, width: int = 0) -> Claim:
    return Claim(option, documented, "README.md", line, "default-paren", "same line", column, width)


def truth(option: str, value: str, path: str, line: int, reader: str = "template") -> Truth:
    return Truth(option, value, "number", path, line, reader)


JUDGEMENTS = (
    Judgement(
        claim("KESTREL_GRACE", "300", 3, 41, 3),
        "disagrees",
        "other number",
        truth("KESTREL_GRACE", "600", "conf/kestrel.conf.template", 7),
    ),
    Judgement(
        claim("KESTREL_ROOT", "/srv/kestrel", 8), "agrees", "equal", truth("KESTREL_ROOT", "/srv/kestrel", "k.sh", 3)
    ),
    Judgement(claim("KESTREL_JOBS", "number of cores", 9), "unknown", "no truth found"),
    Judgement(claim("KESTREL_HOST", "", 10), "unknown", "computed", truth("KESTREL_HOST", "$(hostname)", "k.sh", 4)),
)

ORDINARY = DriftReport(
    repository="kestrel",
    commit="9a8b7c6d5e4f3a2b1c0d9e8f7a6b5c4d3e2f1a0b",
    state="head",
    files=12,
    judgements=JUDGEMENTS,
    findings=(GRACE, LINK, FLAG),
    silenced=2,
    skipped={"too large": 1},
    notes=("1 files were not read: too large",),
)
CLEAN = replace(ORDINARY, findings=(), silenced=0, notes=(), skipped={}, judgements=JUDGEMENTS[1:])

NASTY = "\x1b[2J\u202eevil\u2066\r\n::error::x|`a`[b](c)<b>@you</b> 100%,:\t\\|end\\"


def hostile() -> DriftReport:
    """Every text that can come from a repository is `NASTY`."""
    place = Place(f"docs/{NASTY}", 3)
    finding = Finding(
        check="default",
        path=NASTY,
        line=2,
        message=NASTY,
        option=NASTY,
        documented=NASTY,
        actual=NASTY + NASTY * 40,
        truth=place,
        won_by="template",
        agreeing=(place,),
        differing=(place, place),
        edit=Edit(NASTY, 2, NASTY.replace("\n", " "), NASTY.replace("\n", "  ")),
        since="4f1c2d3e",
        since_note=NASTY,
    )
    other = replace(finding, check="unknown-option", truth=None, edit=None)
    nasty = Claim(NASTY, NASTY, NASTY, 2, "table", "row")
    judged = Judgement(nasty, "unknown", NASTY, Truth(NASTY, NASTY, "string", NASTY, 1, "env"))
    return replace(
        ORDINARY, repository=NASTY, findings=(finding, other), judgements=(judged,), notes=(NASTY,), skipped={}
    )


REPORTS = {"ordinary": ORDINARY, "clean": CLEAN, "hostile": hostile()}

VIEW = View(everything=True, elapsed_ms=432.1, originals=lambda paths: {"README.md": Original(b"README.md", README)})
