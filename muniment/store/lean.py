"""LanceDB without the client of a REST catalogue, which it imports whole and which local tables never use."""

from __future__ import annotations

import sys
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from types import ModuleType
from typing import Any

UNUSED = "lance_namespace_urllib3_client"
"""150 classes of requests, of which LanceDB needs some, and an interface to them, 40 % of its import, of which none."""


def spare_unused() -> None:
    """Puts off loading that package itself to the first use of a name in it; its submodules load as ever."""
    if UNUSED in sys.modules or (spec := find_spec(UNUSED)) is None or spec.loader is None:
        return
    sys.modules[UNUSED] = _OnDemand(spec)


class _OnDemand(ModuleType):
    """A package whose own code runs when a name is asked of it that is not there yet."""

    def __init__(self, spec: ModuleSpec) -> None:
        super().__init__(spec.name)
        self.__spec__, self.__loader__ = spec, spec.loader
        self.__path__ = list(spec.submodule_search_locations or [])

    def __getattr__(self, name: str) -> Any:
        self.__class__ = ModuleType  # type: ignore[assignment]  # from here on a module like any other
        if (spec := self.__spec__) and spec.loader:
            spec.loader.exec_module(self)
        return getattr(self, name)
