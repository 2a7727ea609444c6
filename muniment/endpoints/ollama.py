"""Ollama's own client library, imported so that no variable of the environment can break or redirect it."""

import os
import sys
from threading import Lock
from types import ModuleType

# While one thread imports it, another one would be given half of it.
_importing = Lock()


def client_library() -> ModuleType:
    """The `ollama` module, which at import makes a client from OLLAMA_HOST and proxies and fails on a bad one."""
    with _importing:
        if "ollama" not in sys.modules:
            unwanted = [name for name in os.environ if name == "OLLAMA_HOST" or name.lower().endswith("_proxy")]
            hidden = {name: os.environ.pop(name) for name in unwanted}
            try:
                import ollama  # noqa: F401
            finally:
                os.environ.update(hidden)
        return sys.modules["ollama"]
