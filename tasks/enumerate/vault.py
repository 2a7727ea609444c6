"""A vault: a folder of notes that an editor such as Obsidian keeps, read as it lies there."""

from schemas.files import Source
from tasks.enumerate.folder import Folder, is_hidden
from tasks.enumerate.stats import NOTHING_SEEN, Seen

_NEVER_ENTERED = frozenset({b"node_modules"})
"""Where a hundred thousand files may lie that nobody wrote."""


class Vault(Folder):
    """Reads the files of a vault; neither its hidden folders (settings, wastebasket) nor packages are entered."""

    def __init__(self, source: Source, seen: Seen = NOTHING_SEEN) -> None:
        super().__init__(source, seen, _is_no_place_for_notes)


def _is_no_place_for_notes(folder: bytes) -> bool:
    return is_hidden(folder) or folder.rpartition(b"/")[2] in _NEVER_ENTERED
