"""The estimate of registers: tiles that would spill are not chosen, and ptxas spills none."""

from __future__ import annotations

from typing import Any

import pytest
from scheduled_jobs import ops_of, run, schedule

from penstock.codegen.gpu.assembler import Usage, assemble, ptxas_path
from penstock.codegen.gpu.program import emit_ptx
from penstock.ir import types as ty
from penstock.ir.core import Operation
from penstock.ir.dialects import linalg
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.parsing import parse_module
from penstock.lowering.modules import Modules
from penstock.passes.gpu.tiles.product import Product, product_of
from penstock.passes.gpu.tiles.registers import MOST_REGISTERS, Gathered
from penstock.passes.gpu.tiles.tile_sizes import WITH_TENSOR_CORES, registers_of

WIDE = WITH_TENSOR_CORES[0]
"""128 x 128, with 64 sums for each thread."""


def convolution(channels: int, filters: int, space: int, window: int, last: bool) -> Module:
    """A convolution of 32 images of bf16 that keeps their size, at stage `fused` for a GPU."""
    around = window // 2
    padded = space + 2 * around
    plain = (
        [32, space, space, channels], [32, padded, padded, channels],
        [filters, window, window, channels], [32, space, space, filters],
    )  # fmt: skip
    axes = (1, 2) if last else (2, 3)
    arranged = plain if last else [[n, c, h, w] for n, h, w, c in plain]
    x, p, w, y = (f"tensor<{'x'.join(map(str, shape))}xbf16>" for shape in arranged)
    ends = ", ".join(str(around * (d in axes)) for d in range(4))
    text = f"""
    module @job attributes {{job.type = "predict", job.device = "gpu-sim 0:0"}} {{
      func.func @job(%a: {x} {{job.feed = "a"}}, %b: {w} {{job.feed = "b"}})
          -> ({y} {{job.fetch = "0"}}) {{
        %p = "flow.pad"(%a) {{after = array<i64: {ends}>, before = array<i64: {ends}>,
          inside = array<i64: 0, 0, 0, 0>, value = 0.0 : f64}} : ({x}) -> {p}
        %y = "flow.conv"(%p, %b) {{channels_last = {str(last).lower()},
          dilations = array<i64: 1, 1>, strides = array<i64: 1, 1>}} : ({p}, {w}) -> {y}
        func.return %y : {y}
      }}
    }}"""
    found = Modules("job", parse_module(text))["fused"].clone()
    assert isinstance(found, Module)
    return found


def assembled(module: Module, target: str) -> list[Usage]:
    """What ptxas gives the kernels of a scheduled module; skips without it."""
    path = ptxas_path()
    if path is None:
        pytest.skip("ptxas is not installed (NVIDIA's CUDA toolkit)")
    run(module, f"bufferize{{target={target}}}")
    return list(assemble(emit_ptx(module, target), target, path).usage.values())


def spilled(usage: list[Usage]) -> list[Usage]:
    return [one for one in usage if one.stack or one.spill_stores or one.spill_loads]


def the_product(module: Module) -> tuple[Product, list[Operation]]:
    """The contraction of a scheduled module, and the ops that are inlined into it."""
    (root,) = (op for op in ops_of(module) if schedule(op)["kind"] == "tile")
    assert isinstance(root, linalg.Generic)
    product = product_of(root)
    assert product is not None
    return product, [op for op in ops_of(module) if schedule(op)["kind"] == "inline"]


CASES = {
    "windows": ((256, 256, 14, 3, False), True),
    "rows of 49": ((512, 512, 7, 3, False), True),
    "runs of a channel": ((256, 1024, 14, 1, False), False),
    "channels last": ((256, 256, 14, 3, True), False),
}
"""Convolutions of ResNet-50, and whether the widest tile's threads gather too many elements."""


@pytest.mark.parametrize("name", CASES)
def test_a_tile_that_would_spill_is_not_chosen(name: str) -> None:
    shape, is_too_much = CASES[name]
    module = convolution(*shape)
    run(module, "schedule{target=sm_80}")
    product, inlined = the_product(module)
    gathered = Gathered(product, ty.bf16, inlined)
    assert (registers_of(WIDE, gathered) > MOST_REGISTERS) == is_too_much
    chosen = schedule(product.op)
    (sizes,) = (s for s in WITH_TENSOR_CORES if (list(s.tile), list(s.warp)) == (
        chosen["tile"], chosen["warp"]))  # fmt: skip
    estimate = registers_of(sizes, gathered)
    assert estimate <= MOST_REGISTERS
    assert (sizes == WIDE) != is_too_much
    usage = assembled(module, "sm_80")
    assert not spilled(usage)
    # The estimate is not far off.
    assert abs(max(one.registers for one in usage) - estimate) < 48


def residual(epilogue: str) -> Module:
    """A large product of bf16, whose epilogue reads other tensors, at stage `scheduled`."""
    t, w = "tensor<8192x1024xbf16>", "tensor<1024x1024xbf16>"
    text = f"""
    module @job attributes {{job.type = "predict", job.device = "gpu-sim 0:0"}} {{
      func.func @job(%a: {t} {{job.feed = "a"}}, %b: {w} {{job.feed = "b"}},
          %c: {t} {{job.feed = "c"}}, %d: {t} {{job.feed = "d"}}, %e: {t} {{job.feed = "e"}})
          -> ({t} {{job.fetch = "0"}}) {{
        %m = "flow.matmul"(%a, %b) {{transpose_a = false, transpose_b = false}} : ({t}, {w}) -> {t}
        {epilogue.replace("T", t)}
        func.return %y : {t}
      }}
    }}"""
    module = Modules("job", parse_module(text))["fused"].clone()
    assert isinstance(module, Module)
    run(module, "schedule{target=sm_90a}")
    return module


EPILOGUES: dict[str, Any] = {
    "one tensor": ('%y = "flow.add"(%m, %c) : (T, T) -> T', 3),
    "three tensors": (
        '%s = "flow.add"(%m, %c) : (T, T) -> T %u = "flow.multiply"(%s, %d) : (T, T) -> T '
        '%y = "flow.add"(%u, %e) : (T, T) -> T', 15,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", EPILOGUES)
def test_an_epilogue_reads_no_more_than_registers_hold(name: str) -> None:
    epilogue, syncs = EPILOGUES[name]
    module = residual(epilogue)
    product, _ = the_product(module)
    chosen = schedule(product.op)
    assert (chosen["tile"], chosen["warpgroups"]) == ([128, 256], 2)
    usage = assembled(module, "sm_90a")
    ptx = emit_ptx(module, "sm_90a")
    assert ptx.count("bar.warp.sync") == syncs
    assert not spilled(usage)
