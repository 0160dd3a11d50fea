"""A job compiled for GPUs: PTX, LLVM text, the plan of its launches, and its description."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from penstock.codegen.cache import Entries, key_of
from penstock.codegen.gpu.architectures import Architecture, architecture_of, check_called
from penstock.codegen.gpu.kernel_text import emit_kernels
from penstock.codegen.gpu.launches import launch_plan
from penstock.codegen.host import version
from penstock.codegen.jobs.describe import describe
from penstock.codegen.llvm_library import library_stamp
from penstock.codegen.objects import compiler
from penstock.codegen.writer import LLVMText
from penstock.ir.core import Operation
from penstock.ir.dialects.builtin import Module
from penstock.ir.record import Record
from penstock.ir.verify.verifier import verify

SECONDS = 300.0
"""How long LLVM may take for the kernels of a job."""


class GpuProgram(Record):
    """The kernels of a job for one architecture, and what the host does with them."""

    arch: str
    ptx: str
    """One text for all kernels."""
    llvm: str
    """The LLVM text that LLVM made the PTX of."""
    plan: dict[str, Any]
    """Plain JSON values, but for `constants`, which is bytes; see `launch_plan`."""
    description: dict[str, Any]
    """The job's arguments, taps and so on, as for processors."""


def compile_gpu(
    module: Module, arch: str = "sm_80", store: Entries | None = None, verified: bool = False
) -> GpuProgram:
    """Compile a job at stage `gpu` for an architecture.

    Kernels are compiled by a process of their own, since LLVM ends the process on what it cannot
    compile. PTX that the store has is not made again. Raises a located `IRError` for a module that
    is invalid or has an op without code, and ValueError for an unknown architecture.
    """
    architecture = architecture_of(arch)
    if not verified:
        verify(module)
    description = describe(module)
    plan = launch_plan(module)
    source = emit_kernels(module, architecture)
    ptx = begin_ptx(source, architecture, store)()
    return GpuProgram(arch, ptx, source.text, plan, description)


def emit_ptx(
    module: Module, arch: str = "sm_80", store: Entries | None = None, verified: bool = False
) -> str:
    """The PTX of the kernels of a module at stage `gpu`; errors as of `compile_gpu`."""
    architecture = architecture_of(arch)
    if not verified:
        verify(module)
    return begin_ptx(emit_kernels(module, architecture), architecture, store)()


def begin_ptx(
    source: LLVMText, architecture: Architecture, store: Entries | None = None
) -> Callable[[], str]:
    """Start compiling LLVM text of kernels; what is returned waits for the PTX.

    Raises `IRError`, at the operation, for a call of a function that the architecture lacks; so
    does what is returned for lines that LLVM rejects, and where LLVM ends its process.
    """
    check_called(source, architecture)
    target = architecture.target
    stamp = "\n".join([*library_stamp(), target.triple, target.cpu, target.features])
    key = key_of("ptx", source.text, stamp, version())
    found = store.get(key) if store is not None else None
    if found is not None:
        text = found.decode()
        return lambda: text
    pending = compiler.submit_assembly(source, target, SECONDS)

    def finished() -> str:
        try:
            ptx = pending()
        except compiler.Ended as error:
            what = f"the kernels of stage llvm for {architecture.name}"
            raise error.error(what, _first(source)) from None
        if store is not None:
            store.put(key, ptx)
        return ptx.decode()

    return finished


def _first(source: LLVMText) -> Operation | None:
    """The operation of the first kernel."""
    return next((op for op in source.origins if op is not None), None)
