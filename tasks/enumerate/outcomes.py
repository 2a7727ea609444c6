"""The outcomes of listing and reading a file."""

from collections.abc import Iterable
from dataclasses import replace

from schemas.files import Entry, Listing, Skipped


class Unread(Exception):
    """One file's bytes can't be had: `reason` is a key of `SKIP_REASONS`."""

    def __init__(self, reason: str, detail: str = "") -> None:
        super().__init__(reason, detail)
        self.reason = reason
        self.detail = detail

    def of(self, entry: Entry) -> Skipped:
        """The outcome, for the file it happened to."""
        return Skipped(entry.path, self.reason, self.detail, entry.content_id, entry.stated.sensitivity)


def with_bytes(entry: Entry, raw: bytes) -> tuple[Entry, bytes] | Skipped:
    """The entry with its bytes and their number; skipped when there are none."""
    return (replace(entry, size=len(raw)), raw) if raw else Unread("empty").of(entry)


def by_path(outcomes: Iterable[Entry | Skipped], commit: str) -> Listing:
    """The listing of these outcomes, each part sorted by path."""
    ordered = sorted(outcomes, key=lambda outcome: outcome.path)
    entries = tuple(outcome for outcome in ordered if isinstance(outcome, Entry))
    return Listing(entries, tuple(outcome for outcome in ordered if isinstance(outcome, Skipped)), commit)
