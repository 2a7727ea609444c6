"""Papers of an archive: every format that can be read is a record, whatever its file is called."""

from __future__ import annotations

from pathlib import PurePosixPath

from schemas.files import Label, Skipped
from tasks.classify import Unsure, kind_of
from tasks.enumerate.archive import SIDECARS
from tasks.enumerate.manifest import MANIFEST
from tasks.enumerate.names import alike
from tasks.extract import FORMATS

KIND = "record"
TEXTS = (".txt", ".text", ".md", ".markdown")


class Papers:
    """Sorts the files of an archive by their suffix."""

    def by_path(self, path: str) -> Label | Skipped | Unsure:
        """That a file is a record, or why it is none."""
        name = PurePosixPath(path.lower())
        if name.name.startswith("."):  # what a file system keeps beside a file: `._bill.pdf`
            return Skipped(path, "not documentation", "hidden")
        suffix = name.suffix
        if alike(path) == MANIFEST or suffix in SIDECARS:
            return Skipped(path, "not documentation", "what it states belongs to other documents")
        if suffix not in (*TEXTS, *FORMATS):
            return Skipped(path, "not documentation", "in no format that is read")
        kind = kind_of(path)
        return kind if isinstance(kind, Skipped) and kind.reason == "may hold secrets" else Label(KIND, KIND)

    def by_content(self, path: str, raw: bytes) -> Label | Skipped:  # noqa: ARG002
        """The same: a path leaves nothing open here."""
        return Label(KIND, KIND)
