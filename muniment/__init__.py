"""muniment: a retrieval index over a repository's own documentation.

`from muniment import open_index` is the Python API (docs/python.md).
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from muniment.api import Index, open_index

__all__ = ["Index", "__version__", "open_index"]
__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    """The API, loaded when it is first named: what it needs takes a second, and `import muniment` none."""
    if name in ("Index", "open_index"):
        from muniment import api

        return getattr(api, name)
    raise AttributeError(f"module 'muniment' has no attribute '{name}'")
