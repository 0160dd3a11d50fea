"""Native code of our own that all jobs share: LLVM text, compiled as it stands."""

from __future__ import annotations

from penstock.codegen.cache import Store
from penstock.codegen.host import object_key

__all__ = ["resident_object"]

_LEVEL = "x86-64-v2"  # which all machines have that jobs are compiled for


def resident_object(text: str, store: Store | None = None) -> bytes:
    """The relocatable object of a module of LLVM text, for machines of every level.

    The text is compiled without LLVM's pipeline, unless the store has its object.
    """
    key = object_key("resident", text, _LEVEL) if store is not None else ""
    code = store.get(key) if store is not None else None
    if code is None:
        code = _compile(text)
        if store is not None:
            store.put(key, code)
    return code


def _compile(text: str) -> bytes:
    # What the cache has needs no compiler.
    from penstock.codegen import llvm
    from penstock.codegen.writer import LLVMText

    machine = llvm.target_machine(_LEVEL)
    with llvm.parsed(LLVMText(text, ()), machine) as module:
        return llvm.emit(module, machine, as_object=True)
