"""What a worker of a Dask scheduler is sent and does: a batch of texts comes, vectors go back.

It is told texts, the model and where Prefect's API is; never the embedder's key.
"""

from __future__ import annotations

import os
import pickle
import re
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.util import find_spec

from muniment.embedders import Embedder, EmbedderChoice, make_embedder
from muniment.endpoints.address import is_loopback
from muniment.errors import ProviderReply, Refused, SettingsError
from tasks.embed import Batch, Embedded, embed_batch

SETTING = "scale.dask_address"
_ADDRESS = re.compile(r"(tcp|tls)://(?P<host>[a-zA-Z0-9_.-]+|\[[0-9a-fA-F:.]+\]):(?P<port>[0-9]{1,5})")


@dataclass(frozen=True, slots=True)
class Sent:
    """A batch as it goes to a worker: with how to make the embedder, since an open model can't be sent."""

    choice: EmbedderChoice
    """Without the key: a worker takes that from its own settings."""
    fingerprint: str
    batch: Batch = field(repr=False)


def check_dask(address: str, egress_ack: bool) -> str:
    """The scheduler's address, when texts may be sent to it and what that takes is installed; empty means none.

    Raises SettingsError, or Refused for a scheduler on another machine that was not acknowledged.
    """
    if not address:
        return ""
    parts = _ADDRESS.fullmatch(address)
    if not parts or not 0 < int(parts["port"]) < 65536:
        raise SettingsError(f"{SETTING} is no address of a Dask scheduler: '{address}'", "write tcp://HOST:PORT")
    if not egress_ack and not is_loopback(parts["host"].strip("[]")):
        raise Refused(
            f"{SETTING} names another machine, and indexed text would be sent to it: '{parts['host']}'",
            "set egress_ack = true if that is meant",
        )
    if find_spec("prefect_dask") is None:
        raise SettingsError(
            f"{SETTING} is set, and what talks to Dask is not installed",
            "install muniment with its extra 'dask': pip install 'muniment[dask]'",
        )
    return address


def embed_sent(packed: bytes) -> Embedded:
    """What `embed_batch` returns for a pickled `Sent`, computed where this is called.

    Raises what it raises, and ProviderReply where the model here is not the one of the index.
    """
    sent: Sent = pickle.loads(packed)  # noqa: S301 - whoever may send to a Dask worker may run anything on it
    embedder = _embedder(sent.choice)
    if embedder.fingerprint != sent.fingerprint:
        raise ProviderReply(
            f"a Dask worker has embedder '{embedder.fingerprint}', the index is made with '{sent.fingerprint}'",
            "install the same muniment on every worker",
        )
    return embed_batch(replace(sent.batch, embedder=embedder))


@cache
def _embedder(choice: EmbedderChoice) -> Embedder:
    from muniment.home import find_config
    from muniment.settings import load_settings

    own = load_settings(find_config(None, os.environ)).embedder
    return make_embedder(replace(choice, api_key=own.api_key.get_secret_value()))
