"""LanceDB without the client of a REST catalogue, which it imports whole and which local tables never use."""

from __future__ import annotations

from muniment.ondemand import put_off

UNUSED = "lance_namespace_urllib3_client"
"""150 classes of requests, of which LanceDB needs some, and an interface to them, 40 % of its import, of which none."""


def spare_unused() -> None:
    """Puts off loading that package itself to the first use of a name in it; its submodules load as ever."""
    put_off(UNUSED)
