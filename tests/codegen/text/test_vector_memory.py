"""Vector memory ops: maps, masks, gathers, boundaries, non-temporal stores."""

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from penstock.codegen.objects import llvm
from penstock.codegen.text.llvm_text import emit_llvm
from penstock.codegen.writer import LLVMText
from penstock.ir.diagnostics import IRError
from penstock.ir.dialects.parsing import parse_module

Array = np.ndarray[Any, Any]
Run = Callable[..., list[Array]]

LEVELS = llvm.host_levels()


def job(arguments: str, body: str, level: str = "x86-64-v3") -> str:
    constants = "\n".join(f"%c{i} = arith.constant {i} : index" for i in (*range(9), 16, 24, 32))
    return f"""module attributes {{job.target = "{level}", job.type = "predict"}} {{
      func.func @job({arguments}) {{ {constants}
        %zero = arith.constant 0.0 : f32
        {body}
        return }} }}"""


def filled(*shape: int) -> Array:
    return np.random.default_rng(3).standard_normal(shape).astype(np.float32)


READS = {
    "rows": ("affine_map<(d0, d1) -> (d0, d1)>", "5x11", lambda x: x[2:7, 3:14]),
    "columns": ("affine_map<(d0, d1) -> (d1, d0)>", "11x5", lambda x: x[2:7, 3:14].T),
    "a column": ("affine_map<(d0, d1) -> (d0)>", "6", lambda x: x[2:8, 3]),
    "a row": ("affine_map<(d0, d1) -> (d1)>", "13", lambda x: x[2, 3:16]),
    "a row repeated": (
        "affine_map<(d0, d1) -> (0, d1)>", "3x9", lambda x: np.tile(x[2, 3:12], (3, 1)),
    ),
    "a column repeated": (
        "affine_map<(d0, d1) -> (d0, 0)>", "3x9", lambda x: np.tile(x[2:5, 3:4], (1, 9)),
    ),
}  # fmt: skip


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("name", READS)
def test_a_transfer_read_follows_its_map(name: str, level: str, run: Run) -> None:
    map, shape, part = READS[name]
    rank = shape.count("x") + 1
    bounds, zeros = ", ".join(["true"] * rank), ", ".join(["%c0"] * rank)
    source = job(
        f"%x: memref<20x30xf32>, %y: memref<{shape}xf32>",
        f"""%v = vector.transfer_read %x[%c2, %c3], %zero {{permutation_map = {map},
                in_bounds = [{bounds}]}} : memref<20x30xf32>, vector<{shape}xf32>
            vector.transfer_write %v, %y[{zeros}] {{in_bounds = [{bounds}]}}
                : vector<{shape}xf32>, memref<{shape}xf32>""",
        level,
    )
    x = filled(20, 30)
    want = part(x)
    np.testing.assert_array_equal(run(source, x, np.zeros(want.shape, np.float32))[1], want)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(
    ("map", "shape"), [("(d1, d0)", "7x3"), ("(d0, d1)", "3x7"), ("(d0)", "5")]
)
def test_a_transfer_write_follows_its_map_and_writes_nothing_else(
    map: str, shape: str, level: str, run: Run
) -> None:
    rank = shape.count("x") + 1
    bounds, zeros = ", ".join(["true"] * rank), ", ".join(["%c0"] * rank)
    source = job(
        f"%x: memref<{shape}xf32>, %y: memref<9x20xf32>",
        f"""%v = vector.transfer_read %x[{zeros}], %zero {{in_bounds = [{bounds}]}}
                : memref<{shape}xf32>, vector<{shape}xf32>
            vector.transfer_write %v, %y[%c1, %c2] {{in_bounds = [{bounds}],
                permutation_map = affine_map<(d0, d1) -> {map}>}}
                : vector<{shape}xf32>, memref<9x20xf32>""",
        level,
    )
    x = filled(*map_shape(shape))
    want = np.full((9, 20), 7, np.float32)
    part = x[:, None] if rank == 1 else x.T if map == "(d1, d0)" else x
    want[1 : 1 + part.shape[0], 2 : 2 + part.shape[1]] = part
    np.testing.assert_array_equal(run(source, x, np.full((9, 20), 7, np.float32))[1], want)


def map_shape(shape: str) -> tuple[int, ...]:
    return tuple(map(int, shape.split("x")))


@pytest.mark.parametrize("width", [7, 11, 14, 31])
def test_with_mask_registers_a_partial_vector_is_one_load_and_one_store(width: int) -> None:
    level = "x86-64-v4"
    source = job(
        "%x: memref<40xf32>, %y: memref<40xf32>",
        f"""%v = vector.load %x[%c1] : memref<40xf32>, vector<{width}xf32>
            vector.store %v, %y[%c1] : memref<40xf32>, vector<{width}xf32>""",
        level,
    )
    text = emit_llvm(parse_module(source))
    code = llvm.compile_assembly(text, llvm.target_machine(level))
    loads = re.findall(r"vmov\w+\t\d*\(.*\), %.mm.*", code)
    stores = re.findall(r"vmov\w+\t%.mm\d+, \d*\(.*", code)
    assert ["{%k1} {z}" in load for load in loads] == [False] * (width // 16) + [True]
    assert ["{%k1}" in store for store in stores] == [False] * (width // 16) + [True]


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("width", [1, 3, 8, 11, 24])
def test_loads_and_stores_of_any_width(width: int, level: str, run: Run) -> None:
    source = job(
        "%x: memref<4x40xf32>, %y: memref<4x40xf32>",
        f"""scf.for %i = %c0 to %c4 step %c1 {{
              %v = vector.load %x[%i, %c5] : memref<4x40xf32>, vector<{width}xf32>
              vector.store %v, %y[%i, %c3] {{nontemporal = true}}
                  : memref<4x40xf32>, vector<{width}xf32>
            }}""",
        level,
    )
    x, y = filled(4, 40), filled(4, 40) + 9
    want = y.copy()
    want[:, 3 : 3 + width] = x[:, 5 : 5 + width]
    np.testing.assert_array_equal(run(source, x, y)[1], want)


@pytest.mark.parametrize("level", LEVELS)
def test_masked_and_gathered_elements(level: str, run: Run) -> None:
    source = job(
        "%x: memref<40xf32>, %n: memref<11xi32>, %k: memref<1xindex>, %y: memref<33xf32>",
        """%size = memref.load %k[%c0] : memref<1xindex>
           %mask = vector.create_mask %size : vector<11xi1>
           %rest = arith.constant dense<5.0> : vector<11xf32>
           %a = vector.maskedload %x[%c2], %mask, %rest
               : memref<40xf32>, vector<11xi1>, vector<11xf32> into vector<11xf32>
           vector.store %a, %y[%c0] : memref<33xf32>, vector<11xf32>
           vector.maskedstore %y[%c16], %mask, %a
               : memref<33xf32>, vector<11xi1>, vector<11xf32>
           %at = vector.load %n[%c0] : memref<11xi32>, vector<11xi32>
           %b = vector.gather %x[%c1] [%at], %mask, %rest
               : memref<40xf32>, vector<11xi32>, vector<11xi1>, vector<11xf32> into vector<11xf32>
           %twenty = arith.addi %c16, %c6 : index
           vector.store %b, %y[%twenty] : memref<33xf32>, vector<11xf32>""",
        level,
    )
    x, places = filled(40), np.array([7, 1, 30, 2, 2, 0, 38, 5, 9, -1, 3], np.int32)
    got = run(source, x, places, np.array([9]), np.full(33, 4, np.float32))[3]
    want = np.full(33, 4, np.float32)
    want[:11] = [*x[2:11], 5, 5]
    want[16:25] = x[2:11]
    want[22:33] = [*x[places[:9] + 1], 5, 5]
    np.testing.assert_array_equal(got, want)


@pytest.mark.parametrize("level", LEVELS)
def test_masked_elements_may_be_out_of_bounds(level: str, run: Run) -> None:
    source = job(
        "%x: memref<3xf32>, %k: memref<1xindex>, %y: memref<11xf32>",
        """%start = memref.load %k[%c0] : memref<1xindex>
           %lanes = vector.step : vector<11xindex>
           %first = vector.broadcast %start : index to vector<11xindex>
           %at = arith.addi %lanes, %first : vector<11xindex>
           %end = arith.constant dense<3> : vector<11xindex>
           %mask = arith.cmpi ult, %at, %end : vector<11xindex>
           %rest = arith.constant dense<5.0> : vector<11xf32>
           %a = vector.maskedload %x[%start], %mask, %rest
               : memref<3xf32>, vector<11xi1>, vector<11xf32> into vector<11xf32>
           vector.store %a, %y[%c0] : memref<11xf32>, vector<11xf32>""",
        level,
    )
    for start in (-6, -1, 2, 3):
        got = run(source, filled(3), np.array([start]), np.zeros(11, np.float32))[2]
        at = np.arange(11) + start
        want = np.where((at >= 0) & (at < 3), filled(3)[np.clip(at, 0, 2)], 5)
        np.testing.assert_array_equal(got, want)


@pytest.mark.parametrize("level", LEVELS)
def test_bits_are_bytes_in_memory(level: str, run: Run) -> None:
    """A remaining lane is loaded and stored as a scalar, since LLVM crashes on vectors of one
    lane.
    """
    source = job(
        "%x: memref<13xf32>, %y: memref<13xi1>, %z: memref<13xf32>",
        """%v = vector.load %x[%c0] : memref<13xf32>, vector<13xf32>
           %zeros = arith.constant dense<0.0> : vector<13xf32>
           %b = arith.cmpf ogt, %v, %zeros : vector<13xf32>
           vector.store %b, %y[%c0] : memref<13xi1>, vector<13xi1>
           %c = vector.load %y[%c0] : memref<13xi1>, vector<13xi1>
           %r = arith.select %c, %v, %zeros : vector<13xi1>, vector<13xf32>
           vector.store %r, %z[%c0] : memref<13xf32>, vector<13xf32>""",
        level,
    )
    x = filled(13)
    _, bits, largest = run(source, x, np.zeros(13, bool), np.zeros(13, np.float32))
    np.testing.assert_array_equal(bits, x > 0)
    np.testing.assert_array_equal(largest, np.maximum(x, 0))
    emitted = emit_llvm(parse_module(source))
    assert "<1 x " not in emitted.text
    llvm.compile_assembly(emitted, llvm.target_machine(level), optimised=True)


def test_loops_and_branches_carry_rows(run: Run) -> None:
    source = job(
        "%x: memref<8x11xf32>, %flag: memref<1xi1>, %y: memref<2x11xf32>",
        """%z = arith.constant dense<0.0> : vector<2x11xf32>
           %on = memref.load %flag[%c0] : memref<1xi1>
           %s = scf.for %i = %c0 to %c8 step %c2 iter_args(%a = %z) -> (vector<2x11xf32>) {
             %v = vector.transfer_read %x[%i, %c0], %zero {in_bounds = [true, true]}
                 : memref<8x11xf32>, vector<2x11xf32>
             %b = scf.if %on -> (vector<2x11xf32>) {
               %t = arith.addf %a, %v : vector<2x11xf32>
               scf.yield %t : vector<2x11xf32>
             } else {
               scf.yield %v : vector<2x11xf32>
             }
             scf.yield %b : vector<2x11xf32>
           }
           vector.transfer_write %s, %y[%c0, %c0] {in_bounds = [true, true]}
               : vector<2x11xf32>, memref<2x11xf32>""",
    )
    x, y = filled(8, 11), np.zeros((2, 11), np.float32)
    got = run(source, x, np.array([True]), y)[2]
    np.testing.assert_array_equal(got, ((x[:2] + x[2:4]) + x[4:6]) + x[6:])
    np.testing.assert_array_equal(run(source, x, np.array([False]), y)[2], x[6:])


def asm(source: str, level: str) -> str:
    return llvm.compile_assembly(emit_llvm(parse_module(source)), llvm.target_machine(level))


def streaming(size: int, first: str = "%c0") -> str:
    """Copies rows of a feed to a fetch with non-temporal stores."""
    return job(
        f'%x: memref<64x{size}xf32> {{job.feed = "x"}}, %y: memref<64x{size}xf32> '
        '{job.fetch = "0"}',
        f"""%c64 = arith.constant 64 : index
            scf.for %i = %c0 to %c64 step %c1 {{
              %v = vector.load %x[%i, {first}] : memref<64x{size}xf32>, vector<16xf32>
              vector.store %v, %y[%i, {first}] {{nontemporal = true}}
                  : memref<64x{size}xf32>, vector<16xf32>
            }}""",
    )


def test_aligned_stores_are_nontemporal() -> None:
    """Fetches are aligned to 16 bytes, and so are rows whose length is a multiple of 16 bytes.

    Larger alignment is checked at run time: whole registers if aligned, else parts of 16 bytes.
    """
    text = asm(streaming(32), "x86-64-v3")
    stores = [line.split()[1][1:4] for line in text.splitlines() if "vmovntps" in line]
    assert (sorted(stores), text.count("sfence")) == (["xmm"] * 4 + ["ymm"] * 2, 1)
    assert "movnt" not in asm(streaming(33), "x86-64-v3")
    assert "movnt" not in asm(streaming(32, "%c3"), "x86-64-v3")
    assert "movnt" not in asm(streaming(32).replace("nontemporal = true", ""), "x86-64-v3")


@pytest.mark.parametrize("start", [0, 4])
def test_nontemporal_stores_are_right_at_any_alignment(start: int, run: Run) -> None:
    x = filled(64, 32)
    got = run(streaming(32, f"%c{start}"), x, np.zeros((64, 32), np.float32))[1]
    want = np.zeros_like(x)
    want[:, start : start + 16] = x[:, start : start + 16]
    np.testing.assert_array_equal(got, want)


def test_accesses_that_may_leave_their_buffer_are_refused() -> None:
    source = job(
        "%x: memref<20xf32>, %y: memref<8xf32>",
        """%v = vector.transfer_read %x[%c16], %zero {in_bounds = [false]}
               : memref<20xf32>, vector<8xf32>
           vector.store %v, %y[%c0] : memref<8xf32>, vector<8xf32>""",
    )
    with pytest.raises(IRError, match=r"transfer_read: may access memory beyond its buffer"):
        emit_llvm(parse_module(source))


def test_many_stores_of_single_lanes_are_divided_by_fences_which_are_no_instructions() -> None:
    """LLVM's search for stores to merge takes time by the square of their number."""

    def text(rows: int, lanes: int, level: str) -> str:
        body = f"""%all = vector.transfer_read %from[%c0, %c0], %zero {{in_bounds = [true, true]}}
            : memref<{rows}x{lanes}xf32>, vector<{rows}x{lanes}xf32>
        vector.transfer_write %all, %to[%c0, %c0, %c0] {{in_bounds = [true, true],
            permutation_map = affine_map<(d0, d1, d2) -> (d0, d1)>}}
            : vector<{rows}x{lanes}xf32>, memref<{rows}x{lanes}x9xf32>"""
        arguments = f"""%from: memref<{rows}x{lanes}xf32> {{job.feed = "from"}},
            %to: memref<{rows}x{lanes}x9xf32> {{job.feed = "to"}}"""
        return emit_llvm(parse_module(job(arguments, body, level))).text

    assert "fence" not in text(9, 4, "x86-64-v3")
    for level in LEVELS:
        source = text(9, 16, level)
        assert source.count('fence syncscope("singlethread") seq_cst') == 9
        machine = llvm.target_machine(level)
        assembly = llvm.compile_assembly(LLVMText(source, ()), machine)
        assert re.search(r"\t(mfence|lock)", assembly) is None
