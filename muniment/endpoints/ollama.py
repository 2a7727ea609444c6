"""Ollama's own client library, imported so that no variable of the environment can break or redirect it."""

import os
import sys
from types import ModuleType


def client_library() -> ModuleType:
    """The `ollama` module, which at import makes a client from OLLAMA_HOST and proxies and fails on a bad one."""
    if "ollama" not in sys.modules:
        unwanted = [name for name in os.environ if name == "OLLAMA_HOST" or name.lower().endswith("_proxy")]
        hidden = {name: os.environ.pop(name) for name in unwanted}
        try:
            import ollama  # noqa: F401
        finally:
            os.environ.update(hidden)
    return sys.modules["ollama"]
