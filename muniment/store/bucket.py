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
KEYS = "check scale.storage_options and the bucket's policy"
_URL = re.compile(r"s3://[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](/[A-Za-z0-9][A-Za-z0-9._-]*)*")
_CODE = re.compile(r"<Code>(\w{1,100})</Code>\s*<Message>([^<]{1,300})</Message>")
"""What S3 and its likes say of an error."""
_STATUS = re.compile(r"status code: (\d{3})")
_AGAIN = ("408", "429")


class Patience(NamedTuple):
    """How long one request may take and how often it is made again, and what to tell who waited in vain."""

    seconds: int
    connect_seconds: int
    retries: int
    hint: str


PUBLISHING = Patience(60, 5, 3, "the index on this machine still answers")
CHECKING = PUBLISHING._replace(hint="see that this machine reaches it, and endpoint in scale.storage_options")
ASKING = Patience(10, 3, 1, "try again; 'muniment doctor' looks at the bucket, and 'muniment pull' keeps a copy here")
"""For who waits for an answer that nothing on this machine can give."""


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
    endpoint = urlsplit(options.get("endpoint", ""))
    if endpoint.scheme == "http" and not _is_yes(options.get("allow_http", "")):
        raise SettingsError(
            f"scale.storage_options names an endpoint without TLS: '{options['endpoint']}'",
            'add allow_http = "true" if that is meant',
        )
    host = endpoint.hostname or ""
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

    def __init__(self, choice: BucketChoice, patience: Patience = PUBLISHING) -> None:
        from obstore.exceptions import UnknownConfigurationKeyError
        from obstore.store import from_url

        options = dict(choice.options)
        client: Any = {
            "allow_http": _is_yes(options.pop("allow_http", "")),
            "timeout": f"{patience.seconds}s",
            "connect_timeout": f"{patience.connect_seconds}s",
        }
        self.url = choice.url
        self._hint = patience.hint
        self._at = f" at '{options['endpoint']}'" if "endpoint" in options else ""
        config: Any = options
        with self._named():
            try:
                self._store: Any = from_url(
                    choice.url, config=config, client_options=client, retry_config={"max_retries": patience.retries}
                )
            except UnknownConfigurationKeyError as error:
                raise SettingsError(
                    f"scale.storage_options has a key that means nothing: {_said(error)}", "see docs/scale.md"
                ) from error

    def read(self, name: str) -> tuple[bytes, str] | None:
        """An object's bytes and its tag, or None where there is none."""
        import obstore

        with self._named():
            try:
                found = obstore.get(self._store, name)
            except FileNotFoundError as error:
                if "<Code>NoSuchBucket<" in str(error):
                    raise
                return None
            return bytes(found.bytes()), str(found.meta["e_tag"])

    def stream(self, name: str) -> Iterator[memoryview]:
        """An object's bytes, in pieces of some megabytes."""
        import obstore

        with self._named():
            for part in obstore.get(self._store, name).stream():
                yield memoryview(part)

    def fetch(self, name: str, path: Path) -> None:
        """Writes an object to a file, which is made."""
        with path.open("wb") as file:
            for part in self.stream(name):
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
            raise ProviderReply(f"'{self.url}' refuses: {_said(error)}", KEYS) from error
        except FileNotFoundError as error:
            raise ProviderReply(f"'{self.url}' lacks something: {_said(error)}", "does the bucket exist?") from error
        except BaseError as error:
            if _is_final(error):
                raise ProviderReply(f"'{self.url}' refuses: {_said(error)}", KEYS) from error
            said = f"'{self.url}' can't be reached{self._at}: {_said(error)}"
            raise ProviderUnavailable(said, self._hint) from error


def _is_yes(option: str) -> bool:
    return option.lower() in ("true", "1", "yes")


def store_said(text: str) -> str:
    """What a store said, in an error that a client made of it; empty where there was no answer, or no words in it."""
    found = _CODE.search(text)
    return ": ".join(found.groups()) if found else ""


def _said(error: Exception) -> str:
    """What the store said, else what the client said last, without the trail of what it tried."""
    return store_said(str(error)) or str(error).splitlines()[0].rpartition(" - ")[2][:200]


def _is_final(error: Exception) -> bool:
    """Whether the store answered that it will not, which the client's own classes tell of some requests only."""
    found = _STATUS.search(str(error))
    return bool(found and found[1].startswith("4") and found[1] not in _AGAIN)
