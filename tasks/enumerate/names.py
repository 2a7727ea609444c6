"""Names of tracked files: from git's bytes to text, and which of them are not read."""

import re
import unicodedata

from schemas.files import Skipped

SYMLINK = "120000"
SUBMODULE = "160000"

# Code points that HFS+ ignores in names: `.g\u200cit` is `.git` there.
_IGNORED = dict.fromkeys([*range(0x200C, 0x2010), *range(0x202A, 0x202F), *range(0x206A, 0x2070), 0xFEFF])


def check_name(raw: bytes, mode: str, taken: set[str]) -> str | Skipped:
    """The path of a tracked regular file as text, added to `taken`; or why the file is not read.

    Two names that look alike once their bytes are text can't both be a path: the later is skipped.
    """
    path = raw.decode(errors="backslashreplace")
    if is_unsafe(raw):
        return Skipped(path, "unsafe path")
    if path in taken:
        return Skipped(path, "unsafe path", "spelled like another file of this source")
    taken.add(path)
    if mode == SYMLINK:
        return Skipped(path, "symlink")
    if mode == SUBMODULE:
        return Skipped(path, "submodule")
    return path


def spellings(path: str) -> tuple[bytes, ...]:
    """The names in git's bytes that `check_name` reads as this path, the likelier first; none for an unsafe one."""
    bare = path.encode()
    named = re.sub(rb"\\x([89a-f][0-9a-f])", lambda found: bytes.fromhex(found[1].decode()), bare)
    return tuple(
        raw
        for raw in dict.fromkeys((bare, named))
        if raw.decode(errors="backslashreplace") == path and not is_unsafe(raw)
    )


def alike(path: str) -> str:
    """What paths have in common that people take for the same: case, the way accents are stored, blanks at the end."""
    return unicodedata.normalize("NFC", path).casefold().strip()


def is_unsafe(raw: bytes) -> bool:
    """Whether a name would leave its folder or reach into `.git` on any platform that git runs on."""
    if any(part in {b"", b".", b".."} for part in raw.split(b"/")):
        return True
    return any(part == ".." or _is_git(part) for part in re.split(r"[/\\]", raw.decode(errors="replace")))


def _is_git(part: str) -> bool:
    # NTFS drops blanks and dots at the end and takes `:` for the start of a stream's name; `git~1` is its short name.
    plain = part.translate(_IGNORED).partition(":")[0].rstrip(" .").lower()
    return plain in {".git", "git~1"}
