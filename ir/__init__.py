"""The SSA core: operations, types, attributes, text, verification. NumPy only."""

from __future__ import annotations

from importlib import import_module
from time import time_ns
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from penstock.ir.write import scalars as scalars

LOADED_AT = time_ns()
"""When this process started loading the compiler. Its sources may be replaced after that."""

_LAZY = {"scalars": "penstock.ir.write.scalars"}
"""Modules that authors of ops import from here, with their real place."""


def __getattr__(name: str) -> Any:
    if name not in _LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return import_module(_LAZY[name])
