"""LLVM through its C API: target machines, and checking, optimising and emitting modules.

This module and `llvm_library` import nothing else of ours, so that a process which only compiles
(`codegen/objects/llvm_worker.py`) begins in no time.
"""

from __future__ import annotations

import ctypes
import os
import threading
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

from penstock.codegen.llvm_library import Pointer, Text, function, taken, text_of

_OPTIMISED = 3

NATIVE = "NativeTarget", "NativeAsmPrinter", "NativeAsmParser"
"""What must be initialised to compile for this family of processors. The parser is for
instructions that text names."""
FOREIGN = "AllTargetInfos", "AllTargets", "AllTargetMCs", "AllAsmPrinters"
"""What must be initialised to compile for other families."""


class Rejected(Exception):
    """LLVM's message about a text that it rejects."""


class Machine:
    """An LLVM target machine. Only one thread at a time may use it."""

    def __init__(self, triple: str, cpu: str, features: str, level: int = _OPTIMISED) -> None:
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
            found, self.triple, *names, level, b"pic", b"small", False, False, b""
        )
        data = function("CreateTargetMachineData", Pointer, Pointer)(self.pointer)
        function("CopyStringRepOfTargetData", None, Pointer, Text)(data, message)
        function("DisposeTargetData", None, Pointer)(data)
        self.layout = taken(message).encode()
        dispose = function("DisposeTargetMachine", None, Pointer)
        # Do not dispose of it at exit, when LLVM may already be unloaded.
        weakref.finalize(self, dispose, self.pointer).atexit = False


class _Machines(threading.local):
    def __init__(self) -> None:
        self.made: dict[tuple[str, str, str, int], Machine] = {}


_machines = _Machines()


def native_machine(name: str, features: str, quick: bool = False) -> Machine:
    """The machine for a processor of this family, as LLVM names it; one for each thread.

    A `quick` one makes the first code that comes to its mind.
    """
    return machine_of("", name, features, quick)


def machine_of(triple: str, name: str, features: str, quick: bool = False) -> Machine:
    """The machine for a processor of a family, of this machine's without one; one a thread."""
    key = triple, name, features, 0 if quick else _OPTIMISED
    machine = _machines.made.get(key)
    if machine is None:
        initialise(*(FOREIGN if triple else NATIVE))
        own = triple or text_of("LLVMPY_GetProcessTriple")
        machine = _machines.made[key] = Machine(own, *key[1:])
    return machine


_initialising = threading.Lock()


def _forked() -> None:
    """Replace the lock in a forked child, where its holder may no longer exist."""
    global _initialising
    _initialising = threading.Lock()


os.register_at_fork(after_in_child=_forked)


def initialise(*parts: str) -> None:
    with _initialising:
        for part in parts:
            _initialised(part)


@cache
def _initialised(part: str) -> None:
    function(f"Initialize{part}", None)()


@contextmanager
def parsed(text: bytes, machine: Machine) -> Iterator[int]:
    """The checked LLVM module of a text, alive during the `with`.

    Raises `Rejected` with what LLVM says of it.
    """
    context = function("ContextCreate", Pointer)()
    try:
        message = ctypes.c_char_p()
        parse = function("ParseAssembly", Pointer, Pointer, ctypes.c_char_p, Text, quick=False)
        module = parse(context, text, message)
        if not module:
            raise Rejected(taken(message))
        try:
            function("SetTarget", None, Pointer, ctypes.c_char_p)(module, machine.triple)
            function("SetDataLayout", None, Pointer, ctypes.c_char_p)(module, machine.layout)
            if function("VerifyModule", ctypes.c_bool, Pointer, Text)(module, message):
                raise Rejected(taken(message))
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


def compiled(text: bytes, machine: Machine, optimised: bool, as_object: bool = True) -> bytes:
    """The object or assembly of a text, of which LLVM's pipeline has been run where said.

    Threads may call this at the same time, and are then served at the same time. Raises `Rejected`.
    """
    with parsed(text, machine) as module:
        if optimised:
            optimise(module, machine)
        return emit(module, machine, as_object)
