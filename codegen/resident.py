"""Native helpers of the process: LLVM text of our own that is loaded once and never unloaded.

Threads may sleep in such code, and objects of Python may point to it, until the process ends.
"""

from __future__ import annotations

from collections.abc import Sequence

from penstock.codegen.cache import Store
from penstock.codegen.host import object_key
from penstock.codegen.linking import load_forever

__all__ = ["load_resident", "resident_object"]


def load_resident(text: str, names: Sequence[str], store: Store | None = None) -> dict[str, int]:
    """Compile a module of LLVM text for this machine, link it, and give the addresses of symbols.

    The text is compiled as it stands, without LLVM's pipeline, unless the store has its object.
    What it calls beside itself must be in the scope of the process, as the C library and Python
    are.
    """
    return load_forever(resident_object(text, None, store), names)


def resident_object(text: str, cpu: str | None, store: Store | None = None) -> bytes:
    """The relocatable object of such a module, for a level of processor or, for None, this one."""
    key = object_key("resident", text, cpu) if store is not None else ""
    code = store.get(key) if store is not None else None
    if code is None:
        code = _compile(text, cpu)
        if store is not None:
            store.put(key, code)
    return code


def _compile(text: str, cpu: str | None) -> bytes:
    # What the cache has needs no compiler.
    from penstock.codegen import llvm
    from penstock.codegen.writer import LLVMText

    machine = llvm.target_machine(cpu)
    with llvm.parsed(LLVMText(text, ()), machine) as module:
        return llvm.emit(module, machine, as_object=True)
