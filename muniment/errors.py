"""Every failure muniment names, with its exit code, HTTP status and whether trying again can help.

MunimentError
 |- UsageError              2   400  the command line or a parameter is wrong
 |   `- SettingsError       2   400  muniment.toml or the environment is wrong
 |- Refused                 4   409  a guard said no; nothing was changed
 |   |- Shrunk              4   409  a source lost more than half of its documents
 |   `- ReadOnly            4   409  the index folder can't be written
 |- NoIndex                10   404  nothing has been indexed yet
 |- IndexMismatch          12   409  the index was made by another embedder or schema
 |   `- ForeignIndex       12   409  the folder is torn, or is not muniment's
 |- ProviderError          13   502  an embedder or model endpoint did not do its work
 |   |- ProviderUnavailable 13  503  it did not answer (transient)
 |   `- ProviderReply      13   502  it answered, and the answer can't be used
 |- SourceUnreadable       14   422  a repository or folder can't be read
 |- Busy                   75   503  another run holds the index (transient)
 |   `- Reclaimed           75   503  what was read is gone from the bucket, for a newer generation (transient)
 `- DiskFull               75   507  no room is left; the last generation still answers
"""

from typing import ClassVar

DONE = 0
FOUND = 1
PARTLY = 3
BUG = 70
INTERRUPTED = 130

EXIT_CODES: dict[int, str] = {
    DONE: "done",
    FOUND: "found something (`drift --check`, `quality`, `verify`, `repair`)",
    2: "usage or settings",
    PARTLY: "done, but some documents failed or wait for their vectors",
    4: "refused by a guard",
    10: "no index",
    12: "index made by another embedder or schema",
    13: "provider did not answer, or answered with something unusable",
    14: "source unreadable",
    BUG: "a bug in muniment",
    75: "busy or out of room: try again later",
    INTERRUPTED: "interrupted",
}


class MunimentError(Exception):
    """A failure with a name: one line of what is wrong, and a hint of what to do."""

    exit_code: ClassVar[int] = BUG
    http_status: ClassVar[int] = 500
    transient: ClassVar[bool] = False

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __reduce__(self) -> tuple[type["MunimentError"], tuple[str, str]]:
        # Prefect and process pools pickle exceptions; the default would lose the hint.
        return type(self), (self.message, self.hint)


class UsageError(MunimentError):
    """The command line or a parameter is wrong."""

    exit_code = 2
    http_status = 400


class SettingsError(UsageError):
    """A settings file or an environment variable is wrong."""


class Refused(MunimentError):
    """A guard said no, and nothing was changed."""

    exit_code = 4
    http_status = 409


class Shrunk(Refused):
    """A source lost more than half of its documents since the last run."""


class ReadOnly(Refused):
    """The index folder can't be written."""


class NoIndex(MunimentError):
    """Nothing has been indexed yet."""

    exit_code = 10
    http_status = 404


class IndexMismatch(MunimentError):
    """The index was made by another embedder or schema than the one asked for."""

    exit_code = 12
    http_status = 409


class ForeignIndex(IndexMismatch):
    """The index folder is torn, or holds something that is not muniment's."""


class ProviderError(MunimentError):
    """An embedder or model endpoint did not do its work."""

    exit_code = 13
    http_status = 502


class ProviderUnavailable(ProviderError):
    """The endpoint did not answer, or said that it is overloaded: trying again can help."""

    http_status = 503
    transient = True


class ProviderReply(ProviderError):
    """The endpoint answered with something unusable: the same request would fail again."""


class SourceUnreadable(MunimentError):
    """A repository or folder can't be read."""

    exit_code = 14
    http_status = 422


class Busy(MunimentError):
    """Another run holds the index."""

    exit_code = 75
    http_status = 503
    transient = True


class Reclaimed(Busy):
    """The generation that was read is no longer in the bucket: a newer one is."""


class DiskFull(MunimentError):
    """No room is left on the index's disk; the last generation still answers."""

    exit_code = 75
    http_status = 507
