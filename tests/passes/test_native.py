"""Random jobs as machine code: `noalias`, which LLVM relies on, must be true."""

from __future__ import annotations

import ctypes
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from penstock.codegen.jobs.program import compile_module
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.flow.reductions import reduction

sys.path.insert(0, str(Path(__file__).parent))
import tensor_programs
from tensor_programs import (
    FUSED,
    LOOPS,
    Program,
    arguments,
    in_order,
    lowered,
    named_inputs,
    same_bits,
)

from penstock.runtime.native.shared_code import load_shared

Array = np.ndarray[Any, Any]
SHAPES = ((32, 48), (48,), (32, 1), (48, 32), ())
"""Large enough for vectors and their remainders."""
DTYPES = {"f32": "f4", "i32": "i4"}


def buffer(size: int) -> Array:
    """Bytes aligned to 64."""
    memory = np.full(size + 128, 255, np.uint8)
    start = -memory.ctypes.data % 64
    return memory[start : start + max(size, 1)]


def run(module: Module, given: dict[str, Array]) -> tuple[dict[str, Array], list[Array]]:
    """Variables and fetches by name after one step, and the values at the taps."""
    program = compile_module(module)
    code = load_shared(program.image, "job")
    address = code.address(program.description["entry"])
    described = program.description
    arrays, named = [], {}
    for argument in described["arguments"]:
        if argument["role"] == "arena":
            arrays.append(buffer(described["arena"]["bytes"]))
        elif argument["role"] == "taps":
            arrays.append(buffer(len(described["taps"])))
        else:
            dtype = np.dtype(DTYPES[argument["dtype"]])
            size = int(np.prod(argument["shape"], dtype=int)) * dtype.itemsize
            array = buffer(size)[:size].view(dtype).reshape(argument["shape"])
            if argument["role"] != "fetch":
                array[...] = given[argument["name"]]
            arrays.append(array)
            named[argument["name"]] = array
    shown: list[Array] = []

    def tap(_: int | None, number: int, data: int) -> None:
        entry = described["taps"][number]
        dtype = np.dtype(DTYPES[entry["dtype"]])
        size = int(np.prod(entry["shape"], dtype=int)) * dtype.itemsize
        memory = (ctypes.c_char * size).from_address(data)
        shown.append(np.frombuffer(memory, dtype).reshape(entry["shape"]).copy())

    callback = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int32, ctypes.c_void_p)(tap)
    context = (ctypes.c_void_p * 5)(ctypes.cast(callback, ctypes.c_void_p).value)
    table = (ctypes.c_void_p * len(arrays))(*(array.ctypes.data for array in arrays))
    entry = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p)(address)
    entry(ctypes.addressof(context), ctypes.addressof(table))
    assert code
    return named, shown


@pytest.mark.parametrize("seed", range(12))
def test_random_jobs_are_bit_exact(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tensor_programs, "LARGEST", 20_000)
    # Only in f64 is the order of a sum invisible.
    monkeypatch.setattr(reduction, "LEAST_NARROW_SUM", 1 << 40)
    module = Program(seed, SHAPES).written(10 + seed)
    arrays = arguments(module, seed)
    named, watched = in_order(module, arrays)
    got, shown = run(lowered(module, f"{FUSED},{LOOPS}"), named_inputs(module, arrays))
    assert set(got) >= set(named)
    assert all(same_bits(got[name], named[name]) for name in named)
    assert all(same_bits(a, b) for a, (_, b) in zip(shown, watched, strict=True))
