"""Dot products of pairs of bf16: the instruction if there is one, and the same sums without it."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest
from assembly import function, innermost_loops
from loading import text_run_here

from penstock.codegen.objects import llvm
from penstock.codegen.text.llvm_text import emit_llvm
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.parsing import parse_module

PAIRED = "x86-64-v4-bf16"
DEPTH = 40


def microkernel(rows: int, lanes: int, made: str = "") -> Module:
    """A matmul tile: rows of pairs read from memory, packed lanes of pairs.

    `made` is inserted between reading the pairs, %p and %q, and multiplying them, %x and %y.
    """
    a, b = f"memref<{rows}x{DEPTH}x2xbf16>", f"memref<{DEPTH}x{lanes}x2xbf16>"
    c, tile = f"memref<{rows}x{lanes}xf32>", f"vector<{rows}x{lanes}xf32>"
    left, right = f"vector<{rows}x2xbf16>", f"vector<{lanes}x2xbf16>"
    read = ("%p", "%q") if made else ("%x", "%y")
    return parse_module(f"""
    module attributes {{job.target = "{PAIRED}", job.type = "predict"}} {{
    func.func private @tile(%a: {a}, %b: {b}, %c: {c}) {{
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %n = arith.constant {DEPTH} : index
      %pad = arith.constant 0.0 : bf16
      %one = arith.constant dense<1.0> : {tile}
      %sum = scf.for %k = %c0 to %n step %c1 iter_args(%s = %one) -> ({tile}) {{
        {read[0]} = vector.transfer_read %a[%c0, %k, %c0], %pad {{in_bounds = [true, true],
            permutation_map = affine_map<(d0, d1, d2) -> (d0, d2)>}} : {a}, {left}
        {read[1]} = vector.transfer_read %b[%k, %c0, %c0], %pad {{in_bounds = [true, true]}}
            : {b}, {right}
        {made}
        %t = vector.contract {{indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>,
            affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>],
            iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>}}
            %x, %y, %s : {left}, {right} into {tile}
        scf.yield %t : {tile}
      }}
      vector.transfer_write %sum, %c[%c0, %c0] {{in_bounds = [true, true]}} : {tile}, {c}
      return
    }}
    func.func @job(%a: {a} {{job.feed = "a"}}, %b: {b} {{job.feed = "b"}},
        %c: {c} {{job.fetch = "0"}}) {{
      func.call @tile(%a, %b, %c) : ({a}, {b}, {c}) -> ()
      return
    }} }}""")


@pytest.mark.parametrize(("rows", "lanes", "registers"), [(14, 32, 2), (8, 48, 3), (5, 18, 2)])
def test_a_step_is_one_instruction_for_each_accumulator(
    rows: int, lanes: int, registers: int
) -> None:
    text = emit_llvm(microkernel(rows, lanes))
    asm = llvm.compile_assembly(text, llvm.target_machine(PAIRED))
    (loop,) = innermost_loops(function(asm, "tile"))
    assert loop.count("vdpbf16ps") == rows * registers
    assert loop.spills == 0
    # Each word of the rows is broadcast once, and each register of lanes is read once.
    folded = loop.count(r"vdpbf16ps\s.*\(.*\)")
    moved = loop.count(r"v(mov\w+|broadcasts[sd]|pbroadcastd)\s.*\(.*\), %")
    assert moved + folded == rows + registers
    assert len(loop.lines) - rows * registers - moved <= 5


@pytest.mark.parametrize(
    ("level", "lanes", "made"),
    [
        (PAIRED, 6, ""),
        (PAIRED, 33, ""),
        ("x86-64-v2", 6, ""),
        ("x86-64-v3", 18, ""),
        ("x86-64-v4", 33, ""),
        ("x86-64-v4", 18, "%x = vector.shuffle %p, %p [2, 1, 0] : {0}, {0}\n"
                          "%y = vector.shuffle %q, %q [17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, "
                          "6, 5, 4, 3, 2, 1, 0] : {1}, {1}"),
    ],
)  # fmt: skip
def test_the_last_product_is_added_first(level: str, lanes: int, made: str) -> None:
    """Bit-identical with and without the instruction, for pairs that are words in memory and for
    assembled pairs.
    """
    if level not in llvm.host_levels():
        pytest.skip(f"this machine does not run {level}")
    module = microkernel(3, lanes, made.format("vector<3x2xbf16>", f"vector<{lanes}x2xbf16>"))
    draw = np.random.default_rng(3)
    shapes = (3, DEPTH, 2), (DEPTH, lanes, 2)
    a, b = (draw.standard_normal(shape).astype(ml_dtypes.bfloat16) for shape in shapes)
    (found,) = text_run_here(level, module)(a, b)
    if made:
        a, b = a[::-1], b[:, ::-1]
    a, b = a.astype(np.float32), b.astype(np.float32)
    total = np.ones((3, lanes), np.float32)
    for k in range(DEPTH):
        for half in (1, 0):
            # The product of two bf16 is exact in f32, so this is rounded once.
            total = total + a[:, k, half, None] * b[k, :, half]
    np.testing.assert_array_equal(found, total)
