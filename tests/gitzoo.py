"""Strange and hostile git repositories: each builder takes a folder to work in and returns the repository's path."""

import hashlib
import os
import stat
import struct
import subprocess
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path

STRANGE_NAMES = (
    b"plain.md",
    b"not utf-8 \xff.md",
    b"tab\tin.md",
    b"line\nbreak.md",
    b'quo"te.md',
    "docs/Überblick.md".encode(),
    "docs/日本.md".encode(),
    b"README.md",
    b"readme.md",
    b"a b.md",
    b"a_b.md",
    b"a-b.md",
    b"a%b.md",
    b"back\\slash.md",
    b"-dash.md",
    b":(top)magic.md",
    b"star*.md",
    b" leading.md",
    b"trailing ",
)

_CLEAN = {
    "PATH": os.environ["PATH"],
    "HOME": "/nonexistent",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_SYSTEM": os.devnull,
    "GIT_AUTHOR_NAME": "muniment tests",
    "GIT_AUTHOR_EMAIL": "tests@example.invalid",
    "GIT_COMMITTER_NAME": "muniment tests",
    "GIT_COMMITTER_EMAIL": "tests@example.invalid",
    "GIT_AUTHOR_DATE": "2024-01-01T00:00:00Z",
    "GIT_COMMITTER_DATE": "2024-01-01T00:00:00Z",
}


def git(repo: Path, *command: str | bytes, stdin: bytes = b"", check: bool = True) -> bytes:
    """What plain git prints, run without anybody's configuration but the repository's."""
    line = ("git", "-C", repo, *command)
    return subprocess.run(line, input=stdin, env=_CLEAN, check=check, capture_output=True).stdout


def write(repo: Path, files: Mapping[str | bytes, str | bytes]) -> None:
    """Writes files below a folder, with the folders on the way."""
    for name, content in files.items():
        path = repo / os.fsdecode(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)


def commit(repo: Path, files: Mapping[str | bytes, str | bytes] = {}) -> str:
    """Writes files, commits everything, and returns the commit's id."""
    write(repo, files)
    git(repo, "add", "-A")
    git(repo, "commit", "-q", "--allow-empty", "-m", "a commit")
    return git(repo, "rev-parse", "HEAD").decode().strip()


def unborn(tmp: Path, object_format: str = "sha1") -> Path:
    """A repository without a commit; git's own checks of names are off, so that anything can be added."""
    repo = tmp / "repo"
    repo.mkdir(parents=True)
    git(repo, "init", "-q", "-b", "main", f"--object-format={object_format}")
    for setting in ("core.protectNTFS", "core.protectHFS", "core.autocrlf"):
        git(repo, "config", setting, "false")
    git(repo, "config", "uploadpack.allowFilter", "true")
    return repo


def small(tmp: Path, object_format: str = "sha1") -> Path:
    """A repository of three documents, one of them in a folder."""
    repo = unborn(tmp, object_format)
    commit(repo, {"README.md": "# one\n", "docs/two.md": "# two\n", "docs/deep/three.md": "# three\n"})
    return repo


def strange_names(tmp: Path) -> Path:
    """One document for each of `STRANGE_NAMES`."""
    repo = unborn(tmp)
    commit(repo, {name: b"# " + name for name in STRANGE_NAMES})
    return repo


def colliding_names(tmp: Path) -> Path:
    r"""Two names that look alike as text: the byte 0xff, and the four characters `\xff`."""
    repo = unborn(tmp)
    commit(repo, {b"\xff.md": "a byte", b"\\xff.md": "four characters"})
    return repo


def links(tmp: Path) -> Path:
    """A document among tracked symbolic links, of which each leads somewhere else."""
    repo = unborn(tmp)
    write(repo, {"real.md": "# real\n", "folder/in.md": "# in\n"})
    targets = {"out": "/etc/hostname", "dir": "folder", "self": "self", "gone": "missing", "abs": str(repo / "real.md")}
    for name, target in targets.items():
        (repo / f"{name}.md").symlink_to(target)
    commit(repo)
    return repo


def crafted(tmp: Path, *names: bytes) -> Path:
    """A commit whose one tree holds these names as they stand, slashes and all; git itself would refuse to add them."""
    repo = small(tmp)
    blob = git(repo, "hash-object", "-w", "--stdin", stdin=b"# crafted\n").decode().strip()
    entries = [(b"100644", name, blob) for name in (*names, b"z-good.md")]
    _commit_tree(repo, _write_tree(repo, entries))
    return repo


def wrong_type(tmp: Path) -> Path:
    """A tree that calls a tree a file."""
    repo = small(tmp)
    tree = git(repo, "rev-parse", "HEAD:docs").decode().strip()
    _commit_tree(repo, _write_tree(repo, [(b"100644", b"tree.md", tree)]))
    return repo


def bomb(tmp: Path, levels: int = 10, width: int = 10, name_length: int = 200) -> Path:
    """`width ** levels` files out of a few objects."""
    repo = small(tmp)
    held = git(repo, "hash-object", "-w", "--stdin", stdin=b"boom").decode().strip()
    mode = b"100644"
    for _ in range(levels):
        held = _write_tree(repo, [(mode, b"%d" % item + b"x" * name_length, held) for item in range(width)])
        mode = b"40000"
    _commit_tree(repo, held)
    return repo


def _write_tree(repo: Path, entries: Sequence[tuple[bytes, bytes, str]]) -> str:
    body = b"".join(mode + b" " + name + b"\0" + bytes.fromhex(held) for mode, name, held in entries)
    raw = b"tree %d\0" % len(body) + body
    object_id = hashlib.sha1(raw).hexdigest()
    plant(repo, object_id, raw)
    return object_id


def plant(repo: Path, object_id: str, raw: bytes) -> None:
    """Puts a loose object in place, whatever it holds."""
    path = loose(repo, object_id)
    path.parent.mkdir(exist_ok=True)
    path.unlink(missing_ok=True)
    path.write_bytes(zlib.compress(raw))


def loose(repo: Path, object_id: str) -> Path:
    """Where a loose object lies."""
    return repo / ".git" / "objects" / object_id[:2] / object_id[2:]


def _commit_tree(repo: Path, tree: str) -> None:
    made = git(repo, "commit-tree", tree, "-m", "crafted").decode().strip()
    git(repo, "update-ref", "refs/heads/main", made)


def submodule(tmp: Path) -> Path:
    """A repository with the checkout of another at `sub`."""
    inner = small(tmp / "inner")
    commit(inner, {"inner.md": "# inner\n"})
    repo = small(tmp)
    git(repo, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(inner), "sub")
    commit(repo)
    return repo


def nested_worktree(tmp: Path) -> Path:
    """A repository with a second work tree of its own inside, untracked; the path is that of the outer."""
    repo = small(tmp)
    git(repo, "worktree", "add", "-q", ".claude/wt", "-b", "other")
    return repo


def clone(tmp: Path, source: Path, *options: str) -> Path:
    """A clone by the file transport, as over a network."""
    repo = tmp / "clone"
    git(tmp, "clone", "-q", *options, f"file://{source}", str(repo))
    return repo


def sparse(tmp: Path) -> Path:
    """A clone with everything in the index, and only `docs/two.md` and the files at the top checked out."""
    repo = clone(tmp, small(tmp))
    git(repo, "sparse-checkout", "set", "--no-cone", "/*.md", "/docs/two.md")
    return repo


def conflicted(tmp: Path) -> Path:
    """A merge that stopped: `README.md` is in the index three times."""
    repo = small(tmp)
    git(repo, "checkout", "-q", "-b", "other")
    commit(repo, {"README.md": "# theirs\n"})
    git(repo, "checkout", "-q", "main")
    commit(repo, {"README.md": "# ours\n"})
    git(repo, "merge", "other", check=False)
    return repo


def partial(tmp: Path, mark: Path, url: str = "", filter_: str = "blob:none") -> Path:
    """A clone without blobs whose remote, asked for one, would run a program that leaves a mark."""
    repo = clone(tmp, small(tmp), "--no-checkout", f"--filter={filter_}")
    _arm_remote(repo, str(marker(tmp, mark)), url)
    return repo


def sparse_partial(tmp: Path, mark: Path) -> Path:
    """A sparse clone that has only the blobs it has checked out, with a remote like that of `partial`."""
    repo = clone(tmp, small(tmp), "--sparse", "--filter=blob:none")
    _arm_remote(repo, str(marker(tmp, mark)))
    return repo


def _arm_remote(repo: Path, program: str, url: str = "") -> None:
    git(repo, "config", "remote.origin.url", url or f"ext::{program}")
    git(repo, "config", "core.sshCommand", program)
    git(repo, "config", "protocol.allow", "always")


def marker(tmp: Path, mark: Path) -> Path:
    """A program that leaves a mark when it is run."""
    program = tmp / "marker"
    program.write_text(f"#!/bin/sh\necho \"$0 $*\" >> '{mark}'\nexit 1\n")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    return program


def hostile(tmp: Path, mark: Path) -> Path:
    """A repository whose every setting that names a program names one that leaves a mark."""
    repo = small(tmp)
    commit(repo, {".gitattributes": "* filter=evil diff=evil merge=evil\n"})
    program = str(marker(tmp, mark))
    for setting in _PROGRAMS:
        git(repo, "config", setting, f"!{program}" if setting.startswith("alias.") else program)
    git(repo, "config", "log.showSignature", "true")
    git(repo, "config", "core.untrackedCache", "true")
    git(repo, "config", "remote.origin.url", f"ext::{program}")
    for hook in ("post-index-change", "reference-transaction", "post-checkout", "fsmonitor-watchman", "pre-auto-gc"):
        (repo / ".git/hooks").mkdir(exist_ok=True)
        (repo / ".git/hooks" / hook).symlink_to(program)
    # Touched, so that git would have to look into it.
    os.utime(repo / "README.md", ns=(0, 0))
    return repo


_PROGRAMS = """
    core.fsmonitor core.pager core.editor core.sshCommand core.askPass core.gitProxy core.alternateRefsCommand
    credential.helper diff.external diff.evil.command diff.evil.textconv filter.evil.clean filter.evil.smudge
    filter.evil.process merge.evil.driver gpg.program gpg.ssh.program interactive.diffFilter pager.rev-parse
    pager.ls-tree pager.ls-files pager.cat-file sequence.editor uploadpack.packObjectsHook alias.rev-parse
    alias.ls-tree alias.ls-files alias.cat-file
""".split()  # noqa: SIM905 - a line each would be thirty


def hostile_environment(tmp: Path, mark: Path) -> dict[str, str]:
    """Variables that would lead git to another repository, or make it run a program that leaves a mark."""
    elsewhere = small(tmp / "elsewhere")
    program = str(marker(tmp, mark))
    redirected = {
        "GIT_DIR": str(elsewhere / ".git"),
        "GIT_WORK_TREE": str(elsewhere),
        "GIT_INDEX_FILE": str(elsewhere / ".git/index"),
        "GIT_OBJECT_DIRECTORY": str(elsewhere / ".git/objects"),
        "GIT_NAMESPACE": "elsewhere",
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": "core.fsmonitor",
        "GIT_CONFIG_VALUE_0": program,
    }
    programs = (
        "GIT_SSH_COMMAND",
        "GIT_SSH",
        "GIT_PAGER",
        "GIT_EDITOR",
        "GIT_EXTERNAL_DIFF",
        "GIT_ASKPASS",
        "GIT_PROXY_COMMAND",
    )
    return redirected | dict.fromkeys(programs, program)


def craft_index(repo: Path, *names: bytes) -> None:
    """Puts an index of these names in place, whatever they are."""
    blob = bytes.fromhex(git(repo, "rev-parse", "HEAD:README.md").decode())
    body = b"DIRC" + struct.pack(">II", 2, len(names))
    for name in sorted(names):
        entry = struct.pack(">10I20sH", *[0] * 6, 0o100644, 0, 0, 0, blob, len(name)) + name
        body += entry + b"\0" * (8 - len(entry) % 8)
    (repo / ".git" / "index").write_bytes(body + hashlib.sha1(body).digest())
