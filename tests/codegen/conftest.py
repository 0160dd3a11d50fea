"""Compiling and running modules of stage `loops` in this process."""

import ctypes
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from loading import load_object

from penstock.codegen.objects import llvm
from penstock.codegen.text.llvm_text import emit_llvm, entry_name
from penstock.codegen.text.parts.text_target import target_of
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.parsing import parse_module

Array = np.ndarray[Any, Any]
Tap = Callable[[int | None, int, int], None]


class Context(ctypes.Structure):
    """The context that native code gets besides its arguments."""

    Function = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int32, ctypes.c_void_p)
    _fields_ = (
        ("tap", Function),
        ("user", ctypes.c_void_p),
        ("parallel_for", ctypes.c_void_p),
        ("pool", ctypes.c_void_p),
        ("poll", ctypes.c_void_p),
    )


def aligned(array: Array) -> Array:
    """A copy aligned to 64 bytes."""
    array = np.asarray(array)
    memory = np.zeros(array.nbytes + 64, np.uint8)
    start = -memory.ctypes.data % 64
    copy = memory[start : start + array.nbytes].view(array.dtype).reshape(array.shape)
    copy[...] = array
    return copy


def call(address: int, arrays: Sequence[Array], tap: Tap | None = None, user: int = 0) -> None:
    """Call a job's entry on these arrays, which are aligned to 64 bytes."""
    function = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p)(address)
    context = Context(Context.Function(tap or unexpected_tap), user)
    table = (ctypes.c_void_p * len(arrays))(*(array.ctypes.data for array in arrays))
    function(ctypes.byref(context), table)


def unexpected_tap(user: int | None, tap: int, data: int) -> None:
    raise AssertionError(f"tap {tap} was called")


def run_job(source: Module | str, *arrays: Array, tap: Tap | None = None) -> list[Array]:
    """Compile a module or its text, run it on copies of the arrays, and return the copies."""
    module = parse_module(source) if isinstance(source, str) else source
    code = llvm.compile_object(emit_llvm(module), target_of(module).level)
    loaded = load_object(code, entry_name(module.job))
    copies = [aligned(array) for array in arrays]
    call(loaded.address, copies, tap)
    return copies


@pytest.fixture
def run() -> Callable[..., list[Array]]:
    """`run(module or text, *arrays, tap=None)`: the arrays after one step."""
    return run_job


@pytest.fixture
def call_entry() -> Callable[..., None]:
    """`call_entry(address, arrays, tap=None, user=0)`: one step on arrays in place."""
    return call


@pytest.fixture
def align() -> Callable[[Array], Array]:
    """`align(array)`: a copy aligned to 64 bytes."""
    return aligned
