"""Native helpers of the process: LLVM text of our own that is loaded once and never unloaded.

Threads may sleep in such code, and objects of Python may point to it, until the process ends.
"""

from __future__ import annotations

import ctypes
import itertools
from collections.abc import Sequence

import llvmlite.binding as binding

from penstock.codegen import llvm
from penstock.codegen.cache import Store
from penstock.codegen.writer import LLVMText

__all__ = ["load_resident"]

_numbers = itertools.count()


def load_resident(text: str, names: Sequence[str], store: Store | None = None) -> dict[str, int]:
    """Compile a module of LLVM text for this machine, link it, and give the addresses of symbols.

    The text is compiled as it stands, without LLVM's pipeline, unless the store has its object.
    What it calls beside itself must be in the scope of the process, as the C library and Python
    are.
    """
    key = llvm.object_key("resident", text, None) if store is not None else ""
    code = store.get(key) if store is not None else None
    if code is None:
        code = _compile(text)
        if store is not None:
            store.put(key, code)
    builder = binding.JITLibraryBuilder().add_object_img(code).add_current_process()
    for name in names:
        builder.export_symbol(name)
    linker = llvm.linker()
    tracker = builder.link(linker, f"penstock.resident.{next(_numbers)}")
    for owner in (tracker, linker):
        # One reference that nobody gives back, so not even the end of the interpreter unloads it.
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(owner))
    return {name: tracker[name] for name in names}


def _compile(text: str) -> bytes:
    machine = llvm.target_machine(None)
    with llvm.parsed(LLVMText(text, ()), machine) as module:
        return llvm.emit(module, machine, as_object=True)
