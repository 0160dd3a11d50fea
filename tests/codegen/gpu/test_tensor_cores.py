"""Tensor cores and asynchronous copies: fragments, PTX, and what they compute."""

from __future__ import annotations

import re
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest
from gpu_modules import Array, kernel, run_kernel

from penstock.codegen.gpu.assembler import assemble
from penstock.codegen.gpu.program import emit_ptx
from penstock.ir.diagnostics import IRError
from penstock.ir.dialects.nvgpu import MATRIX, MATRIX_TRANSPOSED, SHAPES, Fragment
from penstock.ir.dialects.nvgpu.fragments import LANES
from penstock.ir.dialects.parsing import parse_module
from penstock.ir.verify.verifier import verify

FRAGMENTS = {
    f"{element} {name}": getattr(shape, name)
    for element, shape in SHAPES.items()
    for name in ("a", "b", "c")
} | {"matrix": MATRIX, "transposed": MATRIX_TRANSPOSED}


@pytest.mark.parametrize("name", FRAGMENTS)
def test_a_fragment_has_each_element_once(name: str) -> None:
    fragment: Fragment = FRAGMENTS[name]
    places = {
        fragment.place(lane, register, element)
        for lane in range(LANES)
        for register in range(fragment.registers)
        for element in range(fragment.elements)
    }
    assert places == {(r, c) for r in range(fragment.rows) for c in range(fragment.columns)}
    assert len(places) == LANES * fragment.registers * fragment.elements


def test_shapes_fit_their_matrices() -> None:
    for shape in SHAPES.values():
        assert (shape.a.rows, shape.a.columns) == (shape.m, shape.k)
        assert (shape.b.rows, shape.b.columns) == (shape.k, shape.n)
        assert (shape.c.rows, shape.c.columns) == (shape.m, shape.n)


HERE = Path(__file__).parent
SPACE = "#gpu.address_space<workgroup>"
DTYPES = {"bf16": ml_dtypes.bfloat16, "f16": np.float16}


def product(element: str, wait: str = "nvgpu.device_async_wait %g") -> str:
    """The module that multiplies matrices of these elements."""
    text = (HERE / "product.mlir").read_text()
    return text.replace("ELEMENT", element).replace("WAIT", wait)


@pytest.mark.parametrize("element", DTYPES)
def test_the_instructions(element: str, ptxas: str) -> None:
    ptx = emit_ptx(parse_module(product(element)))
    assert ptx.count("cp.async.cg.shared.global") == 2
    assert "cp.async.commit_group" in ptx
    assert "cp.async.wait_group" in ptx
    assert "ldmatrix.sync.aligned.m8n8.x4.shared.b16" in ptx
    assert "ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16" in ptx
    assert f"mma.sync.aligned.m16n8k16.row.col.f32.{element}.{element}.f32" in ptx
    for arch in ("sm_80", "sm_90a", "sm_100"):
        usage = assemble(emit_ptx(parse_module(product(element)), arch), arch, ptxas).usage["k"]
        assert (usage.shared, usage.stack) == (768, 0)


def tf32() -> str:
    """The module that multiplies matrices in TF32."""
    return (HERE / "tf32.mlir").read_text()


def test_tf32(ptxas: str) -> None:
    ptx = emit_ptx(parse_module(tf32()))
    assert "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32" in ptx
    assemble(ptx, "sm_80", ptxas)


def test_zeros_take_the_place_of_what_is_not_read(ptxas: str) -> None:
    target = f"memref<32x4xf32, {SPACE}>"
    body = (
        "%c0 = arith.constant 0 : index %t = gpu.thread_id x "
        f"%k = nvgpu.device_async_copy %x[%t, %c0], %s[%t, %c0], 4, %n {{bypassL1}} : "
        f"memref<32x4xf32> to {target} %g = nvgpu.device_async_create_group %k "
        f"nvgpu.device_async_wait %g gpu.barrier %v = vector.load %s[%t, %c0] : {target}, "
        "vector<4xf32> vector.store %v, %x[%t, %c0] : memref<32x4xf32>, vector<4xf32>"
    )
    text = kernel(body, "%x: memref<32x4xf32>, %n: index", buffers=f"workgroup(%s : {target})")
    ptx = emit_ptx(parse_module(text))
    assert re.search(r"cp\.async\.cg\.shared\.global \[%\w+\], \[%\w+\], 16, %r\d+;", ptx)
    assemble(ptx, "sm_80", ptxas)


@pytest.mark.parametrize("element", DTYPES)
def test_a_product_on_the_simulator(element: str) -> None:
    random = np.random.default_rng(5)
    x, y = (random.normal(size=(16, n)).astype(DTYPES[element]) for n in (16, 8))
    z = random.normal(size=(16, 8)).astype(np.float32)
    expected = z + x.astype(np.float64) @ y.astype(np.float64)
    run_kernel(product(element), x, y, z)
    np.testing.assert_allclose(z, expected, rtol=1e-5, atol=1e-5)


def test_a_product_of_tf32_on_the_simulator() -> None:
    random = np.random.default_rng(6)
    x, y = (random.normal(size=(n, 8)).astype(np.float32) for n in (16, 8))
    z = np.zeros((16, 8), np.float32)
    run_kernel(tf32(), x, y, z)

    def cut(v: Array) -> Array:
        bits = v.view(np.uint32) & np.uint32(0xFFFFE000)
        return bits.view(np.float32).astype(np.float64)

    np.testing.assert_allclose(z, cut(x) @ cut(y), rtol=1e-5, atol=1e-5)


REFUSED = {
    "shape": (
        product("bf16").replace("[16, 8, 16]", "[16, 8, 8]"),
        "nvgpu.mma.sync: has the shape [16, 8, 8]: expected [16, 8, 16] for bf16",
    ),
    "tf32": (
        tf32().replace(", tf32Enabled", ""),
        "nvgpu.mma.sync: expected tf32Enabled for matrices of f32 alone, which it rounds to TF32",
    ),
    "five matrices": (
        product("bf16").replace("numTiles = 4", "numTiles = 3"),
        "nvgpu.ldmatrix: gives vector<4x2xbf16> for 3 matrices: expected 1, 2 or 4, and "
        "vector<3x2xbf16>",
    ),
    "twelve bytes": (
        product("bf16").replace("%c0], 8 {bypassL1}", "%c0], 6 {bypassL1}"),
        "nvgpu.device_async_copy: copies 12 bytes: expected 4, 8 or 16, and at most one number of "
        "elements to read",
    ),
    "past the end": (
        product("bf16").replace("%sa[%row, %right]", "%sa[%t, %right]"),
        "nvgpu.ldmatrix: reads elements 0 to 31 of dimension 0 of %sa, memref<16x16xbf16, "
        f"{SPACE}>: expected 0 to 15",
    ),
    "another token": (
        product("bf16", "nvgpu.device_async_wait %t"),
        "nvgpu.device_async_wait: takes index: expected !nvgpu.device.async.token",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_refused(case: str) -> None:
    text, message = REFUSED[case]
    with pytest.raises(IRError) as caught:
        verify(parse_module(text))
    assert message in [d.message for d in caught.value.diagnostics]


def test_an_address_that_may_not_be_aligned_is_refused() -> None:
    part = "%part = arith.muli %which, %c"
    text = product("bf16").replace(f"{part}8", f"{part}4")
    with pytest.raises(IRError, match="16 bytes at addresses that are known to be multiples of 8"):
        emit_ptx(parse_module(text))
