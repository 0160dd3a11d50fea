"""Factors that are rounded to 16 bits have kernels of their own, so that tensor cores read them."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest
import scheduled_jobs
from scheduled_jobs import Array, fused, ops_of, run, run_simulated, schedule

from penstock.codegen.gpu.program import compile_gpu
from penstock.ir.dialects.builtin import Module
from penstock.ir.text.printer import print_module

DTYPES: dict[str, Any] = {"bf16": ml_dtypes.bfloat16, "f16": np.float16}
CAST = '%{0} = "flow.cast"(%{1}) {{element = {2}}} : (tensor<{3}xf32>) -> tensor<{3}x{2}>\n'
PRODUCT = '%y = "flow.matmul"(%x, %w) {{transpose_b = {2}}} : (tensor<{0}>, tensor<{1}>) -> y'


def job(element: str, m: int, n: int, k: int, turned: bool = False, relu: bool = False) -> Module:
    """A product of factors of f32, rounded; the left one through relu, in 16 bits."""
    left, right = f"{m}x{k}", f"{n}x{k}" if turned else f"{k}x{n}"
    body = CAST.format("c" if relu else "x", "a0", element, left)
    if relu:
        kind = f"tensor<{left}x{element}>"
        body += f'%x = "flow.relu"(%c) : ({kind}) -> {kind}\n'
    body += CAST.format("w", "a1", element, right)
    body += PRODUCT.format(f"{left}x{element}", f"{right}x{element}", str(turned).lower())
    operands = f"{left}xf32 {right}xf32"
    scheduled_jobs.OPS["rounded"] = (operands, f"{m}x{n}x{element}", body)
    module = fused("rounded")
    del scheduled_jobs.OPS["rounded"]
    return module


def arrays(element: str, m: int, n: int, k: int, turned: bool, relu: bool) -> tuple[Any, Array]:
    """What goes in, and the result in float64."""
    draw = np.random.default_rng(m + n)
    shapes = (m, k), (n, k) if turned else (k, n)
    given = [draw.standard_normal(shape).astype(np.float32) for shape in shapes]
    x, w = (each.astype(DTYPES[element]).astype(np.float64) for each in given)
    return given, (np.maximum(x, 0) if relu else x) @ (w.T if turned else w)


CASES = (
    ("bf16", 40, 56, 72, False, False), ("f16", 64, 48, 33, True, False),
    ("bf16", 37, 64, 64, True, True),
)  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_rounded_factors_are_multiplied_by_tensor_cores(case: Any) -> None:
    element = case[0]
    module = job(*case)
    run(module, "narrow-factors,schedule{target=sm_80}")
    kinds = [(schedule(op)["kind"], "warp" in schedule(op)) for op in ops_of(module)]
    assert kinds == [("rows", False), ("rows", False), ("tile", True), ("epilogue", False)]
    given, wanted = arrays(*case)
    found = run_simulated(module, given).astype(np.float64)
    # Sums of f32, of k <= 72 exact products, rounded once to 16 bits.
    part = {"bf16": 2**-8, "f16": 2**-11}[element] + 2**-17
    assert np.abs(found - wanted).max() <= part * np.abs(wanted).max()
    text = print_module(module)
    run(module, "narrow-factors")
    assert print_module(module) == text, "a scheduled group is left alone"


def test_without_the_pass_threads_multiply() -> None:
    module = job(*CASES[0])
    run(module, "schedule{target=sm_80}")
    assert "warp" not in schedule(ops_of(module)[0])


def test_warpgroups_multiply_them_on_sm_90a() -> None:
    module = job("bf16", 64, 64, 64)
    run(module, "narrow-factors,schedule{target=sm_90a}")
    assert [schedule(op).get("warpgroups") for op in ops_of(module)] == [None, None, 1, None]
    run(module, "bufferize{target=sm_90a}")
    ptx = compile_gpu(module, "sm_90a").ptx
    assert "wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16" in ptx
    assert "fma.rn.f32" not in ptx


def test_other_factors_stay() -> None:
    """Of f32, and those of 16 bits that are read as they are."""
    for element in ("f32", "bf16"):
        operands = f"24x40x{element} 40x48x{element}"
        body = '%y = "flow.matmul"(%a0, %a1) : (a0, a1) -> y'
        scheduled_jobs.OPS["plain"] = (operands, f"24x48x{element}", body)
        module = fused("plain")
        del scheduled_jobs.OPS["plain"]
        text = print_module(module)
        run(module, "narrow-factors")
        assert print_module(module) == text
