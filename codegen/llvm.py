"""LLVM by way of llvmlite: text is checked, optimised and made into an object.

Floating-point arithmetic keeps its meaning: no instruction carries a fast-math flag, and LLVM
contracts a product and a sum only where the text says `llvm.fma` or `llvm.fmuladd`.
"""

from __future__ import annotations

import ctypes
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import llvmlite.binding as binding

from penstock.codegen.host import LEVELS as LEVELS
from penstock.codegen.host import check_runs_here as check_runs_here
from penstock.codegen.host import host_level as host_level
from penstock.codegen.host import processor
from penstock.codegen.linking import load_object as load_object
from penstock.codegen.writer import SCALAR_LOOPS, LLVMText
from penstock.ir.diagnostics import Diagnostic, IRError

_PLACE = re.compile(r"<string>:(\d+):\d+: error: (.*)")
_SCALAR_LOOPS = re.compile(rf"^define .* {SCALAR_LOOPS} \{{$", re.MULTILINE)


def target_machine(cpu: str | None) -> Any:
    """The target machine for a processor, the host where None; one for each thread.

    Raises ValueError for a name that is neither the host's nor one of `LEVELS`: LLVM would take
    any name and compile for the oldest processor.
    """
    made = _machines.by_cpu.get(cpu)
    if made is None:
        binding.initialize_native_target()
        binding.initialize_native_asmprinter()
        name, features = processor(cpu)
        target = binding.Target.from_triple(binding.get_process_triple())
        made = _machines.by_cpu[cpu] = target.create_target_machine(
            cpu=name, features=features, opt=3, reloc="pic", codemodel="small"
        )
    return made


class _Machines(threading.local):
    def __init__(self) -> None:
        self.by_cpu: dict[str | None, Any] = {}


_machines = _Machines()


@contextmanager
def parsed(source: LLVMText, machine: Any) -> Iterator[Any]:
    """The checked LLVM module of a text, for as long as the `with` takes.

    Module and context are given back here and in this order: the garbage collector would take them
    in any, and LLVM ends the process over the wrong one. Raises `IRError` at the operation whose
    line LLVM rejects.
    """
    with binding.create_context() as context:
        try:
            module = _parse(source.text, context)
        except RuntimeError as error:
            raise _rejection(source, str(error)) from None
        with module:
            module.triple = machine.triple
            module.data_layout = str(machine.target_data)
            try:
                module.verify()
            except RuntimeError as error:
                raise _rejection(source, str(error)) from None
            yield module


def _unlocked(name: str) -> Any:
    """A function of llvmlite's library without the lock that lets one thread at a time into LLVM.

    LLVM itself wants no such lock where each thread has a context and a target machine of its own.
    """
    return getattr(binding.ffi.lib, name)._cfn


def _parse(text: str, context: Any) -> Any:
    """What `binding.parse_assembly` does, without the lock."""
    with binding.ffi.OutputString() as message:
        pointer = _unlocked("LLVMPY_ParseAssembly")(context, text.encode(), message)
        if message:
            raise RuntimeError(str(message))
    return binding.ModuleRef(pointer, context)


def emit(module: Any, machine: Any, as_object: bool) -> bytes:
    """What `machine.emit_object` and `emit_assembly` do, without the lock."""
    lib = binding.ffi.lib
    with binding.ffi.OutputString() as message:
        emit = _unlocked("LLVMPY_TargetMachineEmitToMemory")
        buffer = emit(machine, module, int(as_object), message)
        if not buffer:
            raise RuntimeError(str(message))
    try:
        size = lib.LLVMPY_GetBufferSize(buffer)
        return ctypes.string_at(lib.LLVMPY_GetBufferStart(buffer), size)
    finally:
        lib.LLVMPY_DisposeMemoryBuffer(buffer)


def _rejection(source: LLVMText, message: str) -> IRError:
    found = _PLACE.search(message)
    if found is None:
        what = " ".join(message.split())
        return IRError(Diagnostic(f"LLVM rejects the module's text: {what}"))
    line = int(found[1])
    op = source.origin(line)
    lines = source.text.splitlines()
    text = f"`{lines[line - 1].strip()}`" if line <= len(lines) else "the end of the text"
    what = f"LLVM rejects {text}, line {line} of stage llvm: {found[2]}"
    if op is None:
        return IRError(Diagnostic(what))
    return IRError(Diagnostic(f"{op.name}: {what}", op.location))


def has_scalar_loops(source: LLVMText) -> bool:
    """Whether a text gains by LLVM's pipeline.

    What is made of vectors is as it shall be: the pipeline would take most of the time that
    compiling takes, and change nothing.
    """
    return _SCALAR_LOOPS.search(source.text) is not None


def optimise(module: Any, machine: Any) -> None:
    """Run LLVM's pipeline, vectorisation included, in place."""
    options = binding.create_pipeline_tuning_options(speed_level=3)
    options.loop_vectorization = True
    options.slp_vectorization = True
    # The builder holds what is known of the module, so it goes first.
    with (
        options,
        binding.create_pass_builder(machine, options) as builder,
        builder.getModulePassManager() as passes,
    ):
        _unlocked("LLVMPY_RunNewModulePassManager")(passes, module, builder)


def check(source: LLVMText, cpu: str | None = None) -> None:
    """Raise `IRError`, at the operation, for the first line of a text that LLVM rejects."""
    with parsed(source, target_machine(cpu)):
        pass


def compile_object(source: LLVMText, cpu: str | None = None) -> bytes:
    """The relocatable object of a text for a processor, the host's where None.

    Threads may call this at the same time, and are then served at the same time.
    """
    machine = target_machine(cpu)
    with parsed(source, machine) as module:
        if has_scalar_loops(source):
            optimise(module, machine)
        return emit(module, machine, as_object=True)


def compile_assembly(source: LLVMText, machine: Any, optimised: bool | None = None) -> str:
    """The assembly text of a text for a target machine.

    It goes through LLVM's pipeline where that is said, or where it is not said and pays.
    """
    with parsed(source, machine) as module:
        if has_scalar_loops(source) if optimised is None else optimised:
            optimise(module, machine)
        return emit(module, machine, as_object=False).decode()
