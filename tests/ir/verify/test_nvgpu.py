"""Tensor maps, mbarriers and products of warpgroups: what is read, and what is refused."""

from __future__ import annotations

import pytest

from penstock.ir.diagnostics import IRError
from penstock.ir.dialects.parsing import parse_module
from penstock.ir.text.printer import print_module
from penstock.ir.verify.verifier import verify

SPACE = "#gpu.address_space<workgroup>"
MAP = (
    f"!nvgpu.tensormap.descriptor<tensor = memref<1x128x64xbf16, {SPACE}>, "
    "swizzle = swizzle_128b, l2promo = l2promo_128b, oob = zero, interleave = none>"
)
BARRIERS = f"!nvgpu.mbarrier.group<memorySpace = {SPACE}, num_barriers = 8>"
SUMS = "!llvm.struct<(f32, f32, f32, f32)>"
PANEL = f"memref<1x128x64xbf16, {SPACE}>"
MMA = (
    '"nvvm.wgmma.mma_async"(%in, %d, %d) <{layoutA = #nvvm.mma_layout<row>, layoutB = '
    "#nvvm.mma_layout<col>, scaleA = #nvvm.wgmma_scale_in<one>, scaleB = "
    "#nvvm.wgmma_scale_in<one>, scaleD = #nvvm.wgmma_scale_out<one>, shape = #nvvm.shape<m = 64, "
    "n = 8, k = 16>, typeA = #nvvm.wgmma_type<bf16>, typeB = #nvvm.wgmma_type<bf16>, typeD = "
    f"#nvvm.wgmma_type<f32>}}> : ({SUMS}, i64, i64) -> {SUMS}"
)
KERNEL = f"""
module attributes {{gpu.container_module}} {{
  gpu.module @kernels {{
    gpu.func @k(%map: {MAP}) kernel attributes {{known_block_size = array<i32: 256, 1, 1>}} {{
      %c0 = arith.constant 0 : index
      %true = arith.constant true
      %all = gpu.dynamic_shared_memory : memref<?xi8, {SPACE}>
      %panel = memref.view %all[%c0][] : memref<?xi8, {SPACE}> to {PANEL}
      %b = nvgpu.mbarrier.create -> {BARRIERS}
      nvgpu.mbarrier.init %b[%c0], %c0 : {BARRIERS}
      nvvm.fence.mbarrier.init
      "nvvm.setmaxregister"() <{{action = #nvvm<action decrease>, regCount = 40 : i32}}> : () -> ()
      nvgpu.mbarrier.arrive.expect_tx %b[%c0], %c0 : {BARRIERS}
      nvgpu.tma.async.load %map[%c0, %c0, %c0], %b[%c0] to %panel : {MAP}, {BARRIERS} -> {PANEL}
      nvgpu.mbarrier.try_wait.parity %b[%c0], %true, %c0 : {BARRIERS}
      %address = memref.extract_aligned_pointer_as_index %panel : {PANEL} -> index
      %d = arith.index_cast %address : index to i64
      %zero = arith.constant dense<0.0> : vector<1x2x2xf32>
      %in = builtin.unrealized_conversion_cast %zero : vector<1x2x2xf32> to {SUMS}
      nvvm.wgmma.fence.aligned
      %out = {MMA}
      nvvm.wgmma.commit.group.sync.aligned
      nvvm.wgmma.wait.group.sync.aligned 0
      %token = nvgpu.mbarrier.arrive %b[%c0] : {BARRIERS} -> !nvgpu.mbarrier.token
      gpu.return
    }}
  }}
  func.func @f(%x: memref<2x256x64xbf16>) {{
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %c128 = arith.constant 128 : index
    %any = memref.cast %x : memref<2x256x64xbf16> to memref<*xbf16>
    %map = nvgpu.tma.create.descriptor %any box[%c1, %c128, %c64] : memref<*xbf16> -> {MAP}
    func.return
  }}
}}
"""


def test_what_is_accepted() -> None:
    module = parse_module(KERNEL)
    verify(module)
    text = print_module(module)
    assert print_module(parse_module(text)) == text


REFUSED = {
    "another swizzle": (
        "swizzle_128b", "swizzle_64b",
        "has boxes with rows of 128 bytes and a swizzle of 64: expected both to be 32, 64 or 128",
    ),
    "a long box": ("1x128x64xbf16", "1x512x64xbf16", "has boxes of [1, 512, 64]: expected 2 to 5"),
    "elements": ("xbf16", "xi8", "expected !nvgpu.tensormap.descriptor<tensor = memref<...>"),
    "another panel": (
        f"to {PANEL}\n", f"to memref<1x64x128xbf16, {SPACE}>\n",
        "to memref<1x64x128xbf16, #gpu.address_space<workgroup>>: expected the same shape, row by",
    ),
    "coordinates": ("[%c0, %c0, %c0]", "[%c0, %c0]", "has 2 coordinates and copies to"),
    "no barriers": ("num_barriers = 8", "num_barriers = 0", "expected !nvgpu.mbarrier.group<mem"),
    "strides": (
        "memref<2x256x64xbf16>", "memref<2x256x60xbf16>",
        "expected 3 static dimensions, of which the last is contiguous and the others are",
    ),
    "a box's sides": ("box[%c1, %c128, %c64]", "box[%c128, %c64]", "has 2 sides of a box: expec"),
    "another tensor": ("memref<*xbf16>", "memref<*xf16>", "describes memref<*xf16>: expected mem"),
    "few sums": (
        "(f32, f32, f32, f32)", "(f32, f32)",
        "expected a struct of 4 to 128 f32, 4 for each 8 columns",
    ),
    "the shape": ("n = 8, k = 16", "n = 16, k = 16", "expected m, n and k of (64, 8, 16) for bf16"),
    "two types": ("typeA = #nvvm.wgmma_type<bf16>", "typeA = #nvvm.wgmma_type<f16>", "one type"),
    "registers": ("regCount = 40", "regCount = 44", "asks for 44 registers: expected a multiple"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_refused(name: str) -> None:
    old, new, said = REFUSED[name]
    text = KERNEL.replace(old, new)
    assert text != KERNEL
    if name == "another panel":
        text = text.replace(f"-> {PANEL}", f"-> memref<1x64x128xbf16, {SPACE}>")
        text = text.replace(f"%panel : {PANEL}", f"%panel : memref<1x64x128xbf16, {SPACE}>")
    with pytest.raises(IRError) as caught:
        verify(parse_module(text))
    assert any(said in d.message for d in caught.value.diagnostics), str(caught.value)


def test_factors_of_32_bits_are_not_transposed() -> None:
    text = KERNEL.replace("wgmma_type<bf16>", "wgmma_type<tf32>").replace("k = 16", "k = 8")
    verify(parse_module(text))
    with pytest.raises(IRError, match="reads tf32 across the reduced dimension: expected layoutA"):
        verify(parse_module(text.replace("mma_layout<col>", "mma_layout<row>")))
