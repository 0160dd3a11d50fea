"""LLVM by way of llvmlite: text is checked, optimised and made into an object.

Floating-point arithmetic keeps its meaning: no instruction carries a fast-math flag, and LLVM
contracts a product and a sum only where the text says `llvm.fma` or `llvm.fmuladd`.
"""

from __future__ import annotations

import ctypes
import re
import threading
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

from penstock.codegen.host import LEVELS as LEVELS
from penstock.codegen.host import host_level as host_level
from penstock.codegen.host import processor
from penstock.codegen.llvm_library import Pointer, Text, function, taken, text_of
from penstock.codegen.writer import SCALAR_LOOPS, LLVMText
from penstock.ir.diagnostics import Diagnostic, IRError

_PLACE = re.compile(r"<string>:(\d+):\d+: error: (.*)")
_SCALAR_LOOPS = re.compile(rf"^define .* {SCALAR_LOOPS} \{{$", re.MULTILINE)

_OPTIMISED = 3


class Machine:
    """A target machine: what LLVM makes code for. One thread at a time may use it."""

    def __init__(self, triple: str, cpu: str, features: str) -> None:
        message = ctypes.c_char_p()
        target = function("GetTargetFromTriple", Pointer, ctypes.c_char_p, Text)
        create = function(
            "CreateTargetMachine", Pointer, Pointer, *[ctypes.c_char_p] * 3, ctypes.c_int,
            *[ctypes.c_char_p] * 2, *[ctypes.c_int] * 2, ctypes.c_char_p,
        )  # fmt: skip
        self.triple = triple.encode()
        found = target(self.triple, message)
        if not found:
            raise RuntimeError(taken(message))
        names = cpu.encode(), features.encode()
        self.pointer: int = create(
            found, self.triple, *names, _OPTIMISED, b"pic", b"small", False, False, b""
        )
        data = function("CreateTargetMachineData", Pointer, Pointer)(self.pointer)
        function("CopyStringRepOfTargetData", None, Pointer, Text)(data, message)
        function("DisposeTargetData", None, Pointer)(data)
        self.layout = taken(message).encode()
        dispose = function("DisposeTargetMachine", None, Pointer)
        # The end of the process takes it along; then LLVM may already be gone.
        weakref.finalize(self, dispose, self.pointer).atexit = False


def target_machine(cpu: str | None) -> Machine:
    """The target machine for a processor, the host where None; one for each thread.

    Raises ValueError for a name that is neither the host's nor one of `LEVELS`: LLVM would take
    any name and compile for the oldest processor.
    """
    made = _machines.by_cpu.get(cpu)
    if made is None:
        name, features = processor(cpu)
        # The parser is for instructions that text names.
        _initialise("NativeTarget", "NativeAsmPrinter", "NativeAsmParser")
        made = _machines.by_cpu[cpu] = Machine(text_of("LLVMPY_GetProcessTriple"), name, features)
    return made


class _Machines(threading.local):
    def __init__(self) -> None:
        self.by_cpu: dict[str | None, Machine] = {}


_machines = _Machines()


def foreign_machine(triple: str, cpu: str) -> Machine:
    """A target machine for a processor of another family, such as a GPU."""
    _initialise("AllTargetInfos", "AllTargets", "AllTargetMCs", "AllAsmPrinters")
    return Machine(triple, cpu, "")


_initialising = threading.Lock()


def _initialise(*parts: str) -> None:
    with _initialising:
        for part in parts:
            _initialised(part)


@cache
def _initialised(part: str) -> None:
    function(f"Initialize{part}", None)()


@contextmanager
def parsed(source: LLVMText, machine: Machine) -> Iterator[int]:
    """The checked LLVM module of a text, for as long as the `with` takes.

    Raises `IRError` at the operation whose line LLVM rejects.
    """
    context = function("ContextCreate", Pointer)()
    try:
        message = ctypes.c_char_p()
        parse = function("ParseAssembly", Pointer, Pointer, ctypes.c_char_p, Text, quick=False)
        module = parse(context, source.text.encode(), message)
        if not module:
            raise _rejection(source, taken(message))
        try:
            function("SetTarget", None, Pointer, ctypes.c_char_p)(module, machine.triple)
            function("SetDataLayout", None, Pointer, ctypes.c_char_p)(module, machine.layout)
            if function("VerifyModule", ctypes.c_bool, Pointer, Text)(module, message):
                raise _rejection(source, taken(message))
            yield module
        finally:
            function("DisposeModule", None, Pointer)(module)
    finally:
        function("ContextDispose", None, Pointer)(context)


def emit(module: int, machine: Machine, as_object: bool) -> bytes:
    """The object of a module, or its assembly text."""
    message = ctypes.c_char_p()
    emit = function(
        "TargetMachineEmitToMemory", Pointer, Pointer, Pointer, ctypes.c_int, Text, quick=False
    )
    buffer = emit(machine.pointer, module, as_object, message)
    if not buffer:
        raise RuntimeError(taken(message))
    try:
        size = function("GetBufferSize", ctypes.c_size_t, Pointer)(buffer)
        return ctypes.string_at(function("GetBufferStart", Pointer, Pointer)(buffer), size)
    finally:
        function("DisposeMemoryBuffer", None, Pointer)(buffer)


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


def optimise(module: int, machine: Machine) -> None:
    """Run LLVM's pipeline, vectorisation included, in place."""
    options = function("CreatePipelineTuningOptions", Pointer)()
    for choice in ("LoopVectorization", "SLPVectorization"):
        function(f"PTOSet{choice}", None, Pointer, ctypes.c_bool)(options, True)
    builder = function("CreatePassBuilder", Pointer, Pointer, Pointer)(machine.pointer, options)
    build = function("buildPerModuleDefaultPipeline", Pointer, Pointer, ctypes.c_int)
    passes = build(builder, _OPTIMISED)
    run = function("RunNewModulePassManager", None, Pointer, Pointer, Pointer, quick=False)
    run(passes, module, builder)
    function("DisposeNewModulePassManger", None, Pointer)(passes)
    function("DisposePassBuilder", None, Pointer)(builder)
    function("DisposePipelineTuningOptions", None, Pointer)(options)


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


def compile_assembly(source: LLVMText, machine: Machine, optimised: bool | None = None) -> str:
    """The assembly text of a text for a target machine.

    It goes through LLVM's pipeline where that is said, or where it is not said and pays.
    """
    with parsed(source, machine) as module:
        if has_scalar_loops(source) if optimised is None else optimised:
            optimise(module, machine)
        return emit(module, machine, as_object=False).decode()
