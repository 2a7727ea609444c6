"""The git hooks that tell muniment of a pull: what they say, and how they come into a repository and out again."""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from muniment import gitrun
from muniment.errors import Refused

PULL_HOOKS = ("post-merge", "post-rewrite")
"""Of a work tree: what git runs when a pull has merged or gone forward, and when it has rebased."""
PUSH_HOOKS = ("post-receive",)
"""Of a bare repository, which nobody pulls into."""
KEPT = ".before-muniment"
"""Added to the name of a hook that was there first: ours calls it, and uninstalling puts it back."""

INSTALLED = "installed"
OUTDATED = "outdated"
"""Ours, but it calls another muniment or another home than would be written now."""
EDITED = "edited"
"""It began as ours, and somebody changed it."""
FOREIGN = "foreign"
"""Somebody else's, and ours is not there."""
ABSENT = "absent"

_MARK = b"# muniment hook: "
_MAX_BYTES = 65_536
_SCRIPT = """\
#!/bin/sh
{mark}tells muniment of a pull, in the background, and never holds it up.
# Written by 'muniment hook install' and taken out by 'muniment hook uninstall'; a change to it stops both.
# What was here before lies beside it as {name}{kept}, and is run first.
code=0
before="${{0%/*}}/{name}{kept}"
if [ -f "$before" ] && [ -x "$before" ]; then "$before" "$@" || code=$?; fi
{guard}if [ -x {python} ]; then
    (trap '' HUP INT; exec {command}) </dev/null >/dev/null 2>&1 &
else
    echo "muniment: the index was not told of this, {python_said} is gone: see 'muniment hook'" >&2
fi
exit "$code"
"""
_GUARDS = {
    # It is run for an amended commit too, which is no pull.
    "post-rewrite": '[ "$1" = rebase ] || exit "$code"\n',
}


class HooksFolder(NamedTuple):
    """Where a repository's hooks lie."""

    path: Path
    bare: bool

    @property
    def names(self) -> tuple[str, ...]:
        """The hooks that tell of a pull, or of a push into a bare repository."""
        return PUSH_HOOKS if self.bare else PULL_HOOKS


def hooks_folder(repo: str) -> HooksFolder:
    """Where git looks for the hooks of the repository; shared by all of its work trees.

    Raises SourceUnreadable for what is no repository, and Refused where the folder is not the repository's own.
    """
    common = (Path(repo) / _line(repo, "rev-parse", "--git-common-dir")).resolve()
    bare = _line(repo, "rev-parse", "--is-bare-repository") == "true"
    configured = _configured_path(repo)
    # Git takes it relative to where it runs hooks: the top of the work tree, or the bare repository.
    folder = (
        (Path(common if bare else _line(repo, "rev-parse", "--show-toplevel")) / configured) if configured else None
    )
    path = (folder or common / "hooks").resolve()
    if path == common or not path.is_relative_to(common):
        raise Refused(
            f"git looks for the hooks of '{repo}' in '{path}', which is not the repository's own",
            f"call 'muniment hook run' in the {PULL_HOOKS[0]} that lies there, or undo core.hooksPath",
        )
    return HooksFolder(path, bare)


def top_of(repo: str) -> Path:
    """The top of the work tree that a folder is in, or the bare repository. Raises SourceUnreadable for neither."""
    prefix = gitrun.find_head(repo, need_commit=False).prefix
    folder = Path(repo).resolve()
    return folder.parents[prefix.count(b"/") - 1] if prefix else folder


def install(folder: HooksFolder, command: Sequence[str]) -> dict[str, str]:
    """What was done for each hook: 'written', 'written, the one that was here is kept', or 'unchanged'.

    `command` begins with the Python that runs muniment. Raises Refused, having written nothing, where a hook of ours
    was edited, or the folder can't be written.
    """
    states = hook_states(folder, command)
    _refuse_edited(folder, states)
    done = {}
    for name, state in states.items():
        hook, kept = folder.path / name, folder.path / f"{name}{KEPT}"
        if state == FOREIGN and os.path.lexists(kept):
            raise Refused(f"'{hook}' and '{kept}' are both there, and neither is ours", "move one of them away")
        done[name] = "unchanged" if state == INSTALLED else "written"
    with _named(folder.path):
        folder.path.mkdir(exist_ok=True)
        for name, state in states.items():
            if state == FOREIGN:
                (folder.path / name).rename(folder.path / f"{name}{KEPT}")
                done[name] += f", what was here is kept as {name}{KEPT}"
            if state != INSTALLED:
                _write(folder.path / name, script(name, command))
    return done


def uninstall(folder: HooksFolder) -> dict[str, str]:
    """What was done for each hook: 'removed', 'removed, the one before is back', or 'not ours'.

    Raises Refused, having removed nothing, where a hook of ours was edited.
    """
    states = hook_states(folder, ())
    _refuse_edited(folder, states)
    done = {}
    with _named(folder.path):
        for name, state in states.items():
            hook, kept = folder.path / name, folder.path / f"{name}{KEPT}"
            if state == FOREIGN:
                done[name] = "not ours"
            elif os.path.lexists(kept):
                kept.replace(hook)
                done[name] = "removed, what was here before is back"
            elif state == ABSENT:
                done[name] = "not there"
            else:
                hook.unlink()
                done[name] = "removed"
    return done


def hook_states(folder: HooksFolder, command: Sequence[str]) -> dict[str, str]:
    """Each hook's state, beside what would be written for this command."""
    return {name: _state(folder.path / name, script(name, command) if command else b"") for name in folder.names}


def script(name: str, command: Sequence[str]) -> bytes:
    """A whole hook, with a digest in its last line by which it is known again."""
    body = _SCRIPT.format(
        mark=_MARK.decode(),
        name=name,
        kept=KEPT,
        guard=_GUARDS.get(name, ""),
        python=shlex.quote(command[0]),
        python_said=re.sub(r"[^\w./ -]", "?", command[0]),
        command=shlex.join(command),
    )
    raw = os.fsencode(body)
    return raw + _digest(raw)


def _digest(body: bytes) -> bytes:
    return b"# digest " + hashlib.sha256(body).hexdigest()[:16].encode() + b"\n"


def _state(path: Path, wanted: bytes) -> str:
    if not os.path.lexists(path):
        return ABSENT
    # A hook of ours is a plain file; a FIFO would hang whoever reads it.
    if path.is_symlink() or not path.is_file():
        return FOREIGN
    with _named(path.parent):
        held = path.read_bytes() if path.stat().st_size <= _MAX_BYTES else b""
    if _MARK not in held:
        return FOREIGN
    body, _, last = held[:-1].rpartition(b"\n")
    if last + b"\n" != _digest(body + b"\n"):
        return EDITED
    return INSTALLED if held == wanted and os.access(path, os.X_OK) else OUTDATED


def _refuse_edited(folder: HooksFolder, states: dict[str, str]) -> None:
    if edited := [name for name, state in states.items() if state == EDITED]:
        raise Refused(
            f"'{folder.path / edited[0]}' was changed since muniment wrote it", "move it away, or take our lines out"
        )


def _write(path: Path, content: bytes) -> None:
    beside = path.with_name(f".{path.name}.muniment-new")
    beside.unlink(missing_ok=True)
    handle = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o777)
    with os.fdopen(handle, "wb") as file:
        file.write(content)
    beside.replace(path)


def _configured_path(repo: str) -> str:
    """What core.hooksPath says, without what our own runner makes of it; empty when it is not set."""
    words = gitrun.run(repo, "config", "--show-scope", "-z", "--type=path", "--get-all", "core.hooksPath").split(b"\0")
    pairs = zip(words[::2], words[1::2], strict=False)
    return os.fsdecode([b"", *(value for scope, value in pairs if scope != b"command")][-1])


def _line(repo: str, *command: str) -> str:
    return os.fsdecode(gitrun.run(repo, *command).removesuffix(b"\n"))


@contextlib.contextmanager
def _named(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise Refused(f"can't change hooks in '{folder}': {error.strerror}", "check its owner and mode") from error
