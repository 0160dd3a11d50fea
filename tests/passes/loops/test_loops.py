"""Generics lowered to loops: every schedule is bit-identical to the definition."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import numpy as np
import pytest
from loops_interpreter import run_job
from mlir_runner import needs_mlir, run_buffers, run_tensors
from tensor_programs import lowered, same_bits

from penstock.ir import types as ty
from penstock.ir.dialects import arith, linalg, memref, scf
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.parsing import parse_module
from penstock.ir.meaning.interpreter import interpret
from penstock.ir.text.printer import print_module
from penstock.ir.verify.verifier import verify
from penstock.passes.loops import schedule
from penstock.passes.loops.schedule import Loop
from penstock.passes.manager import run_pipeline

Array = np.ndarray[Any, Any]
LOOPS = "outline-groups,bufferize"


@pytest.fixture(params=["as it is", "small"])
def tiles(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """With small constants, small tensors take every path: tiles, remainders, unrolled
    iterations.
    """
    if request.param == "small":
        small = {"ROWS": 2, "DEPTH": 3, "LONG": 10, "SQUARE": 2}
        for name, value in small.items():
            monkeypatch.setattr(schedule, name, value)
    return str(request.param)


def with_names(module: Module) -> Module:
    """The job with all arguments fed and all results fetched."""
    job = module.job
    for i in range(len(job.arguments)):
        job.set_argument_attributes(i, {"job.feed": f"a{i}"})
    for i in range(len(job.type.results)):
        job.set_result_attributes(i, {"job.fetch": str(i)})
    return module


def check(module: Module, *arrays: Array) -> Module:
    """The module at stage `loops`, after comparing its results with the interpreter's."""
    wanted = interpret(module, arrays)
    lowered_module = lowered(with_names(module), LOOPS)
    verify(lowered_module)
    got = run_job(lowered_module, {f"a{i}": array for i, array in enumerate(arrays)})
    for i, array in enumerate(wanted):
        assert same_bits(got[str(i)], array), print_module(lowered_module)
    return lowered_module


def job_of(text: str) -> Module:
    module = parse_module(text)
    run_pipeline(module, "lower")
    return module


def normal(*shape: int, seed: int = 0) -> Array:
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


def generic_job(
    inputs: Sequence[tuple[str, str]], output: tuple[str, str], kinds: str, body: str, start: str
) -> Module:
    """A job of one generic: (type, map) for each operand; `start` fills the output."""
    arguments = ", ".join(f"%a{i}: {type}" for i, (type, _) in enumerate(inputs))
    maps = ", ".join(f"affine_map<{map}>" for _, map in (*inputs, output))
    rank = output[0].count("x")
    dims = ", ".join(f"d{i}" for i in range(rank))
    names = ", ".join(f"%x{i}: f32" for i in range(len(inputs)))
    words = ", ".join('"parallel"' if kind == "p" else '"reduction"' for kind in kinds)
    parallel = ", ".join(['"parallel"'] * rank)
    return parse_module(
        f"""func.func @job({arguments}) -> {output[0]} {{
      %e = tensor.empty() : {output[0]}
      %f = linalg.generic {{indexing_maps = [affine_map<({dims}) -> ({dims})>],
          iterator_types = [{parallel}]}} outs(%e : {output[0]}) {{
      ^bb0(%o: f32):
        %c = arith.constant {start} : f32
        linalg.yield %c : f32
      }} -> {output[0]}
      %r = linalg.generic {{indexing_maps = [{maps}], iterator_types = [{words}]}}
          ins({", ".join(f"%a{i}" for i in range(len(inputs)))} :
              {", ".join(type for type, _ in inputs)}) outs(%f : {output[0]}) {{
      ^bb0({names}, %acc: f32):
        {body}
        linalg.yield %r : f32
      }} -> {output[0]}
      return %r : {output[0]}
    }}"""
    )


FMA = "%r = math.fma %x0, %x1, %acc : f32"


# -- shapes -------------------------------------------------------------------------------------


@pytest.mark.parametrize("turned", [(False, False), (False, True), (True, False), (True, True)])
@pytest.mark.parametrize(
    "shape",
    [(4, 4, 4), (5, 7, 9), (1, 6, 5), (6, 1, 5), (6, 5, 1), (10, 3, 8), (2, 2, 2), (9, 8, 7)],
)
def test_matmuls(tiles: str, shape: tuple[int, int, int], turned: tuple[bool, bool]) -> None:
    m, n, k = shape
    a = (k, m) if turned[0] else (m, k)
    b = (n, k) if turned[1] else (k, n)
    words = [str(flag).lower() for flag in turned]
    x, y, z = (f"tensor<{p}x{q}xf32>" for p, q in (a, b, (m, n)))
    module = job_of(
        f"""func.func @job(%a: {x}, %b: {y}) -> {z} {{
        %c = "flow.matmul"(%a, %b) {{transpose_a = {words[0]}, transpose_b = {words[1]}}}
            : ({x}, {y}) -> {z}
        return %c : {z}
        }}"""
    )
    check(module, normal(*a), normal(*b, seed=1))


@pytest.mark.parametrize("axes", [(0,), (1,), (2,), (0, 1), (0, 2), (1, 2), (0, 1, 2)])
@pytest.mark.parametrize("name", ["reduce_sum", "reduce_max"])
@pytest.mark.parametrize("shape", [(3, 4, 5), (1, 5, 1), (6, 1, 7)])
def test_reductions(tiles: str, shape: Sequence[int], axes: Sequence[int], name: str) -> None:
    check_reduction(shape, axes, name)


@pytest.mark.parametrize("shape", [(0, 3), (3, 0), (0, 0)])
@pytest.mark.parametrize("axes", [(0,), (1,), (0, 1)])
def test_sums_of_no_elements(tiles: str, shape: Sequence[int], axes: Sequence[int]) -> None:
    check_reduction(shape, axes, "reduce_sum")


def check_reduction(shape: Sequence[int], axes: Sequence[int], name: str) -> None:
    kept = [extent for axis, extent in enumerate(shape) if axis not in axes]
    x = f"tensor<{'x'.join(map(str, shape))}xf32>"
    y = f"tensor<{''.join(f'{n}x' for n in kept)}f32>"
    module = job_of(
        f"""func.func @job(%x: {x}) -> {y} {{
        %y = "flow.{name}"(%x) {{axes = array<i64: {", ".join(map(str, axes))}>}} : ({x}) -> {y}
        return %y : {y}
        }}"""
    )
    check(module, normal(*shape))


def test_matmuls_of_no_elements(tiles: str) -> None:
    module = job_of(
        """func.func @job(%a: tensor<3x0xf32>, %b: tensor<0x2xf32>) -> tensor<3x2xf32> {
        %c = "flow.matmul"(%a, %b) : (tensor<3x0xf32>, tensor<0x2xf32>) -> tensor<3x2xf32>
        return %c : tensor<3x2xf32>
        }"""
    )
    check(module, normal(3, 0), normal(0, 2))


def test_transposes_and_scalars(tiles: str) -> None:
    module = job_of(
        """func.func @job(%x: tensor<5x7xf32>, %s: tensor<f32>) -> (tensor<7x5xf32>, tensor<f32>) {
        %t = "flow.transpose"(%x) {permutation = array<i64: 1, 0>}
            : (tensor<5x7xf32>) -> tensor<7x5xf32>
        %y = "flow.add"(%t, %s) : (tensor<7x5xf32>, tensor<f32>) -> tensor<7x5xf32>
        %n = "flow.negative"(%s) : (tensor<f32>) -> tensor<f32>
        return %y, %n : tensor<7x5xf32>, tensor<f32>
        }"""
    )
    run_pipeline(module, "fuse-elementwise")
    check(module, normal(5, 7), np.float32(2.5))


def test_two_results_of_one_loop(tiles: str) -> None:
    module = job_of(
        """func.func @job(%x: tensor<5x6xf32>) -> (tensor<6xi32>, tensor<5xi32>) {
        %i = "flow.argmax"(%x) {axis = 0 : i64} : (tensor<5x6xf32>) -> tensor<6xi32>
        %j = "flow.argmax"(%x) {axis = 1 : i64} : (tensor<5x6xf32>) -> tensor<5xi32>
        return %i, %j : tensor<6xi32>, tensor<5xi32>
        }"""
    )
    x = normal(5, 6)
    x[2, 3] = np.nan
    check(module, x)


def test_a_loaded_value_is_not_reused_after_its_buffer_is_overwritten(tiles: str) -> None:
    """%u overwrites %t, which was loaded for %a."""
    x, s = "tensor<4x3xf32>", "tensor<f32>"
    module = job_of(
        f"""func.func @job(%x: {x}) -> ({s}, {s}, {s}) {{
        %t = "flow.reduce_max"(%x) {{axes = array<i64: 0, 1>}} : ({x}) -> {s}
        %a = "flow.negative"(%t) : ({s}) -> {s}
        %u = "flow.square"(%t) : ({s}) -> {s}
        %b = "flow.abs"(%u) : ({s}) -> {s}
        return %a, %u, %b : {s}, {s}, {s}
        }}"""
    )
    lowered_module = check(module, normal(4, 3))
    (group,) = (f for f in lowered_module.functions() if f is not lowered_module.job)
    assert len(group.arguments) == 4, "the maximum has no workspace"


# -- maps that are more than projections ----------------------------------------------------------


def test_windows(tiles: str) -> None:
    """A maximum over 2 x 2 windows; the second operand only gives the window's shape."""
    module = generic_job(
        [
            ("tensor<2x6x8xf32>", "(c, y, x, r, s) -> (c, y * 2 + r, x * 2 + s)"),
            ("tensor<2x2xf32>", "(c, y, x, r, s) -> (r, s)"),
        ],
        ("tensor<2x3x4xf32>", "(c, y, x, r, s) -> (c, y, x)"),
        "ppprr",
        "%r = arith.maximumf %acc, %x0 : f32",
        "0xFF800000",
    )
    lowered_module = check(module, normal(2, 6, 8), normal(2, 2))
    group = next(f for f in lowered_module.functions() if f is not lowered_module.job)
    assert len(group.arguments) == 2, "what only gives a shape is not passed"


def test_convolution(tiles: str) -> None:
    module = generic_job(
        [
            ("tensor<1x3x6x7xf32>", "(n, f, y, x, c, r, s) -> (n, c, y + r, x + s)"),
            ("tensor<4x3x2x3xf32>", "(n, f, y, x, c, r, s) -> (f, c, r, s)"),
        ],
        ("tensor<1x4x5x5xf32>", "(n, f, y, x, c, r, s) -> (n, f, y, x)"),
        "pppprrr",
        FMA,
        "0.0",
    )
    check(module, normal(1, 3, 6, 7), normal(4, 3, 2, 3))


def test_the_gradient_of_a_convolution_writes_windows(tiles: str) -> None:
    module = generic_job(
        [
            ("tensor<2x3x4xf32>", "(f, y, x, c, r, s) -> (f, y, x)"),
            ("tensor<2x2x2x2xf32>", "(f, y, x, c, r, s) -> (f, c, r, s)"),
        ],
        ("tensor<2x7x9xf32>", "(f, y, x, c, r, s) -> (c, y * 2 + r, x * 2 + s)"),
        "rrrprr",
        FMA,
        "0.5",
    )
    check(module, normal(2, 3, 4), normal(2, 2, 2, 2))


def test_the_rest_of_a_partly_written_output_is_kept(tiles: str) -> None:
    """Rows 1 and 2, then 3 and 4 are written; row 0 stays."""

    def part(source: str, target: str, row: int) -> str:
        return f"""linalg.generic {{
            indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i + {row}, j)>],
            iterator_types = ["parallel", "parallel"]}}
            ins(%{source} : tensor<2x4xf32>) outs(%{target} : tensor<5x4xf32>) {{
          ^bb0(%a: f32, %o: f32):
            linalg.yield %a : f32
          }} -> tensor<5x4xf32>"""

    module = parse_module(
        f"""func.func @job(%x: tensor<2x4xf32>, %y: tensor<2x4xf32>, %z: tensor<5x4xf32>)
            -> tensor<5x4xf32> {{
          %0 = {part("x", "z", 1)}
          %1 = {part("y", "0", 3)}
          return %1 : tensor<5x4xf32>
        }}"""
    )
    x, y, z = normal(2, 4), normal(2, 4, seed=1), normal(5, 4, seed=2)
    check(module, x, y, z)
    assert same_bits(interpret(module, [x, y, z])[0], np.concatenate([z[:1], x, y]))


@pytest.mark.parametrize("rows", ["i + 3", "i * 2 + 1", "i * -2 + 38"])
def test_part_of_an_output_vectorised_across_short_rows(rows: str) -> None:
    """Rows have two elements, so vectors run down the columns, with strided stores."""
    module = generic_job(
        [("tensor<20x2xf32>", "(i, j) -> (i, j)")],
        ("tensor<48x2xf32>", f"(i, j) -> ({rows}, j)"),
        "pp",
        "%r = math.exp %x0 : f32",
        "0.5",
    )
    lowered_module = check(module, normal(20, 2))
    assert "vector<" in print_module(lowered_module)


def test_an_output_that_accumulates_onto_an_argument(tiles: str) -> None:
    """A matmul is added to an argument, which is copied, not overwritten."""
    module = parse_module(
        """func.func @job(%a: tensor<3x4xf32>, %b: tensor<4x5xf32>, %c: tensor<3x5xf32>)
            -> (tensor<3x5xf32>, tensor<3x5xf32>) {
          %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>,
              affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
              iterator_types = ["parallel", "parallel", "reduction"]}
              ins(%a, %b : tensor<3x4xf32>, tensor<4x5xf32>) outs(%c : tensor<3x5xf32>) {
          ^bb0(%x: f32, %y: f32, %z: f32):
            %f = math.fma %x, %y, %z : f32
            linalg.yield %f : f32
          } -> tensor<3x5xf32>
          return %r, %c : tensor<3x5xf32>, tensor<3x5xf32>
        }"""
    )
    check(module, normal(3, 4), normal(4, 5, seed=1), normal(3, 5, seed=2))


# -- schedules ------------------------------------------------------------------------------------


def only_generic(text: str) -> linalg.Generic:
    ops = [op for op in job_of(text).job.body if isinstance(op, linalg.Generic)]
    return ops[-1]


def product(m: int, n: int, k: int, turned: bool) -> linalg.Generic:
    b = (n, k) if turned else (k, n)
    x, y, z = (f"tensor<{p}x{q}xf32>" for p, q in ((m, k), b, (m, n)))
    return only_generic(
        f"""func.func @job(%a: {x}, %b: {y}) -> {z} {{
        %c = "flow.matmul"(%a, %b) {{transpose_b = {str(turned).lower()}}} : ({x}, {y}) -> {z}
        return %c : {z}
        }}"""
    )


def test_a_matmul_streams_rows_and_unrolls_four() -> None:
    assert schedule.schedule(product(8, 16, 8, False)) == [Loop(0, 4), Loop(2, 2), Loop(1)]


def test_the_unroll_factor_divides_the_rows() -> None:
    assert [loop.unroll for loop in schedule.schedule(product(10, 16, 9, False))] == [5, 3, 1]
    assert [loop.unroll for loop in schedule.schedule(product(7, 16, 7, False))] == [4, 2, 1]


def test_few_columns_are_whole_vectors_and_a_remainder() -> None:
    assert schedule.schedule(product(8, 10, 8, False))[-1] == Loop(1, cut=8)
    assert schedule.schedule(product(8, 7, 8, False))[-1] == Loop(1, cut=4)
    assert schedule.schedule(product(8, 8, 8, False))[-1] == Loop(1)
    assert schedule.schedule(product(8, 17, 8, False))[-1] == Loop(1)


def test_a_sum_along_rows_is_in_registers_and_one_along_columns_in_memory() -> None:
    def of(axis: int) -> linalg.Generic:
        x, y = "tensor<8x12xf64>", f"tensor<{(12, 8)[axis]}xf64>"
        return only_generic(
            f"""func.func @job(%x: {x}) -> {y} {{
            %y = "flow.reduce_sum"(%x) {{axes = array<i64: {axis}>}} : ({x}) -> {y}
            return %y : {y}
            }}"""
        )

    assert schedule.schedule(of(1)) == [Loop(0, 4), Loop(1)]
    assert schedule.schedule(of(0)) == [Loop(0, 2), Loop(1)]


def test_the_packed_copy_is_scratch_and_the_fill_is_merged() -> None:
    x, w, y = "tensor<8x8xf32>", "tensor<16x8xf32>", "tensor<8x16xf32>"
    module = job_of(
        f"""func.func @job(%x: {x}, %w: {w}) -> {y} {{
        %y = "flow.matmul"(%x, %w) {{transpose_b = true}} : ({x}, {w}) -> {y}
        return %y : {y}
        }}"""
    )
    lowered_module = check(module, normal(8, 8), normal(16, 8))
    group = next(f for f in lowered_module.functions() if f is not lowered_module.job)
    shapes = [cast(ty.MemRefType, a.type).shape for a in group.arguments]
    assert shapes == [(8, 8), (16, 8), (8, 16)], "inputs and result"
    scratch = [op.result.type for op in group.walk() if isinstance(op, memref.Alloca)]
    assert [cast(ty.MemRefType, type).shape for type in scratch] == [(1, 8, 16)], "a panel"
    stores = [op for op in lowered_module.walk() if isinstance(op, memref.Store)]
    assert not stores, "whole vectors are stored"


def test_loop_invariant_code_is_hoisted() -> None:
    x, s = "tensor<6x8xf32>", "tensor<f32>"
    module = job_of(
        f"""func.func @job(%x: {x}, %s: {s}, %b: tensor<6x1xf32>) -> {x} {{
        %t = "flow.negative"(%s) : ({s}) -> {s}
        %y = "flow.multiply"(%x, %t) : ({x}, {s}) -> {x}
        %z = "flow.add"(%y, %b) : ({x}, tensor<6x1xf32>) -> {x}
        return %z : {x}
        }}"""
    )
    run_pipeline(module, "fuse-elementwise")
    lowered_module = check(module, normal(6, 8), np.float32(3), normal(6, 1))
    group = next(f for f in lowered_module.functions() if f is not lowered_module.job)
    rows = next(op for op in group.body if isinstance(op, scf.For))
    assert [op.name for op in rows.body] == [
        "vector.load", "memref.load", "arith.mulf", "vector.broadcast", "arith.addf",
        "vector.store", "scf.yield",
    ]  # fmt: skip
    before = [op.name for op in group.body if op is not rows and not isinstance(op, arith.Constant)]
    assert before == ["memref.load", "arith.negf", "vector.broadcast", "func.return"]


# -- against MLIR ---------------------------------------------------------------------------------


@needs_mlir
def test_bits_are_those_of_mlirs_own_loops() -> None:
    """A layer and its update, large enough for every tile and remainder."""
    module = job_of(
        """func.func @job(%x: tensor<30x150xf32>, %w: tensor<70x150xf32>, %b: tensor<70xf32>)
            -> (tensor<30x70xf32>, tensor<70x150xf32>, tensor<70xf32>) {
        %m = "flow.matmul"(%x, %w) {transpose_b = true}
            : (tensor<30x150xf32>, tensor<70x150xf32>) -> tensor<30x70xf32>
        %a = "flow.add"(%m, %b) : (tensor<30x70xf32>, tensor<70xf32>) -> tensor<30x70xf32>
        %h = "flow.relu"(%a) : (tensor<30x70xf32>) -> tensor<30x70xf32>
        %g = "flow.matmul"(%h, %x) {transpose_a = true}
            : (tensor<30x70xf32>, tensor<30x150xf32>) -> tensor<70x150xf32>
        %n = "flow.subtract"(%w, %g)
            : (tensor<70x150xf32>, tensor<70x150xf32>) -> tensor<70x150xf32>
        %s = "flow.reduce_sum"(%h) {axes = array<i64: 0>} : (tensor<30x70xf32>) -> tensor<70xf32>
        return %h, %n, %s : tensor<30x70xf32>, tensor<70x150xf32>, tensor<70xf32>
        }"""
    )
    run_pipeline(module, "fuse-elementwise,outline-groups")
    arrays = [normal(30, 150), normal(70, 150, seed=1), normal(70, seed=2)]
    theirs = run_tensors(module, *arrays)
    lowered_module = lowered(with_names(module), "bufferize")
    size = lowered_module.job.argument_attributes(0)["job.arena"]
    arena = np.full(cast(Any, size).value, -1, np.int8)
    fetched = [np.zeros_like(array) for array in theirs]
    ours = run_buffers(lowered_module, arena, *arrays, *fetched)[4:]
    assert all(same_bits(one, other) for one, other in zip(ours, theirs, strict=True))
