"""`fuse-elementwise`: what fuses with what, what does not, and that results stay the same."""

from __future__ import annotations

import numpy as np
import pytest
from random_parts import parts_of
from tensor_programs import Program, arguments, expected, lowered, same_bits

from penstock.ir.dialects import linalg, math, tensor
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.parsing import parse_module
from penstock.ir.meaning.interpreter import interpret
from penstock.ir.text.printer import print_module
from penstock.ir.verify.verifier import verify
from penstock.passes.analysis import generics
from penstock.passes.fusion.fuse import MOST_INPUTS
from penstock.passes.manager import run_pipeline

FUSE = "lower,fuse-elementwise"


def fused(body: str, arguments: str, results: str, pipeline: str = FUSE) -> Module:
    """A job of tensor ops after fusion."""
    module = parse_module(f"func.func @job({arguments}) -> ({results}) {{\n{body}\n}}")
    run_pipeline(module, pipeline)
    verify(module)
    return module


def ops_of(module: Module) -> list[str]:
    """The origins of each generic of the job."""
    return ["+".join(generics.sources(op)) for op in generic_ops(module)]


def generic_ops(module: Module) -> list[linalg.Generic]:
    return [op for op in module.job.body if isinstance(op, linalg.Generic)]


T = "tensor<4x8xf32>"
ROW = "tensor<8xf32>"


def test_a_chain_becomes_one_loop_with_all_locations() -> None:
    module = fused(
        f"""%0 = "flow.add"(%x, %b) : ({T}, {ROW}) -> {T} loc("train.py":3:0)
        %1 = "flow.relu"(%0) : ({T}) -> {T} loc("train.py":4:0)
        %2 = "flow.multiply"(%1, %x) : ({T}, {T}) -> {T} loc("train.py":5:0)
        return %2 : {T}""",
        f"%x: {T}, %b: {ROW}",
        T,
    )
    (op,) = generic_ops(module)
    assert generics.sources(op) == ["add", "relu", "multiply"]
    assert [str(where) for where in op.location.files()] == [
        '"train.py":3:0', '"train.py":4:0', '"train.py":5:0',
    ]  # fmt: skip
    assert len(op.inputs) == 2, "%x is read once, though two ops read it"
    x = np.random.default_rng(0).standard_normal((4, 8), np.float32)
    b = np.arange(8, dtype=np.float32) - 4
    (got,) = interpret(module, [x, b])
    assert same_bits(got, np.maximum(x + b, 0) * x)


def test_a_value_with_two_readers_is_computed_once() -> None:
    module = fused(
        f"""%0 = "flow.exp"(%x) : ({T}) -> {T}
        %1 = "flow.relu"(%0) : ({T}) -> {T}
        %2 = "flow.negative"(%0) : ({T}) -> {T}
        return %1, %2 : {T}, {T}""",
        f"%x: {T}",
        f"{T}, {T}",
    )
    assert ops_of(module) == ["exp", "relu", "negative"]


def test_a_watched_value_is_not_fused_away() -> None:
    module = fused(
        f"""%0 = "flow.exp"(%x) : ({T}) -> {T}
        "job.watch"(%0) {{name = "e"}} : ({T}) -> ()
        %1 = "flow.relu"(%0) : ({T}) -> {T}
        return %1 : {T}""",
        f"%x: {T}",
        T,
    )
    assert ops_of(module) == ["exp", "relu"]


def test_data_movement_fuses_into_every_reader() -> None:
    turned = "tensor<8x4xf32>"
    module = fused(
        f"""%0 = "flow.transpose"(%x) {{permutation = array<i64: 1, 0>}} : ({T}) -> {turned}
        %1 = "flow.exp"(%0) : ({turned}) -> {turned}
        %2 = "flow.matmul"(%x, %0) : ({T}, {turned}) -> tensor<4x4xf32>
        %3 = "flow.broadcast_to"(%b) {{shape = array<i64: 8, 4>}} : (tensor<4xf32>) -> {turned}
        %4 = "flow.add"(%1, %3) : ({turned}, {turned}) -> {turned}
        return %4, %2 : {turned}, tensor<4x4xf32>""",
        f"%x: {T}, %b: tensor<4xf32>",
        f"{turned}, tensor<4x4xf32>",
    )
    elementwise = next(op for op in generic_ops(module) if "exp" in generics.sources(op))
    assert [str(map) for map in elementwise.indexing_maps] == [
        "(d0, d1) -> (d1, d0)", "(d0, d1) -> (d1)", "(d0, d1) -> (d0, d1)",
    ]  # fmt: skip
    product = next(op for op in generic_ops(module) if "reduction" in op.iterator_types)
    assert [str(map) for map in product.indexing_maps] == [
        "(d0, d1, d2) -> (d0, d2)", "(d0, d1, d2) -> (d1, d2)", "(d0, d1, d2) -> (d0, d1)",
    ]  # fmt: skip


def test_an_elementwise_op_fuses_into_a_reduction() -> None:
    module = fused(
        f"""%0 = "flow.exp"(%x) : ({T}) -> {T}
        %1 = "flow.reduce_sum"(%0) {{axes = array<i64: 1>}} : ({T}) -> tensor<4xf32>
        return %1 : tensor<4xf32>""",
        f"%x: {T}",
        "tensor<4xf32>",
    )
    assert ops_of(module) == ["reduce_sum", "exp+reduce_sum", "reduce_sum"]  # fill, sum, rounding


def test_expensive_ops_are_not_recomputed_for_each_row() -> None:
    def of(name: str) -> list[str]:
        body = f"""%0 = "flow.{name}"(%b) : ({ROW}) -> {ROW}
        %1 = "flow.add"(%x, %0) : ({T}, {ROW}) -> {T}
        return %1 : {T}"""
        return ops_of(fused(body, f"%x: {T}, %b: {ROW}", T))

    assert of("negative") == ["negative+add"]
    assert of("exp") == ["exp", "add"]


def test_a_scalar_fuses_into_every_parallel_reader() -> None:
    scalar = "tensor<f32>"
    module = fused(
        f"""%0 = "flow.negative"(%s) : ({scalar}) -> {scalar}
        %1 = "flow.multiply"(%x, %0) : ({T}, {scalar}) -> {T}
        %2 = "flow.multiply"(%b, %0) : ({ROW}, {scalar}) -> {ROW}
        return %1, %2 : {T}, {ROW}""",
        f"%x: {T}, %b: {ROW}, %s: {scalar}",
        f"{T}, {ROW}",
    )
    assert ops_of(module) == ["negative+multiply", "negative+multiply"]


def test_an_expensive_scalar_is_computed_once() -> None:
    scalar = "tensor<f32>"
    module = fused(
        f"""%0 = "flow.exp"(%s) : ({scalar}) -> {scalar}
        %1 = "flow.multiply"(%x, %0) : ({T}, {scalar}) -> {T}
        %2 = "flow.multiply"(%b, %0) : ({ROW}, {scalar}) -> {ROW}
        return %1, %2 : {T}, {ROW}""",
        f"%x: {T}, %b: {ROW}, %s: {scalar}",
        f"{T}, {ROW}",
    )
    assert ops_of(module) == ["exp", "multiply", "multiply"]


def test_splat_constants_become_scalars_in_the_body() -> None:
    module = fused(
        f"""%c = arith.constant dense<-1.5> : {T}
        %e = tensor.empty() : {T}
        %0 = linalg.generic {{indexing_maps = [affine_map<(i, j) -> (i, j)>,
            affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
            iterator_types = ["parallel", "parallel"]}} ins(%x, %c : {T}, {T}) outs(%e : {T}) {{
        ^bb0(%a: f32, %b: f32, %o: f32):
          %s = arith.addf %a, %b : f32
          linalg.yield %s : f32
        }} -> {T}
        return %0 : {T}""",
        f"%x: {T}",
        T,
        "fuse-elementwise",
    )
    (op,) = generic_ops(module)
    assert len(op.inputs) == 1
    x = np.ones((4, 8), np.float32)
    assert (interpret(module, [x])[0] == -0.5).all()


def test_linalg_index_follows_the_composed_map() -> None:
    """The producer's row and column are twice the consumer's column and its row."""
    module = fused(
        """%e = tensor.empty() : tensor<7x3xi64>
        %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>],
            iterator_types = ["parallel", "parallel"]} outs(%e : tensor<7x3xi64>) {
        ^bb0(%o: i64):
          %i = linalg.index 0 : index
          %j = linalg.index 1 : index
          %ten = arith.constant 10 : index
          %t = arith.muli %i, %ten : index
          %s = arith.addi %t, %j : index
          %v = arith.index_cast %s : index to i64
          linalg.yield %v : i64
        } -> tensor<7x3xi64>
        %e2 = tensor.empty() : tensor<3x4xi64>
        %1 = linalg.generic {indexing_maps = [
            affine_map<(i, j) -> (j * 2, i)>, affine_map<(i, j) -> (i, j)>],
            iterator_types = ["parallel", "parallel"]}
            ins(%0 : tensor<7x3xi64>) outs(%e2 : tensor<3x4xi64>) {
        ^bb0(%a: i64, %o: i64):
          %k = linalg.index 1 : index
          %l = arith.index_cast %k : index to i64
          %m = arith.muli %a, %l : i64
          linalg.yield %m : i64
        } -> tensor<3x4xi64>
        return %1 : tensor<3x4xi64>""",
        "",
        "tensor<3x4xi64>",
        "fuse-elementwise",
    )
    (op,) = generic_ops(module)
    assert not op.inputs
    i, j = np.mgrid[:3, :4]
    assert (interpret(module, [])[0] == (j * 2 * 10 + i) * j).all()


def test_the_operand_that_defines_an_extent_is_kept() -> None:
    """Only the filled tensor has the extent of the reduction."""
    module = fused(
        """%e = tensor.empty() : tensor<5xf32>
        %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>],
            iterator_types = ["parallel"]} outs(%e : tensor<5xf32>) {
        ^bb0(%o: f32):
          %one = arith.constant 1.0 : f32
          linalg.yield %one : f32
        } -> tensor<5xf32>
        %1 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>],
            iterator_types = ["reduction"]} ins(%0 : tensor<5xf32>) outs(%z : tensor<f32>) {
        ^bb0(%a: f32, %o: f32):
          %s = arith.addf %o, %a : f32
          linalg.yield %s : f32
        } -> tensor<f32>
        return %1 : tensor<f32>""",
        "%z: tensor<f32>",
        "tensor<f32>",
        "fuse-elementwise",
    )
    assert len(generic_ops(module)) == 2
    assert interpret(module, [np.float32(1)])[0] == 6


def test_a_body_that_reads_its_output_is_not_fused() -> None:
    module = fused(
        f"""%0 = linalg.generic {{indexing_maps = [affine_map<(i) -> (i)>,
            affine_map<(i) -> (i)>], iterator_types = ["parallel"]}}
            ins(%b : {ROW}) outs(%c : {ROW}) {{
        ^bb0(%a: f32, %o: f32):
          %s = arith.addf %a, %o : f32
          linalg.yield %s : f32
        }} -> {ROW}
        %1 = "flow.relu"(%0) : ({ROW}) -> {ROW}
        return %1 : {ROW}""",
        f"%b: {ROW}, %c: {ROW}",
        ROW,
    )
    assert len(generic_ops(module)) == 2


def test_unused_empty_tensors_and_constants_are_removed() -> None:
    module = fused(
        f"""%0 = "flow.exp"(%x) : ({T}) -> {T}
        %1 = "flow.relu"(%0) : ({T}) -> {T}
        return %1 : {T}""",
        f"%x: {T}",
        T,
    )
    assert sum(isinstance(op, tensor.Empty) for op in module.job.body) == 1
    assert sum(isinstance(op, math.Exp) for op in module.walk()) == 1


def test_fuel_stops_fusion() -> None:
    module = parse_module(
        f"""func.func @job(%x: {T}) -> {T} {{
        %0 = "flow.exp"(%x) : ({T}) -> {T}
        %1 = "flow.relu"(%0) : ({T}) -> {T}
        %2 = "flow.negative"(%1) : ({T}) -> {T}
        return %2 : {T}
        }}"""
    )
    run_pipeline(module, "lower")
    run_pipeline(module, "fuse-elementwise", fuel=1)
    assert ops_of(module) == ["exp+relu", "negative"]


@pytest.mark.parametrize("start", parts_of(200, 50))
def test_random_jobs_are_bit_exact(start: int) -> None:
    merged = 0
    for seed in range(start, start + 50):
        module = lowered(Program(seed).written(4 + seed % 17), "lower,canonicalize,cse")
        arrays = arguments(module, seed)
        after = lowered(module, "fuse-elementwise")
        verify(after)
        merged += len(generic_ops(module)) - len(generic_ops(after))
        (before_named, before_watched), (named, watched) = (
            expected(module, arrays),
            expected(after, arrays),
        )
        assert all(same_bits(before_named[name], named[name]) for name in before_named)
        for (name, one), (other, two) in zip(before_watched, watched, strict=True):
            assert name == other
            assert same_bits(one, two)
    assert merged > 25


def test_fusion_is_deterministic() -> None:
    texts = {print_module(lowered(Program(seed).written(15), FUSE)) for seed in (3, 3)}
    assert len(texts) == 1


W = "tensor<3x8xf32>"
PRODUCT = f'%m = "flow.matmul"(%s, %w) {{transpose_b = true}} : ({T}, {W}) -> tensor<4x3xf32>'


@pytest.mark.parametrize(
    ("line", "ops"),
    [
        (f'%s = "flow.multiply"(%x, %b) : ({T}, {ROW}) -> {T}', 2),
        (f'%s = "flow.slice"(%y) {{starts = array<i64: 0, 1>, sizes = array<i64: 4, 8>, '
         f"steps = array<i64: 1, 1>}} : (tensor<4x9xf32>) -> {T}", 2),
        (f'%s = "flow.transpose"(%z) {{permutation = array<i64: 1, 0>}} : (tensor<8x4xf32>) -> {T}',
         1),
    ],
    ids=["computed", "elsewhere", "moved"],
)  # fmt: skip
def test_producers_fused_into_a_contraction(line: str, ops: int) -> None:
    module = fused(
        f"{line}\n{PRODUCT}\nreturn %m : tensor<4x3xf32>",
        f"%x: {T}, %y: tensor<4x9xf32>, %z: tensor<8x4xf32>, %b: {ROW}, %w: {W}",
        "tensor<4x3xf32>",
    )
    found = [op for op in generic_ops(module) if not generics.fill_constant(op)]
    assert len(found) == ops
    assert generics.is_contraction(found[-1])


def test_bodies_stay_below_the_limit_of_arrays() -> None:
    count = 3 * MOST_INPUTS
    names = [f"%x{i}" for i in range(count)]
    lines = [f'%0 = "flow.exp"(%x0) : ({T}) -> {T}']
    lines += [f'%{i} = "flow.add"(%{i - 1}, %x{i}) : ({T}, {T}) -> {T}' for i in range(1, count)]
    lines.append(f"return %{count - 1} : {T}")
    module = fused("\n".join(lines), ", ".join(f"{name}: {T}" for name in names), T)
    reads = [len(op.inputs) for op in generic_ops(module)]
    assert max(reads) == MOST_INPUTS
    assert len(reads) == 4
    arrays = [np.full((4, 8), i / count, np.float32) for i in range(count)]
    want = np.exp(arrays[0])
    for array in arrays[1:]:
        want = want + array
    assert same_bits(interpret(module, arrays)[0], want)


CONCAT = """%c = "flow.concat"(%x, %y) {axis = 0 : i64}
    : (tensor<4x8xf32>, tensor<3x8xf32>) -> tensor<7x8xf32>"""


@pytest.mark.parametrize(
    ("lines", "ops"),
    [
        ('%r = "flow.relu"(%c) : (tensor<7x8xf32>) -> tensor<7x8xf32>', ["concat+relu"] * 2),
        ("""%n = "flow.reduce_max"(%x) {axes = array<i64: 0, 1>} : (tensor<4x8xf32>) -> tensor<f32>
        %d = "flow.multiply"(%c, %n) : (tensor<7x8xf32>, tensor<f32>) -> tensor<7x8xf32>
        %r = "flow.relu"(%d) : (tensor<7x8xf32>) -> tensor<7x8xf32>""",
         ["reduce_max", "concat+multiply+relu", "concat+multiply+relu"]),
        ("""%r = "flow.add"(%c, %z) : (tensor<7x8xf32>, tensor<7x8xf32>) -> tensor<7x8xf32>""",
         ["concat", "concat", "add"]),
        ("""%n = "flow.negative"(%c) : (tensor<7x8xf32>) -> tensor<7x8xf32>
        %m = "flow.reduce_max"(%c) {axes = array<i64: 0, 1>} : (tensor<7x8xf32>) -> tensor<f32>
        %r = "flow.add"(%n, %m) : (tensor<7x8xf32>, tensor<f32>) -> tensor<7x8xf32>""",
         ["concat", "concat", "reduce_max", "negative+add"]),
    ],
)  # fmt: skip
def test_elementwise_ops_on_concatenated_parts(lines: str, ops: list[str]) -> None:
    arguments = "%x: tensor<4x8xf32>, %y: tensor<3x8xf32>, %z: tensor<7x8xf32>"
    body = f"{CONCAT}\n{lines}\nreturn %r : tensor<7x8xf32>"
    module = fused(body, arguments, "tensor<7x8xf32>")
    found = [name for name, op in zip(ops_of(module), generic_ops(module), strict=True)
             if not generics.fill_constant(op)]  # fmt: skip
    assert found == ops
    plain = fused(body, arguments, "tensor<7x8xf32>", "lower")
    random = np.random.default_rng(0)
    arrays = [random.standard_normal((rows, 8), np.float32) for rows in (4, 3, 7)]
    assert same_bits(interpret(module, arrays)[0], interpret(plain, arrays)[0])
