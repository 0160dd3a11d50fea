"""Every tile that the cost model may choose, in all layouts, gives the right products."""

from __future__ import annotations

import itertools
from typing import cast

import ml_dtypes
import numpy as np
import pytest
from scheduled_jobs import Array, edit, ops_of, run, run_simulated

from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.parsing import parse_module
from penstock.lowering.modules import Modules
from penstock.passes.gpu.tiles.product import Product, blocks_of, product_of
from penstock.passes.gpu.tiles.tile_sizes import (
    WITH_MULTIPLY_ADDS,
    WITH_TENSOR_CORES,
    WITH_TF32,
    Sizes,
)
from penstock.passes.gpu.write.schedule_data import PRECISIONS, schedule_of
from penstock.runtime.gpu.devices import simulated_in

TYPES = {"f32": np.float32, "bf16": ml_dtypes.bfloat16, "f16": np.float16}
SHAPES = [(64, 64, 64), (33, 41, 50), (72, 40, 24), (17, 130, 8)]
"""Rows, columns and depth: whole tiles; odd; whole copies of 16 bytes beside odd tiles; flat."""
TERM = {"": 0.0, "tf32": 2.0**-10, "3xtf32": 2.0**-21}
"""By how much of its size a product may be off."""
ORDERS = ("eager", "lazy", "random:1")
"""In which threads run."""
LAYOUTS = list(itertools.product((False, True), repeat=2))
TRIED = [
    (sizes, SHAPES[number % 4], LAYOUTS[(number + number // 4) % 4], type)
    for number, (sizes, type) in enumerate(
        [*itertools.product(WITH_TENSOR_CORES, ("bf16", "f16"))]
        + [(sizes, "f32") for sizes in WITH_MULTIPLY_ADDS]
        + [(sizes._replace(mma=mma), "f32") for sizes in WITH_TF32 for mma in PRECISIONS]
    )
]


def multiplied(shape: tuple[int, ...], layout: tuple[bool, bool], type: str) -> Module:
    """A matmul at stage `scheduled`."""
    rows, columns, depth = shape
    left = f"tensor<{depth}x{rows}x{type}>" if layout[0] else f"tensor<{rows}x{depth}x{type}>"
    right = (
        f"tensor<{columns}x{depth}x{type}>" if layout[1] else f"tensor<{depth}x{columns}x{type}>"
    )
    maps = f"{{transpose_a = {str(layout[0]).lower()}, transpose_b = {str(layout[1]).lower()}}}"
    result = f"tensor<{rows}x{columns}x{type}>"
    text = f"""
    module @job attributes {{job.type = "predict", sbp.ranks = 1 : i64}} {{
      func.func @job(%a: {left} {{job.feed = "a"}}, %b: {right} {{job.feed = "b"}})
          -> ({result} {{job.fetch = "0"}}) {{
        %y = "flow.matmul"(%a, %b) {maps} : ({left}, {right}) -> {result}
        func.return %y : {result}
      }}
    }}"""
    module = cast(Module, Modules("job", parse_module(text))["fused"].clone())
    run(module, "schedule")
    return module


def force(module: Module, sizes: Sizes) -> Product:
    """Give the contraction of a module these sizes."""
    (root,) = (op for op in ops_of(module) if schedule_of(op).kind == "tile")
    product = product_of(root)  # type: ignore[arg-type]
    assert product is not None
    grid = blocks_of(product, sizes.tile)
    for op in ops_of(module):
        edit(op, grid=grid, block=sizes.block)
    edit(
        root, tile=list(sizes.tile), depth=sizes.depth, thread=list(sizes.thread) or None,
        warp=list(sizes.warp) or None, stages=sizes.stages if sizes.warp else None,
        mma=sizes.mma or None,
    )  # fmt: skip
    return product


@pytest.mark.parametrize("number", range(len(TRIED)))
def test_a_tile_is_right(number: int) -> None:
    sizes, shape, layout, type = TRIED[number]
    module = multiplied(shape, layout, type)
    force(module, sizes)
    rows, columns, depth = shape
    draw = np.random.default_rng(number)
    left, right = (
        draw.standard_normal(shape[::-1] if turned else shape).astype(TYPES[type])
        for shape, turned in zip([(rows, depth), (depth, columns)], layout, strict=True)
    )
    exact = _exact(left, layout[0]) @ _exact(right, layout[1])
    # Products of 16 bits are exact in f32, and a sum of `depth` of them is off by as many roundings
    # at most, of three times as many with three products; then it is rounded to the type.
    sums = np.abs(_exact(left, layout[0])) @ np.abs(_exact(right, layout[1]))
    unit = float(ml_dtypes.finfo(TYPES[type]).eps)
    with simulated_in(ORDERS[number % 3]):
        got = run_simulated(module, [left, right]).astype(np.float64)
    off = np.abs(got - exact)
    additions = 3 * depth if sizes.mma == "3xtf32" else depth
    each = additions * 2.0**-24 + TERM[sizes.mma]
    assert (off <= each * sums + unit * np.abs(exact) + 1e-7).all()
    # TF32 is what it is asked for: f32 would be closer.
    assert (off > 2.0**-16 * sums).any() == (sizes.mma == "tf32" or type != "f32")


def _exact(array: Array, turned: bool) -> Array:
    return (array.T if turned else array).astype(np.float64)
