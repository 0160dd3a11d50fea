"""The native helpers of a process, as code: the thread pool, and the call of jobs from Python.

The runtime says what it needs of them, in `runtime/native/helpers.py`; they are C of our own, in
`codegen/native/`, which defines it under names that begin with `penstock_`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from penstock.codegen.cache import Store
from penstock.codegen.host import object_key
from penstock.codegen.native import native_text
from penstock.codegen.objects.resident import begin_resident

__all__ = ["TEXTS", "begin_helpers", "helper_library", "ranks_library"]

_NAMES = "pool", "call", "memory", "taps", "eager", "change", "backward"
TEXTS = tuple(map(native_text, _NAMES))

_LEVEL = "x86-64-v2"  # on machines of which penstock runs at all
_DEFINED = re.compile(r"^define [^@\n]*@(penstock_\w+)\(", re.MULTILINE)


def helper_library(store: Store | None = None) -> bytes:
    """Their shared object, for every processor; it is kept in the store.

    What they call beside themselves is in the C library, and in the Python that loads them.
    """
    return begin_helpers(store)()


def ranks_library(store: Store | None = None) -> bytes:
    """The shared object of the collectives of jobs on ranks, likewise."""
    return _begin("ranks", (native_text("ranks"),), store)()


def begin_helpers(store: Store | None = None) -> Callable[[], bytes]:
    """Begin with that shared object; what is given back waits for it."""
    return _begin("helpers", TEXTS, store)


def _begin(name: str, texts: Sequence[str], store: Store | None) -> Callable[[], bytes]:
    key = object_key(name, "".join(texts), _LEVEL) if store is not None else ""
    image = store.get(key) if store is not None else None
    if image is not None:
        return lambda: image
    objects = begin_resident(texts, store)

    def linked() -> bytes:
        shared_object = _linked(objects(), texts)
        if store is not None:
            store.put(key, shared_object)
        return shared_object

    return linked


def _linked(objects: Sequence[bytes], texts: Sequence[str]) -> bytes:
    # What the cache has needs no linker.
    from penstock.codegen.link.shared_object import shared_object

    return shared_object(
        objects,
        [name for text in texts for name in _DEFINED.findall(text)],
        ("libc.so.6",),
        name="penstock-native.so",
        permanent=True,
    )
