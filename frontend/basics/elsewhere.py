"""Modules that programs for other libraries import, whose names are in modules of ours."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from types import ModuleType
from typing import Any


class _Elsewhere(ModuleType):
    """A module of theirs, which imports ours when it is first asked for a name."""

    def __init__(self, name: str, homes: Sequence[str]) -> None:
        super().__init__(name)
        self._homes = homes

    def __getattr__(self, name: str) -> Any:
        for home in [] if name.startswith("__") else self._homes:
            found = getattr(import_module(home), name, None)
            if found is not None:
                return found
        raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")


def modules_elsewhere(package: str, homes: Mapping[str, Sequence[str]]) -> dict[str, ModuleType]:
    """Let a package of ours have these modules, each with the names of modules of ours."""
    made: dict[str, ModuleType] = {}
    for name, places in homes.items():
        whole = f"{package}.{name}"
        made[name] = sys.modules[whole] = _Elsewhere(whole, places)
    return made
