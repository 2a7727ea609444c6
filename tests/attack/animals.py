"""The animals of the git zoo: repositories that would have git run a program, or read another repository.

Each is armed in one way only, so that a door left open is known by the animal that came through it.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from tests import gitzoo

DOCUMENTS: dict[str | bytes, str | bytes] = {
    "README.md": "# Kestrel\n\nThe kestrel job copies the archive.\n\n`GRACE_SECONDS` (default: `30`): wait.\n",
    "conf/kestrel.conf.template": "# How long the copy in hand gets.\nGRACE_SECONDS=60\n",
    "docs/heron.md": "# Heron\n\nThe heron job prints labels for the boxes.\n",
}
ELSEWHERE: dict[str | bytes, str | bytes] = {
    "README.md": "# Pelican\n\nThe pelican belongs to another repository.\n",
    "docs/pelican.md": "# Pelican\n",
}


@dataclass(frozen=True)
class Animal:
    """One way to arm a repository."""

    arm: Callable[[Path, str], object]
    """Called with the repository and the program that leaves a mark."""
    bites: tuple[str, ...] = ()
    """What makes plain git run the program: the proof that the animal is armed."""
    terminal: bool = False
    """Whether it only bites where somebody looks on."""
    environ: Callable[[Path, str], dict[str, str]] = field(default=lambda _repo, _program: {})
    """Variables that muniment inherits; `{}` where the repository itself is the danger."""
    refused: bool = False
    """Whether git is right not to read it at all."""
    elsewhere: bool = False
    """Whether its hooks lie where none of ours may be written."""
    unreadable: bool = False
    """Whether its documents are not there, for nobody may fetch them."""


def born(tmp: Path) -> Path:
    """A repository of `DOCUMENTS` with two commits, whose HEAD stands at the first; one file was touched since."""
    repo = gitzoo.unborn(tmp)
    first = gitzoo.commit(repo, DOCUMENTS)
    gitzoo.commit(repo, {"docs/heron.md": f"{DOCUMENTS['docs/heron.md']!s}\nIt sleeps at noon.\n"})
    gitzoo.git(repo, "branch", "later")
    gitzoo.git(repo, "reset", "-q", "--hard", first)
    return repo


def move_on(repo: Path) -> None:
    """Puts HEAD at the second commit and dirties two files, by hand: nothing of the repository's is run."""
    if (repo / ".git").is_dir():
        shutil.copy(repo / ".git/refs/heads/later", repo / ".git/refs/heads/main")
    gitzoo.write(repo, {"README.md": f"{DOCUMENTS['README.md']!s}\nEdited.\n"})
    os.utime(repo / "conf/kestrel.conf.template", ns=(0, 0))


def _set(*settings: str) -> Callable[[Path, str], None]:
    """Sets each `key=value`; `{}` in a value is the program."""

    def arm(repo: Path, program: str) -> None:
        for setting in settings:
            key, _, value = setting.partition("=")
            gitzoo.git(repo, "config", key, value.format(program))

    return arm


def _attributes(line: str, *settings: str) -> Callable[[Path, str], None]:
    """The same for a driver that `.git/info/attributes` assigns to every file."""

    def arm(repo: Path, program: str) -> None:
        gitzoo.write(repo, {".git/info/attributes": f"* {line}\n"})
        _set(*settings)(repo, program)

    return arm


def _hooks(repo: Path, program: str) -> None:
    names = (
        *("post-index-change", "reference-transaction", "post-checkout", "post-merge", "post-rewrite", "pre-commit"),
        *("fsmonitor-watchman", "pre-auto-gc", "post-commit", "pre-push", "update", "proc-receive"),
    )
    (repo / ".git/hooks").mkdir(exist_ok=True)
    for name in names:
        (repo / ".git/hooks" / name).symlink_to(program)


def _hooks_path(repo: Path, program: str) -> None:
    folder = repo / "docs" / "hooks"
    folder.mkdir()
    (folder / "post-index-change").symlink_to(program)
    gitzoo.git(repo, "config", "core.hooksPath", str(folder))


def _signed(repo: Path, program: str) -> None:
    signature = b"\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n aaaa\n -----END PGP SIGNATURE-----"
    for branch in ("main", "later"):
        head, _, message = gitzoo.git(repo, "cat-file", "commit", branch).partition(b"\n\n")
        raw = head + signature + b"\n\n" + message
        signed = gitzoo.git(repo, "hash-object", "-t", "commit", "-w", "--stdin", stdin=raw)
        gitzoo.git(repo, "update-ref", f"refs/heads/{branch}", signed.decode().strip())
    _set("gpg.program={}", "gpg.ssh.program={}", "gpg.x509.program={}", "log.showSignature=true")(repo, program)


def _partial(url: str) -> Callable[[Path, str], None]:
    """Makes it a partial clone that has lost its documents, whose remote is a program."""

    def arm(repo: Path, program: str) -> None:
        for commit in ("main", "later"):
            for line in gitzoo.git(repo, "ls-tree", "-r", commit).decode().splitlines():
                gitzoo.loose(repo, line.split()[2]).unlink(missing_ok=True)
        _set(
            "core.repositoryFormatVersion=1",
            "extensions.partialClone=origin",
            "remote.origin.promisor=true",
            "remote.origin.partialCloneFilter=blob:none",
            f"remote.origin.url={url}",
            "protocol.allow=always",
            "core.sshCommand={}",
            "core.gitProxy={}",
        )(repo, program)

    return arm


def _included(repo: Path, program: str) -> None:
    (repo.parent / "included").write_text(f"[core]\n\tfsmonitor = {program}\n\tpager = {program}\n")
    _set(f"include.path={repo.parent}/included", f"includeIf.gitdir:**.path={repo.parent}/included")(repo, program)


def _worktree_config(repo: Path, program: str) -> None:
    _set("core.repositoryFormatVersion=1", "extensions.worktreeConfig=true")(repo, program)
    gitzoo.git(repo, "config", "--worktree", "core.fsmonitor", program)


def _submodule(repo: Path, program: str) -> None:
    inner = gitzoo.small(repo.parent / "inner")
    gitzoo.git(repo, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(inner), "sub")
    gitzoo.commit(repo)
    gitzoo.git(repo, "update-ref", "refs/heads/later", "HEAD")
    gitzoo.git(repo / "sub", "config", "core.fsmonitor", program)
    _set("submodule.sub.update=!{}", "submodule.recurse=true", "diff.submodule=log")(repo, program)


def _alternates(repo: Path, program: str) -> None:
    other = gitzoo.unborn(repo.parent / "other")
    gitzoo.commit(other, ELSEWHERE)
    gitzoo.write(repo, {".git/objects/info/alternates": f"{other}/.git/objects\n"})
    _set("core.alternateRefsCommand={}")(repo, program)


def _git_file(repo: Path, program: str) -> None:
    moved = repo.parent / "moved.git"
    (repo / ".git").rename(moved)
    (repo / ".git").write_text(f"gitdir: {moved}\n")
    gitzoo.git(repo, "config", "core.fsmonitor", program)


def _given_away(repo: Path, program: str) -> None:
    _set("core.fsmonitor={}")(repo, program)
    for path in (repo, repo / ".git", repo / ".git/config"):
        os.chown(path, 54321, 54321)


def _nothing(_repo: Path, _program: str) -> None:
    """The danger is in what is inherited."""


def _elsewhere(repo: Path, program: str) -> dict[str, str]:
    other = gitzoo.unborn(repo.parent / "elsewhere")
    gitzoo.commit(other, ELSEWHERE)
    redirected = {
        "GIT_DIR": f"{other}/.git",
        "GIT_WORK_TREE": str(other),
        "GIT_INDEX_FILE": f"{other}/.git/index",
        "GIT_OBJECT_DIRECTORY": f"{other}/.git/objects",
        "GIT_COMMON_DIR": f"{other}/.git",
        "GIT_NAMESPACE": "elsewhere",
        "GIT_PREFIX": "docs/",
        "GIT_CEILING_DIRECTORIES": "/",
    }
    configured = {"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "core.fsmonitor", "GIT_CONFIG_VALUE_0": program}
    programs = ["SSH_COMMAND", "SSH", "PAGER", "EDITOR", "EXTERNAL_DIFF", "ASKPASS", "PROXY_COMMAND", "TEMPLATE_DIR"]
    return redirected | configured | {f"GIT_{name}": program for name in programs} | {"PAGER": program}


def _ambient(_repo: Path, program: str) -> dict[str, str]:
    return {"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "core.fsmonitor", "GIT_CONFIG_VALUE_0": program}


ANIMALS: dict[str, Animal] = {
    "fsmonitor": Animal(_set("core.fsmonitor={}"), ("status",)),
    "hooks": Animal(_hooks, ("update-index", "--refresh")),
    "hooks-path": Animal(_hooks_path, ("update-index", "--refresh"), elsewhere=True),
    "clean-filter": Animal(_attributes("filter=evil", "filter.evil.clean={}"), ("status",)),
    "smudge-filter": Animal(
        _attributes("filter=evil", "filter.evil.smudge={}"), ("cat-file", "--filters", "HEAD:README.md")
    ),
    "process-filter": Animal(_attributes("filter=evil", "filter.evil.process={}"), ("status",)),
    "textconv": Animal(_attributes("diff=evil", "diff.evil.textconv={}"), ("diff",)),
    "diff-driver": Animal(_attributes("diff=evil", "diff.evil.command={}"), ("diff",)),
    "external-diff": Animal(_set("diff.external={}"), ("diff",)),
    "pager": Animal(_set("core.pager={}", "pager.rev-parse={}", "pager.ls-tree={}"), ("log",), terminal=True),
    "ssh-command": Animal(_set("core.sshCommand={}", "remote.origin.url=ssh://there/x"), ("ls-remote", "origin")),
    "ext-remote": Animal(_set("protocol.ext.allow=always", "remote.origin.url=ext::{}"), ("ls-remote", "origin")),
    "gpg-program": Animal(_signed, ("log", "-1")),
    "alias": Animal(_set("alias.rev-parse=!{}", "alias.ls-tree=!{}", "alias.st=!{}"), ("st",)),
    "credentials": Animal(_set("credential.helper=!{}", "core.askPass={}"), ("credential", "fill")),
    "partial-clone-ext": Animal(_partial("ext::{}"), ("cat-file", "-p", "HEAD:README.md"), unreadable=True),
    "partial-clone-ssh": Animal(_partial("ssh://there/x"), ("cat-file", "-p", "HEAD:README.md"), unreadable=True),
    "included-settings": Animal(_included, ("status",)),
    "worktree-settings": Animal(_worktree_config, ("status",)),
    "submodule": Animal(_submodule, ("status",)),
    "alternates": Animal(_alternates, ("rev-list", "--alternate-refs", "-1", "HEAD")),
    "git-file": Animal(_git_file, ("status",)),
    "inherited-places": Animal(_nothing, ("status",), environ=_elsewhere),
    "inherited-settings": Animal(_nothing, ("status",), environ=_ambient),
    "foreign-owner": Animal(_given_away, ("-c", "safe.directory=*", "status"), refused=True),
}
