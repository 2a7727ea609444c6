"""Packages that others import whole and that we hardly use: loaded when something of them is really wanted."""

from __future__ import annotations

import sys
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from types import ModuleType
from typing import Any


def put_off(name: str) -> ModuleType | None:
    """Puts off loading a package itself to the first use of a name in it; its submodules load as ever.

    Returns what stands in for it till then; None where it is loaded already, or not there.
    """
    if name in sys.modules or (spec := find_spec(name)) is None or spec.loader is None:
        return None
    module = sys.modules[name] = _OnDemand(spec)
    return module


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
