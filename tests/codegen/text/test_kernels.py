"""Kernels compile to exactly the intended instructions."""

import pytest
from assembly import function, innermost_loops

from penstock.codegen.objects import llvm
from penstock.codegen.text.llvm_text import emit_llvm
from penstock.ir.dialects.parsing import parse_module


def microkernel(rows: int, columns: int, level: str, element: str = "f32", tail: str = "") -> str:
    """A matmul tile: columns of A, packed rows of B, and `tail` on the sum."""
    tile = f"vector<{rows}x{columns}x{element}>"
    a, b = f"memref<{rows}x512x{element}>", f"memref<512x{columns}x{element}>"
    c = f"memref<{rows}x{columns}x{element}>"
    source = f"""
    module attributes {{job.target = "{level}"}} {{
    func.func private @tile(%a: {a}, %b: {b}, %c: {c}) {{
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %n = arith.constant 512 : index
      %pad = arith.constant 0.0 : {element}
      %zero = arith.constant dense<0.0> : {tile}
      %sum = scf.for %k = %c0 to %n step %c1 iter_args(%s = %zero) -> ({tile}) {{
        %x = vector.transfer_read %a[%c0, %k], %pad {{in_bounds = [true],
            permutation_map = affine_map<(d0, d1) -> (d0)>}} : {a}, vector<{rows}x{element}>
        %y = vector.load %b[%k, %c0] : {b}, vector<{columns}x{element}>
        %t = vector.outerproduct %x, %y, %s {{kind = #vector.kind<add>}}
            : vector<{rows}x{element}>, vector<{columns}x{element}>
        scf.yield %t : {tile}
      }}
      {tail or f"%r = arith.addf %sum, %zero : {tile}"}
      vector.transfer_write %r, %c[%c0, %c0] {{in_bounds = [true, true]}} : {tile}, {c}
      return
    }}
    func.func @job(%a: {a}, %b: {b}, %c: {c}) {{
      func.call @tile(%a, %b, %c) : ({a}, {b}, {c}) -> ()
      return
    }} }}"""
    return llvm.compile_assembly(emit_llvm(parse_module(source)), llvm.target_machine(level))


@pytest.mark.parametrize(
    ("level", "rows", "columns", "element", "registers"),
    [
        ("x86-64-v3", 6, 16, "f32", 2),
        ("x86-64-v3", 6, 8, "f64", 2),
        ("x86-64-v3", 4, 24, "f32", 3),
        ("x86-64-v4", 14, 32, "f32", 2),
        ("x86-64-v4", 8, 48, "f32", 3),
    ],
)
def test_a_step_of_a_matmul_is_loads_broadcasts_and_fmas(
    level: str, rows: int, columns: int, element: str, registers: int
) -> None:
    (loop,) = innermost_loops(function(microkernel(rows, columns, level, element), "tile"))
    fused = rows * registers
    assert loop.count(r"vfmadd\w+") == fused
    assert loop.spills == 0
    # On v4 a load or a broadcast may be a memory operand of its user.
    moved = loop.count(r"vmov[au]p[sd]\s.*\(.*\), %") + loop.count(r"vbroadcasts[sd]\s.*\(")
    folded = loop.count(r"vfmadd\w+\s.*\(.*\)")
    assert moved + folded >= rows + registers
    assert moved <= rows + registers
    # An update of the counter or of pointers, a comparison, a jump.
    assert len(loop.lines) - fused - moved <= 5


@pytest.mark.parametrize(("rows", "columns"), [(5, 16), (6, 10), (6, 13), (1, 24), (3, 1)])
def test_tails_of_any_width_stay_in_registers(rows: int, columns: int) -> None:
    (loop,) = innermost_loops(function(microkernel(rows, columns, "x86-64-v3"), "tile"))
    assert loop.count(r"vfmadd\w+") == rows * -(-columns // 8)
    assert loop.spills == 0


def test_processors_without_fused_instructions_multiply_and_add() -> None:
    (loop,) = innermost_loops(function(microkernel(3, 8, "x86-64-v2"), "tile"))
    assert (loop.count("mulps"), loop.count("addps"), loop.count("call")) == (6, 6, 0)
    assert loop.spills == 0


def test_functions_of_vectors_call_nothing() -> None:
    names = ("exp", "log", "tanh", "erf", "sin", "cos", "expm1", "log1p")
    lines = [f"%{n} = math.{n} %sum : vector<4x16xf32>" for n in names]
    chain = [f"%y{i} = arith.addf %{a}, %{b} : vector<4x16xf32>"
             for i, (a, b) in enumerate(zip(names, ["sum", *(f"y{j}" for j in range(7))],
                                            strict=True))]  # fmt: skip
    tail = "\n".join([*lines, *chain, "%r = math.powf %y7, %sum : vector<4x16xf32>"])
    asm = function(microkernel(4, 16, "x86-64-v3", tail=tail), "tile")
    assert not [line for line in asm if "call" in line]
