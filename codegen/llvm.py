"""LLVM by way of llvmlite: text is checked, optimised, made into an object and loaded.

Floating-point arithmetic keeps its meaning: no instruction carries a fast-math flag, and LLVM
contracts a product and a sum only where the text says `llvm.fma` or `llvm.fmuladd`.
"""

from __future__ import annotations

import ctypes
import itertools
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import Any

import llvmlite
import llvmlite.binding as binding

from penstock.codegen.cache import key_of, source_digest
from penstock.codegen.scalar_table import LIBM
from penstock.codegen.writer import SCALAR_LOOPS, LLVMText
from penstock.ir.diagnostics import Diagnostic, IRError

_V2 = ("cx16", "popcnt", "sse3", "sse4.1", "sse4.2", "ssse3")
_V3 = (*_V2, "avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe")
LEVELS = {
    "x86-64-v2": _V2,
    "x86-64-v3": _V3,
    "x86-64-v4": (*_V3, "avx512bw", "avx512cd", "avx512dq", "avx512f", "avx512vl"),
}
"""The processors to compile for, and what they must have: levels of the x86-64 psABI."""

_PLACE = re.compile(r"<string>:(\d+):\d+: error: (.*)")
_SCALAR_LOOPS = re.compile(rf"^define .* {SCALAR_LOOPS} \{{$", re.MULTILINE)
_libraries = itertools.count()


@cache
def host_cpu() -> str:
    """The name of this machine's processor, as LLVM has it."""
    return str(binding.get_host_cpu_name())


def target_machine(cpu: str | None) -> Any:
    """The target machine for a processor, the host where None; one for each thread.

    Raises ValueError for a name that is neither the host's nor one of `LEVELS`: LLVM would take
    any name and compile for the oldest processor.
    """
    made = _machines.by_cpu.get(cpu)
    if made is None:
        binding.initialize_native_target()
        binding.initialize_native_asmprinter()
        name, features = _processor(cpu)
        target = binding.Target.from_triple(binding.get_process_triple())
        made = _machines.by_cpu[cpu] = target.create_target_machine(
            cpu=name, features=features, opt=3, reloc="pic", codemodel="small"
        )
    return made


class _Machines(threading.local):
    def __init__(self) -> None:
        self.by_cpu: dict[str | None, Any] = {}


_machines = _Machines()


def _processor(cpu: str | None) -> tuple[str, str]:
    """Name and features of a processor, as LLVM takes them."""
    if cpu is None or cpu == host_cpu():
        return host_cpu(), binding.get_host_cpu_features().flatten()
    check_level(cpu)
    return cpu, ""


def check_level(cpu: str) -> None:
    """Raise ValueError for a name that is not one of `LEVELS`."""
    if cpu not in LEVELS:
        raise ValueError(
            f"there is no processor {cpu!r} to compile for: expected one of "
            f"{', '.join(LEVELS)}, or None for this machine"
        )


def identity(cpu: str | None) -> str:
    """All but the text that an object depends on: LLVM, the processor, the platform."""
    name, features = _processor(cpu)
    llvm = ".".join(map(str, binding.llvm_version_info))
    return "\n".join([llvmlite.__version__, llvm, binding.get_process_triple(), name, features])


@cache
def version() -> str:
    """What stands for how this package makes objects of modules."""
    return source_digest(["penstock.codegen"])


def object_key(kind: str, text: str, cpu: str | None) -> str:
    """The key of the object that is made of a text, for a processor, in the way the kind names."""
    return key_of(kind, text, identity(cpu), version())


@cache
def host_level() -> str:
    """The highest level of the x86-64 psABI that this machine has."""
    present = binding.get_host_cpu_features()
    having = (name for name in reversed(LEVELS) if all(map(present.get, LEVELS[name])))
    return next(having, "x86-64-v2")


def check_runs_here(cpu: str | None) -> None:
    """Raise ValueError if this machine lacks an instruction that code for `cpu` may use."""
    present = binding.get_host_cpu_features()
    missing = [feature for feature in LEVELS.get(cpu or "", ()) if not present.get(feature)]
    if missing:
        raise ValueError(
            f"code for {cpu} does not run on this machine, which lacks {', '.join(missing)}; "
            "compile for None, this machine"
        )


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


@dataclass(frozen=True)
class Loaded:
    """Code in memory, which stays there as long as this object."""

    address: int
    """Where the entry begins."""
    _tracker: Any
    _engine: Any


def load_object(code: bytes, entry: str, *more: bytes) -> Loaded:
    """Link an object, and more that it calls, into this process.

    Its symbol `entry` gives the address.
    """
    engine = linker()
    builder = binding.JITLibraryBuilder().export_symbol(entry)
    for each in (code, *more):
        builder.add_object_img(each)
    for name, address in _libm().items():
        builder.import_symbol(name, address)
    builder.add_current_process()
    tracker = builder.link(engine, f"penstock.{next(_libraries)}")
    return Loaded(tracker[entry], tracker, engine)


@cache
def linker() -> Any:
    """One linker per process."""
    return binding.create_lljit_compiler(target_machine(None))


@cache
def _libm() -> dict[str, int]:
    """The addresses of libm's functions, which need not be in the process's own scope."""
    library = ctypes.CDLL("libm.so.6")
    found = {}
    for name in LIBM:
        for symbol in (name, f"{name}f"):
            address = ctypes.cast(getattr(library, symbol), ctypes.c_void_p).value
            assert address is not None
            found[symbol] = address
    return found
