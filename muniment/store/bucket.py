"""Objects under one prefix of a bucket: read, written once, and one of them replaced only as it was last seen.

Only this file knows the object store's client.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from muniment.endpoints.address import is_loopback
from muniment.errors import Busy, ProviderReply, ProviderUnavailable, Refused, SettingsError

SETTING = "scale.url"
_URL = re.compile(r"s3://[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](/[A-Za-z0-9][A-Za-z0-9._-]*)*")
TIMEOUT = "60s"
TRIES = 3


@dataclass(frozen=True, slots=True)
class BucketChoice:
    """Where an index is shared, and how to get there."""

    url: str
    options: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    """As the object store's client and LanceDB take them: region, endpoint, aws_access_key_id, ..."""


class Stored(NamedTuple):
    """An object of the bucket."""

    name: str
    size: int
    written_at: datetime


def bucket_choice(url: str, options: Mapping[str, str], egress_ack: bool) -> BucketChoice | None:
    """Where to share the index, when texts may go there and what that takes is installed; None where no url is set.

    Raises SettingsError, or Refused for a bucket on another machine that was not acknowledged.
    """
    if not url:
        return None
    if not _URL.fullmatch(url):
        raise SettingsError(f"{SETTING} is no place in a bucket: '{url}'", "write s3://BUCKET/PREFIX")
    host = urlsplit(options.get("endpoint", "")).hostname or ""
    if not egress_ack and not is_loopback(host):
        raise Refused(
            f"{SETTING} is on another machine, and indexed text would be sent to it: '{host or url}'",
            "set egress_ack = true if that is meant",
        )
    if find_spec("obstore") is None:
        raise SettingsError(
            f"{SETTING} is set, and what talks to object storage is not installed",
            "install muniment with its extra 's3': pip install 'muniment[s3]'",
        )
    return BucketChoice(url, tuple(sorted(options.items())))


class Bucket:
    """The objects under a choice's url. Everything raises ProviderError when the store can't be reached or refuses."""

    def __init__(self, choice: BucketChoice) -> None:
        from obstore.exceptions import UnknownConfigurationKeyError
        from obstore.store import from_url

        options = dict(choice.options)
        plain = options.pop("allow_http", "").lower() in ("true", "1", "yes")
        client: Any = {"allow_http": plain, "timeout": TIMEOUT}
        self.url = choice.url
        config: Any = options
        with self._named():
            try:
                self._store: Any = from_url(
                    choice.url, config=config, client_options=client, retry_config={"max_retries": TRIES}
                )
            except UnknownConfigurationKeyError as error:
                raise SettingsError(
                    f"scale.storage_options has a key that means nothing: {_first_line(error)}", "see docs/scale.md"
                ) from error

    def read(self, name: str) -> tuple[bytes, str] | None:
        """An object's bytes and its tag, or None where there is none."""
        import obstore

        with self._named():
            try:
                found = obstore.get(self._store, name)
            except FileNotFoundError:
                return None
            return bytes(found.bytes()), str(found.meta["e_tag"])

    def fetch(self, name: str, path: Path) -> None:
        """Writes an object to a file, which is made."""
        import obstore

        with self._named(), path.open("wb") as file:
            for part in obstore.get(self._store, name).stream():
                file.write(part)

    def write(self, name: str, data: bytes | Path) -> None:
        """Puts an object whose name nobody else writes."""
        import obstore

        with self._named():
            obstore.put(self._store, name, data)

    def replace(self, name: str, data: bytes, tag: str) -> str:
        """Puts an object in place of the one with this tag; without a tag, where there is none. Returns the new tag.

        Raises Busy, and changes nothing, when another one stands there by now.
        """
        import obstore
        from obstore.exceptions import AlreadyExistsError, PreconditionError

        with self._named():
            try:
                mode: Any = {"e_tag": tag} if tag else "create"
                return str(obstore.put(self._store, name, data, mode=mode)["e_tag"])
            except (AlreadyExistsError, PreconditionError, FileNotFoundError) as error:
                raise Busy(
                    f"another run has published to '{self.url}' since this one began",
                    "run again: it begins with theirs",
                ) from error

    def copy(self, name: str, to: str) -> None:
        """Copies an object inside the bucket."""
        import obstore

        with self._named():
            obstore.copy(self._store, name, to)

    def find(self, under: str) -> Iterator[Stored]:
        """The objects whose name begins so, folder by folder."""
        import obstore

        with self._named():
            for batch in obstore.list(self._store, under):
                for one in batch:
                    yield Stored(one["path"], one["size"], one["last_modified"])

    def remove(self, names: Sequence[str]) -> None:
        """Removes objects."""
        import obstore

        with self._named():
            if names:
                obstore.delete(self._store, list(names))

    @contextlib.contextmanager
    def _named(self) -> Iterator[None]:
        from obstore.exceptions import BaseError, PermissionDeniedError, UnauthenticatedError

        try:
            yield
        except (PermissionDeniedError, UnauthenticatedError, PermissionError) as error:
            raise ProviderReply(
                f"'{self.url}' refuses: {_first_line(error)}", "check scale.storage_options and the bucket's policy"
            ) from error
        except FileNotFoundError as error:
            raise ProviderReply(
                f"'{self.url}' lacks something: {_first_line(error)}", "does the bucket exist?"
            ) from error
        except BaseError as error:
            raise ProviderUnavailable(
                f"'{self.url}' can't be reached: {_first_line(error)}", "the index on this machine still answers"
            ) from error


def _first_line(error: Exception) -> str:
    """What the client said last, without the trail of what it tried."""
    return str(error).splitlines()[0].rpartition(" - ")[2][:200]
