"""The files of the page, as the package holds them, and what they may do in a browser."""

from __future__ import annotations

from functools import cache
from html import escape
from importlib.resources import files

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "connect-src 'self'",
        "img-src 'self' data:",
        "base-uri 'none'",
        "frame-ancestors 'none'",
        "form-action 'none'",
        # Text from documents that a slip hands to innerHTML is an error then, not markup.
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
    )
)
"""The Content-Security-Policy of the page: its own files, its own server, nothing inline, nobody else."""

SCRIPTS = (
    *("api", "app", "ask", "dom", "drift", "effectiveness", "feedback", "passage", "place", "reader", "reports"),
    *("search", "status"),
)
MEDIA_TYPES = {f"{name}.js": "text/javascript" for name in SCRIPTS} | {"style.css": "text/css"}
"""Name -> media type of what the page loads, under `/web/`."""
PATHS = frozenset({"/", *(f"/web/{name}" for name in MEDIA_TYPES)})
"""Where all of it is served. It holds nothing of the index, so it needs no token."""

_PREFECT = b'name="prefect-ui" content=""'


def page(prefect_ui: str) -> bytes:
    """The page itself, which knows the address of Prefect's interface where there is one."""
    return read("index.html").replace(_PREFECT, _PREFECT[:-1] + escape(prefect_ui).encode() + b'"')


@cache
def read(name: str) -> bytes:
    """One of the files."""
    return (files("muniment") / "web" / name).read_bytes()
