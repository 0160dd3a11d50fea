"""Tensors of more than 2**31 elements or bytes: addresses are of 64 bits, or there is an error.

The last blocks of each kernel run on the simulated GPU. They read and write the ends of buffers,
which are address space without memory but for the pages that are touched.
"""

from __future__ import annotations

import mmap
from collections.abc import Callable
from math import prod
from typing import Any, cast

import ml_dtypes
import numpy as np
import pytest
from gpu_modules import Step
from scheduled_jobs import Array, edit, ops_of, run, schedule

from penstock.codegen.gpu.program import compile_gpu
from penstock.ir.diagnostics import IRError
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.parsing import parse_module
from penstock.ir.record import Record
from penstock.lowering.modules import Modules

TYPES: dict[str, Any] = {
    "f32": np.float32, "f16": np.float16, "bf16": ml_dtypes.bfloat16, "i8": np.int8,
    "i32": np.int32,
}  # fmt: skip
WITHOUT_MEMORY = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x4000  # MAP_NORESERVE
DRAWN = 300_000
"""The last elements of operands, which are drawn; others are 0."""


class Case(Record, eq=False):
    """An op on large tensors, and the end of its result in float32."""

    op: str
    operands: str
    result: str
    end: Callable[..., tuple[Any, Any]]
    """What the kernel gives, of the result, and what it must give, of the operands."""
    others: str = ""
    """Results that are not looked at."""
    target: str = "sm_80"
    kind: str = "rows"
    entry: str = "grid"
    """An entry that its schedule has."""

    def module(self) -> Module:
        """The job at stage `scheduled`."""
        operands = [f"tensor<{type}>" for type in self.operands.split()]
        results = [f"tensor<{type}>" for type in (self.result, *self.others.split())]
        arguments = ", ".join(
            f'%a{i}: {type} {{job.feed = "a{i}"}}' for i, type in enumerate(operands)
        )
        fetches = ", ".join(f'{type} {{job.fetch = "{i}"}}' for i, type in enumerate(results))
        values = [f"%y{i}" for i in range(len(results))]
        name, _, attributes = self.op.partition(" ")
        given = ", ".join(f"%a{i}" for i in range(len(operands)))
        text = f"""
        module @job attributes {{job.type = "predict", sbp.ranks = 1 : i64}} {{
          func.func @job({arguments}) -> ({fetches}) {{
            {", ".join(values)} = "flow.{name}"({given}) {attributes}
                : ({", ".join(operands)}) -> ({", ".join(results)})
            func.return {", ".join(values)} : {", ".join(results)}
          }}
        }}"""
        module = cast(Module, Modules("job", parse_module(text)).on_gpu()["fused"].clone())
        run(module, f"schedule{{target={self.target}}}")
        return module


def vast(type: str) -> Array:
    """An array of zeros that has no memory yet."""
    *extents, element = type.split("x")
    shape, dtype = tuple(map(int, extents)), np.dtype(TYPES[element])
    space = mmap.mmap(-1, prod(shape) * dtype.itemsize, flags=WITHOUT_MEMORY)
    return np.frombuffer(space, dtype).reshape(shape)


def wide(array: Any) -> Any:
    return np.asarray(array, np.float32)


def softened(x: Any) -> Any:
    e = np.exp(wide(x) - wide(x).max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def attended(y: Any, q: Any, k: Any, v: Any) -> tuple[Any, Any]:
    scores = wide(q[-1]) @ wide(k[-1]).T * 0.125
    return y[-1], softened(scores) @ wide(v[-1])


def convolved(y: Any, x: Any, w: Any) -> tuple[Any, Any]:
    return y[-1, :, -1, -1], np.einsum("cij,ocij->o", wide(x[-1, :, -3:, -3:]), wide(w))


def multiplied(y: Any, a: Any, b: Any) -> tuple[Any, Any]:
    return y[-1, -16:], wide(a[-1]) @ wide(b)[:, -16:]


CONV = "{channels_last = false, dilations = array<i64: 1, 1>, strides = array<i64: 1, 1>}"
SUMS = "{axes = array<i64: %d>, keepdims = false}"
HEADS = "4200000x16x32xf16"
CASES: dict[str, Case] = {
    "elements": Case(
        "abs", "2800000000xi8", "2800000000xi8", lambda y, x: (y[-99:], abs(x[-99:])), entry="each"
    ),
    "rows and columns": Case(
        "add", "70001x40001xf16 40001xf16", "70001x40001xf16",
        lambda y, x, b: (y[-1, -50:], wide(x[-1, -50:]) + b[-50:]),
    ),
    "transposed": Case(
        "transpose {permutation = array<i64: 1, 0>}", "70000x40001xf16", "40001x70000xf16",
        lambda y, x: (y[-1, -7:], x[-7:, -1]),
    ),
    "rows": Case(
        "softmax {axis = 1 : i64}", "2100000x1024xf16", "2100000x1024xf16",
        lambda y, x: (y[-1], softened(x[-1])), entry="lanes",
    ),
    "sums of columns": Case(
        f"reduce_sum {SUMS % 0}", "64x40000000xf16", "40000000xf16",
        lambda y, x: (y[-30:], wide(x[:, -30:]).sum(0)), entry="across",
    ),
    "rows that integers name": Case(
        "gather {axis = 0 : i64}", "40000000x64xf16 9xi32", "9x64xf16",
        lambda y, x, i: (y[-1], x[i[-1]]),
    ),
    "products": Case(
        "matmul", "70000x16xf32 16x40000xf32", "70000x40000xf32", multiplied, kind="tile",
        entry="thread",
    ),
    "tensor cores": Case(
        "matmul", "140000000x16xbf16 16x16xbf16", "140000000x16xbf16", multiplied, kind="tile",
        entry="warp",
    ),
    "warpgroups": Case(
        "matmul", "1100000x64xbf16 64x2048xbf16", "1100000x2048xbf16", multiplied,
        target="sm_90a", kind="tile", entry="warpgroups",
    ),
    "convolution": Case(
        f"conv {CONV}", "70000x3x100x110xf32 4x3x3x3xf32", "70000x4x98x108xf32", convolved,
        kind="tile", entry="thread",
    ),
    "attention": Case(
        "attention {causal = false, scale = 0.125 : f64}", f"{HEADS} {HEADS} {HEADS}", HEADS,
        attended, "4200000x16xf32", kind="attention", entry="warp",
    ),
    "attention by warpgroups": Case(
        "attention {causal = false, scale = 0.125 : f64}", " ".join(["2100000x32x32xf16"] * 3),
        "2100000x32x32xf16", attended, "2100000x32xf32", "sm_90a", "attention", "warpgroups",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_the_ends_of_large_tensors(name: str) -> None:
    case = CASES[name]
    module = case.module()
    op = ops_of(module)[0]
    assert schedule(op)["kind"] == case.kind
    assert case.entry in schedule(op)
    if case.target == "sm_90a" and case.kind == "tile":
        # A block has one tile, so that the last block has the last one.
        high, columns = schedule(op)["tile"]
        for each in ops_of(module):
            edit(each, grid=-(-1100000 // high) * (2048 // columns))
    arrays = [vast(type) for type in [*case.operands.split(), case.result, *case.others.split()]]
    draw = np.random.default_rng(0)
    count = len(case.operands.split())
    for array in arrays[:count]:
        tail = array.reshape(-1)[-DRAWN:]
        tail[:] = (draw.integers(-8, 9, tail.shape) / (1 if array.dtype == np.int8 else 4)).astype(
            array.dtype
        )
    if array.dtype == np.int32:
        array[:] = len(arrays[0]) - 1 - np.arange(len(array))
    run(module, f"bufferize{{target={case.target}}}")
    step = Step(compile_gpu(module, case.target), arrays, last=True)
    step.run(step.plan["steps"])
    got, wanted = case.end(arrays[count], *arrays[:count])
    assert np.abs(wide(wanted)).max() > 0
    assert np.allclose(wide(got), wide(wanted), rtol=1e-2, atol=1e-3)


TOO_LARGE = Case("relu", "3000000x3000000xf16", "3000000x3000000xf16", lambda y, x: (y, x))


def test_more_blocks_than_a_grid_has_are_refused() -> None:
    module = TOO_LARGE.module()
    said = "flow.schedule with grid = 4394531250: expected at most 2147483647 blocks; use larger"
    with pytest.raises(IRError, match=said) as raised:
        run(module, "bufferize{target=sm_80}")
    assert "\n" not in raised.value.diagnostics[0].message


@pytest.mark.parametrize(("rows", "entry"), [(2**31 - 2**9, "warpgroups"), (2**31, "warp")])
def test_tensor_maps_have_coordinates_for_all_rows(rows: int, entry: str) -> None:
    """These are of 32 bits, with a sign."""
    case = Case(
        "matmul", f"{rows}x64xbf16 64x64xbf16", f"{rows}x64xbf16", multiplied, target="sm_90a"
    )
    assert entry in schedule(ops_of(case.module())[0])
    shape = f"1x{rows}x64xbf16"
    case = Case(
        "attention {causal = true, scale = 0.125 : f64}", f"{shape} {shape} {shape}", shape,
        attended, f"1x{rows}xf32", "sm_90a",
    )  # fmt: skip
    assert entry in schedule(ops_of(case.module())[0])
