"""The one place that starts git, so that a hostile repository can run nothing and hang nothing.

Standard library only, and without `subprocess`, whose import costs 5 ms or more: `head_commit` is all that a run with
nothing to do asks of git.
"""

import os
import select
from collections.abc import Iterator
from typing import NamedTuple, Self

from muniment.errors import SourceUnreadable

SILENCE_S = 120.0
"""How long git may print nothing before it is given up: a FIFO planted as `.git/HEAD` would hang it for ever."""

MAX_OUTPUT = 256 * 2**20
"""Bytes a listing may take: ten crafted trees, each naming the next ten times over, list 10^10 files."""

_MAX_COMPLAINT = 8192

# A repository's own settings name programs. Each of these shuts a door through which one ran in our trials.
_FLAGS = (
    *("-c", "core.fsmonitor=false"),
    *("-c", "core.hooksPath=/dev/null"),
    *("-c", "core.untrackedCache=false"),
    *("-c", "safe.bareRepository=explicit"),
    *("-c", "log.showSignature=false"),
)

_VARIABLES = {
    # A partial clone fetches what it lacks, which starts ssh, or by `ext::` any program. A git that does not know the
    # first line obeys the second.
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_LITERAL_PATHSPECS": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_PAGER": "cat",
    "LC_ALL": "C",
}

# What git says, what we say, and what to do.
_REFUSALS = (
    ("': No such file or directory", "{} does not exist", "check the path"),
    ("': Not a directory", "{} is not a folder", "name the folder that holds it"),
    (
        "not a git repository (or any",
        "{} is not a git repository",
        "name a repository, or a folder inside one; a folder of notes is a source of kind vault (docs/vaults.md)",
    ),
    (
        "not a git repository: ",
        "{} belongs to a repository that is not where it was",
        "see where its .git file points; after a move: git -C MOVED_REPOSITORY worktree repair FOLDER",
    ),
    (
        "dubious ownership",
        "{} belongs to another user, and git won't read it",
        "if you trust it: git config --global --add safe.directory {}",
    ),
    ("cannot use bare repository", "{} lies inside a bare repository", "name the folder that holds its HEAD"),
    ("a valid object name", "{} is not in the commit at HEAD", "commit it first, or read working copies: --worktree"),
    ("not a tree object", "{} is a submodule without its files", "run 'git submodule update --init' there"),
    ("promisor remote", "{} is a partial clone that lacks its folders", "clone it again without --filter"),
    # The same from a git that git started for the fetch, when that one has the last word.
    ("' not allowed", "{} is a partial clone that lacks its folders", "clone it again without --filter"),
)


class Head(NamedTuple):
    """Where HEAD stands, seen from a folder."""

    commit: str
    """Empty while there is none."""
    prefix: bytes
    """The folder's place in the repository, ending in `/`; empty at the top."""
    in_work_tree: bool


def head_commit(folder: str) -> str:
    """The id of the commit at HEAD, by one git process. Raises as `find_head`."""
    return find_head(folder).commit


def find_head(folder: str, need_commit: bool = True, silence_s: float = SILENCE_S) -> Head:
    """Where HEAD stands, by one git process.

    Raises SourceUnreadable when the folder can't be read as a repository, or when a commit is needed and not there.
    """
    command = ("rev-parse", "--show-prefix", "--is-inside-work-tree", "--verify", "-q", "HEAD^{commit}")
    with Git(folder, *command, silence_s=silence_s) as git:
        code, output = git.finish(accept=(0, 1))
    if code and need_commit:
        raise SourceUnreadable(f"{folder!r} has no commit at HEAD", "commit something first, or check out a branch")
    # Split from the end, as a folder's name may hold line breaks. Without a commit the last line is not there.
    prefix, inside, commit = (output + b"\n" if code else output)[:-1].rsplit(b"\n", 2)
    return Head(commit.decode(), prefix, inside == b"true")


def list_records(folder: str, *command: str, index_file: str = "") -> Iterator[tuple[list[str], bytes]]:
    """The records that a git command with `-z` prints: the words before the tab, and the name after it.

    `index_file` is read in the place of the repository's index.

    Raises SourceUnreadable when the command fails, is silent for `SILENCE_S`, or prints more than `MAX_OUTPUT`.
    """
    for record in run(folder, *command, index_file=index_file).split(b"\0")[:-1]:
        words, _, name = record.partition(b"\t")
        yield words.decode().split(), name


def run(folder: str, *command: str, index_file: str = "") -> bytes:
    """What a git command prints. Raises SourceUnreadable when it fails, hangs or floods."""
    with Git(folder, *command, index_file=index_file) as git:
        return git.finish()[1]


class Git:
    """A running git; leaving the `with` block ends it."""

    def __init__(self, folder: str, *command: str, silence_s: float = SILENCE_S, index_file: str = "") -> None:
        self._folder = folder
        self._silence_s = silence_s
        self._out, self._err = bytearray(), bytearray()
        (child_in, self._stdin), (self._stdout, child_out), (self._stderr, child_err) = (os.pipe() for _ in range(3))
        self._unfinished = {self._stdout, self._stderr}
        self._pid = 0
        try:
            self._pid = _spawn(folder, command, (child_in, child_out, child_err), index_file)
        except OSError as error:
            self.close()
            absent = isinstance(error, FileNotFoundError)
            message = "git is not installed" if absent else f"git can't be started: {error.strerror}"
            raise SourceUnreadable(message, "install git, and see that it is on PATH") from error
        finally:
            for descriptor in (child_in, child_out, child_err):
                os.close(descriptor)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends git if it still runs, and gives its pipes back."""
        for descriptor in (self._stdin, self._stdout, self._stderr):
            os.close(descriptor)
        if self._pid:
            os.kill(self._pid, 9)
            os.waitpid(self._pid, 0)

    def finish(self, accept: tuple[int, ...] = (0,)) -> tuple[int, bytes]:
        """The exit code and all of the output.

        Raises SourceUnreadable for a code that is not to be accepted, for silence, and for more than `MAX_OUTPUT`.
        """
        while self._pump():
            if len(self._out) > MAX_OUTPUT:
                raise SourceUnreadable(f"git lists over {MAX_OUTPUT >> 20} MiB of names in {self._folder!r}")
        code = os.waitstatus_to_exitcode(os.waitpid(self._pid, 0)[1])
        self._pid = 0
        if code not in accept:
            raise _refusal(self._folder, self.complaint() or f"it ended with code {code}")
        return code, bytes(self._out)

    def say(self, line: str) -> None:
        """Gives git one line to read. Raises BrokenPipeError when it is gone."""
        os.write(self._stdin, line.encode() + b"\n")

    def line(self) -> str:
        """The next line of the output. Raises EOFError when there is none."""
        while (end := self._out.find(b"\n")) < 0:
            self._pump_or_end()
        return self._take(end + 1)[:-1].decode()

    def until(self, mark: bytes, max_bytes: int) -> bytes:
        """The output up to a mark that ends it for now; or what there is, once that is more than `max_bytes`.

        Raises EOFError when git ends before either.
        """
        while len(self._out) <= max_bytes + len(mark) and not self._out.endswith(mark):
            self._pump_or_end()
        return self._take(len(self._out)).removesuffix(mark)

    def complaint(self) -> str:
        """The line in which git says why it ended; empty when it said nothing."""
        while self._pump():
            pass
        lines = self._err.decode(errors="replace").splitlines()
        # The last, because a git that it started for itself complains first.
        fatal = [line.removeprefix("fatal: ") for line in lines if line.startswith("fatal: ")]
        said = (fatal or lines or [""])[-1].removeprefix("error: ")
        return "".join(filter(str.isprintable, said))

    def _take(self, size: int) -> bytes:
        taken = bytes(self._out[:size])
        del self._out[:size]
        return taken

    def _pump_or_end(self) -> None:
        if not self._pump():
            raise EOFError

    def _pump(self) -> bool:
        # Both pipes are emptied as they fill: a git blocked on a full stderr would never get to its answer.
        if not self._unfinished:
            return False
        poll = select.poll()
        for descriptor in self._unfinished:
            poll.register(descriptor, select.POLLIN)
        ready = poll.poll(self._silence_s * 1000)
        if not ready:
            raise SourceUnreadable(
                f"git said nothing for {self._silence_s:g} s in {self._folder!r}",
                "look for a dead network mount, or for a FIFO inside its .git folder",
            )
        for descriptor, _ in ready:
            self._keep(descriptor, os.read(descriptor, 1 << 16))
        return True

    def _keep(self, descriptor: int, piece: bytes) -> None:
        if not piece:
            self._unfinished.discard(descriptor)
        elif descriptor == self._stdout:
            self._out += piece
        else:
            self._err = (self._err + piece)[-_MAX_COMPLAINT:]


def _spawn(folder: str, command: tuple[str, ...], streams: tuple[int, int, int], index_file: str) -> int:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")} | _VARIABLES
    if index_file:
        environment["GIT_INDEX_FILE"] = index_file
    named = ("--bare",) if _is_bare(folder) else ()
    line = ("git", "-C", folder, *named, *_FLAGS, *command)
    actions = [(os.POSIX_SPAWN_DUP2, stream, number) for number, stream in enumerate(streams)]
    return os.posix_spawnp("git", line, environment, file_actions=actions)


def _is_bare(folder: str) -> bool:
    # Asked of the folder the operator named only: further up, a set of documents may pose as a repository.
    there, inside, hidden = (os.access(f"{folder}/{name}", os.F_OK) for name in ("HEAD", "objects/.", ".git"))
    return there and inside and not hidden


def _refusal(folder: str, complaint: str) -> SourceUnreadable:
    for words, message, hint in _REFUSALS:
        if words in complaint:
            return SourceUnreadable(message.format(repr(folder)), hint.format(complaint.partition(" at ")[2]))
    return SourceUnreadable(f"git can't read {folder!r}: {complaint}", "see what 'git fsck' says there")
