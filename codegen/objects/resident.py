"""Native code shared by all jobs: fixed LLVM text, compiled without the pipeline."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from penstock.codegen.cache import Entries
from penstock.codegen.host import object_key

__all__ = ["begin_resident", "resident_objects"]

_LEVEL = "x86-64-v2"  # which all machines have that jobs are compiled for


def resident_objects(texts: Iterable[str], store: Entries | None = None) -> list[bytes]:
    """The relocatable objects of modules of LLVM text, for machines of every level.

    Texts are compiled in parallel, without LLVM's pipeline, unless the store has their objects.
    Raises `IRError` if one crashes the compiler process.
    """
    return begin_resident(texts, store)()


def begin_resident(texts: Iterable[str], store: Entries | None = None) -> Callable[[], list[bytes]]:
    """Start compiling these objects; returns a function that waits for them."""
    objects = [_begun(text, store) for text in texts]
    return lambda: [finished() for finished in objects]


def _begun(text: str, store: Entries | None) -> Callable[[], bytes]:
    key = object_key("resident", text, _LEVEL) if store is not None else ""
    code = store.get(key) if store is not None else None
    if code is not None:
        return lambda: code
    # What the cache has needs no compiler.
    from penstock.codegen.objects import compiler
    from penstock.codegen.writer import LLVMText

    pending = compiler.submit(LLVMText(text, ()), _LEVEL)

    def finished() -> bytes:
        try:
            code = pending()
        except compiler.Ended as error:
            raise error.error("native code that all jobs share") from None
        if store is not None:
            store.put(key, code)
        return code

    return finished
