"""The native helpers of a process, as code: the thread pool, and the call of jobs from Python.

The runtime says what it needs of them, in `runtime/helpers.py`; they are LLVM text of our own, in
two modules, which define it under names that begin with `penstock_`.
"""

from __future__ import annotations

import re
import threading

from penstock.codegen import native_call_text, native_taps_text, pool
from penstock.codegen.cache import Store
from penstock.codegen.resident import load_resident, resident_object

__all__ = ["TEXTS", "helper_objects", "load_helpers"]

TEXTS = (pool.TEXT, native_call_text.TEXT + native_taps_text.TEXT)

_DEFINED = re.compile(r"^define [^@\n]*@(penstock_\w+)\(", re.MULTILINE)


class _Process:
    lock = threading.Lock()
    addresses: dict[str, int] | None = None


def load_helpers(store: Store | None = None) -> dict[str, int]:
    """The addresses of what they define, by symbol; loaded when first asked for, and for good.

    Their objects are kept in the store.
    """
    with _Process.lock:
        if _Process.addresses is None:
            found: dict[str, int] = {}
            for text in TEXTS:
                found |= load_resident(text, _DEFINED.findall(text), store)
            _Process.addresses = found
        return _Process.addresses


def helper_objects(cpu: str, store: Store | None = None) -> dict[bytes, list[str]]:
    """Their relocatable objects for a level of processor, each with the symbols it defines.

    What they call beside themselves is in the C library and in Python.
    """
    return {resident_object(text, cpu, store): _DEFINED.findall(text) for text in TEXTS}
