"""`muniment verify`: whether what is published is what was written, and what the sources say."""

from __future__ import annotations

import argparse
import json
import os
from typing import TYPE_CHECKING

from muniment.cli.terminal import note, one_line, say
from muniment.errors import DONE, FOUND
from muniment.home import data_home, find_config
from muniment.worded import counted

if TYPE_CHECKING:
    from pathlib import Path

    from muniment.settings import Settings
    from muniment.verify.found import Finding, Verified

SHOWN = 20


def run(args: argparse.Namespace) -> int:
    """Prints what was looked at and what is wrong; returns DONE, or FOUND where anything is."""
    from muniment.settings import load_settings

    config = find_config(args.config, os.environ)
    home = data_home(args.home, os.environ, config)
    found = _verify(load_settings(config), home, deep=args.deep)
    if args.json:
        say(json.dumps(found.as_document(), indent=1))
    else:
        say_verified(found)
    return DONE if found.ok else FOUND


def _verify(settings: Settings, home: Path, *, deep: bool) -> Verified:
    from muniment.chosen import shared_bucket
    from muniment.noop import SEEN
    from muniment.verify.index import Place, verify_index
    from muniment.verify.pushed import verify_pushed

    if settings.scale.read_in_place and (choice := shared_bucket(settings)):
        return verify_pushed(choice, deep=deep)
    return verify_index(Place(home / "index", home / "runs", home / "index" / SEEN), deep=deep)


def say_verified(found: Verified, *, hints: bool = True) -> None:
    """Prints a verification for a person, with the commands that mend what is wrong."""
    say(f"generation {found.generation}: {_verdict(found)}")
    for line in _looked(found):
        say(f"  {line}")
    for about, why in found.unchecked.items():
        say(f"  not compared: {one_line(about)}: {one_line(why)}")
    for finding in found.findings[:SHOWN]:
        _say_finding(finding)
    if len(found.findings) > SHOWN:
        say(f"and {len(found.findings) - SHOWN} more; --json names all of them")
    for mend in dict.fromkeys(finding.mend for finding in found.findings if hints):
        note(f"hint: mend it with '{mend}'")


def _verdict(found: Verified) -> str:
    return "all right" if found.ok else f"damaged, {counted(len(found.findings), 'fault')}"


def _looked(found: Verified) -> list[str]:
    looked = found.looked
    lines = []
    if "files" in looked:
        lacking = any(one.part == "files" for one in found.findings)
        there = "not all as they were written" if lacking else "all there"
        how = "every byte read" if found.deep else f"{there}; --deep reads every byte"
        lines.append(f"{looked['files']} files, {looked['bytes'] / 1e6:.1f} MB: {how}")
    if "chunks" in looked:
        lines.append(f"{looked['documents']} documents, {looked['chunks']} chunks: hashes, keys and counts compared")
    if "compared" in looked:
        lines.append(f"{looked['compared']} documents compared with their source, line by line")
    if looked.get("vectors"):
        lines.append(f"{looked['vectors']} vectors compared with their checksums")
    if "asked" in looked:
        lines.append(f"{looked['asked']} chunks looked for by their words")
    return lines


def _say_finding(finding: Finding) -> None:
    many = f" ({finding.count})" if finding.count > 1 else ""
    say(f"{finding.part}: {one_line(finding.place)}: {one_line(finding.said)}{many}")
    for sample in finding.samples:
        say(f"  - {one_line(sample)}")
