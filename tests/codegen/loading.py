"""Loading compiled code into the test process."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from penstock.codegen.host import host_levels
from penstock.codegen.jobs.describe import describe
from penstock.codegen.jobs.program import Program
from penstock.codegen.link.shared_object import shared_object
from penstock.codegen.objects.objects import compile_objects
from penstock.codegen.text.llvm_text import emit_llvm
from penstock.ir.dialects.builtin import Module
from penstock.runtime import VariableStore
from penstock.runtime.execution.executable import Executable
from penstock.runtime.native.shared_code import SharedCode, load_shared


class Loaded(NamedTuple):
    """The address of an entry, and the owner that keeps the code alive."""

    address: int
    code: SharedCode


def load_object(code: bytes, entry: str, *more: bytes) -> Loaded:
    """Link an object with the functions that it calls, and load it."""
    loaded = load_shared(shared_object([code, *more], [entry]), entry)
    return Loaded(loaded.address(entry), loaded)


def load_program(program: Program) -> Loaded:
    """Load a job."""
    entry = program.description["entry"]
    loaded = load_shared(program.image, entry)
    return Loaded(loaded.address(entry), loaded)


def text_run_here(level: str, module: Module) -> Callable[..., list[np.ndarray[Any, Any]]]:
    """A job's text for a level that this machine supports, compiled for this machine.

    The module may be lowered for a higher level: vectors may be wider than registers.
    """
    # LLVM aborts the process on an intrinsic that the processor does not support.
    assert level in host_levels(), f"this machine does not run {level}"
    source = emit_llvm(module, level)
    objects = compile_objects(source, None)
    program = Program(describe(module), objects, level, lambda: source)
    loaded = load_program(program)
    executable = Executable(loaded.address, program.description, loaded)
    return lambda *feeds: executable.run(feeds, VariableStore())
