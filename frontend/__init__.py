"""Penstock: job functions, compiled to native code that can be watched.

Importing this package, or any package below it, loads none of its modules: a name is looked up in
`_LAZY` when it is first used. So `import penstock.runtime` stays as small as the runtime.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from penstock import data as data

# Public name -> "module", or "module:attribute". A module below `penstock` is never named like a
# public function, because importing it would put the module in the function's place.
_LAZY: dict[str, str] = {
    "data": "penstock.data",
}

__all__ = ["data"]


def __getattr__(name: str) -> object:
    if name not in _LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module, _, attribute = _LAZY[name].partition(":")
    value: object = import_module(module)
    if attribute:
        value = getattr(value, attribute)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_LAZY})
