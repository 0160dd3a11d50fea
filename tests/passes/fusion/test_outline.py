"""`outline-groups`: which ops form a group, which groups share a function, what stays in the
job."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from random_parts import parts_of
from tensor_programs import FUSED, SHAPES, Program, arguments, expected, lowered, same_bits

from penstock.ir.dialects import func, job, linalg, tensor
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.parsing import parse_module
from penstock.ir.meaning.interpreter import interpret
from penstock.ir.text.printer import print_module
from penstock.ir.verify.verifier import verify
from penstock.passes.analysis import generics
from penstock.passes.fusion import grouping
from penstock.passes.manager import run_pipeline

SQUARE = ((3, 3), (3,))
"""Few shapes, so that groups are equal."""
OUTLINE = "lower,fuse-elementwise,outline-groups"
X = "tensor<4x8xf32>"
W = "tensor<3x8xf32>"
Y = "tensor<4x3xf32>"
ROW = "tensor<3xf32>"


def outlined(body: str, arguments: str, results: str, pipeline: str = OUTLINE) -> Module:
    """A job of tensor ops whose groups are functions."""
    module = parse_module(f"func.func @job({arguments}) -> ({results}) {{\n{body}\n}}")
    run_pipeline(module, pipeline)
    verify(module)
    return module


def calls(module: Module) -> list[str]:
    return [op.callee for op in module.job.body if isinstance(op, func.Call)]


def groups(module: Module) -> list[str]:
    return [f.sym_name for f in module.functions() if f is not module.job]


def members(module: Module, name: str) -> list[str]:
    """The origins of each generic of a group."""
    body = module.function(name).body
    return ["+".join(generics.sources(op)) for op in body if isinstance(op, linalg.Generic)]


DENSE = f"""%m = "flow.matmul"(%x, %w) {{transpose_b = true}} : ({X}, {W}) -> {Y}
    %a = "flow.add"(%m, %b) : ({Y}, {ROW}) -> {Y}
    %r = "flow.relu"(%a) : ({Y}) -> {Y}"""
DENSE_ARGUMENTS = f"%x: {X}, %w: {W}, %b: {ROW}"


def test_a_contraction_takes_its_epilogue() -> None:
    module = outlined(f"{DENSE}\nreturn %r : {Y}", DENSE_ARGUMENTS, Y)
    assert calls(module) == ["matmul_add_relu_0"]
    assert members(module, "matmul_add_relu_0") == ["matmul", "matmul", "add+relu"]
    left = [type(op) for op in module.job.body]
    assert left == [func.Call, func.Return], "empties, numbers and fills moved inside"
    assert module.function("matmul_add_relu_0").sym_visibility == "private"


def test_values_with_other_readers_are_results() -> None:
    body = f"""{DENSE}
    "job.watch"(%m) {{name = "m"}} : ({Y}) -> ()
    %s = "flow.reduce_sum"(%a) {{axes = array<i64: 0>}} : ({Y}) -> {ROW}
    return %r, %s : {Y}, {ROW}"""
    module = outlined(body, DENSE_ARGUMENTS, f"{Y}, {ROW}")
    assert calls(module) == ["matmul_add_relu_0", "reduce_sum_0"]
    dense, watch, total = list(module.job.body)[:3]
    assert [r.type for r in dense.results] == [v.type for v in dense.results]
    assert len(dense.results) == 3, "the product, the sum and the outcome"
    assert isinstance(watch, job.Watch)
    assert watch.value is dense.results[0]
    assert list(total.operands) == [dense.results[1]]


def test_a_group_waits_for_what_its_last_op_needs() -> None:
    """The second matmul needs only the first one; the first one's epilogue needs the second."""
    body = f"""%m = "flow.matmul"(%x, %w) {{transpose_b = true}} : ({X}, {W}) -> {Y}
    %n = "flow.matmul"(%x, %v) {{transpose_b = true}} : ({X}, {W}) -> {Y}
    %s = "flow.add"(%m, %n) : ({Y}, {Y}) -> {Y}
    return %s : {Y}"""
    module = outlined(body, f"%x: {X}, %w: {W}, %v: {W}", Y)
    first, second = (op for op in module.job.body if isinstance(op, func.Call))
    assert members(module, second.callee) == ["matmul", "matmul", "add"]
    assert first.results[0] in second.operands


def test_no_group_depends_on_itself() -> None:
    """%s reads %m elementwise, but also %t, which another group computes from %m."""
    body = f"""%m = "flow.matmul"(%x, %w) {{transpose_b = true}} : ({X}, {W}) -> {Y}
    %t = "flow.reduce_sum"(%m) {{axes = array<i64: 0>}} : ({Y}) -> {ROW}
    %s = "flow.add"(%m, %t) : ({Y}, {ROW}) -> {Y}
    return %s : {Y}"""
    module = outlined(body, f"%x: {X}, %w: {W}", Y)
    assert calls(module) == ["matmul_0", "reduce_sum_add_0"]


def test_groups_read_by_one_op_merge_only_if_nothing_runs_in_between() -> None:
    """%s reads %a, %b and %n; %n reads %a through a view, so %a and %b cannot merge."""
    one, four = "tensor<1xf32>", "tensor<4xf32>"
    body = f"""%a = "flow.exp"(%x) : (tensor<1xf32>) -> tensor<1xf32>
    %v = "flow.reshape"(%a) {{shape = array<i64>}} : (tensor<1xf32>) -> tensor<f32>
    %m = "flow.add"(%w, %v) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
    %n = "flow.reduce_max"(%m) {{axes = array<i64: 0>, keepdims = true}} : ({four}) -> {one}
    %o = "flow.reshape"(%n) {{shape = array<i64>}} : (tensor<1xf32>) -> tensor<f32>
    %b = "flow.exp"(%y) : (tensor<1xf32>) -> tensor<1xf32>
    %s = "job.sgd"(%a, %b, %o) : (tensor<1xf32>, tensor<1xf32>, tensor<f32>) -> tensor<1xf32>
    return %s : tensor<1xf32>"""
    arguments = "%x: tensor<1xf32>, %y: tensor<1xf32>, %w: tensor<4xf32>"
    module = outlined(body, arguments, "tensor<1xf32>")
    assert len(calls(module)) == 3


def test_merged_groups_are_checked_for_cycles() -> None:
    """Two updates of one kind: the merged groups of the first must not enclose the second."""
    start = 'job.initializer = {kind = "constant", value = 0.0 : f64}, job.trainable = true'
    module = parse_module(f"""module @program attributes {{job.type = "train"}} {{
      func.func @program(%a: tensor<1x1x1xf32> {{{start}, job.variable = "a"}},
                         %b: tensor<2xf16> {{{start}, job.variable = "b"}}) {{
        %e = "flow.exp"(%a) : (tensor<1x1x1xf32>) -> tensor<1x1x1xf32>
        %h = "flow.cast"(%e) {{element = f16}} : (tensor<1x1x1xf32>) -> tensor<1x1x1xf16>
        %r = "flow.reshape"(%h) {{shape = array<i64: 1>}} : (tensor<1x1x1xf16>) -> tensor<1xf16>
        %y = "flow.multiply"(%r, %b) : (tensor<1xf16>, tensor<2xf16>) -> tensor<2xf16>
        "job.minimize"(%y) {{optimizer = {{kind = "sgd", loss_scale = 0.05, weight_decay = 0.9}},
            schedule = {{kind = "natural_exp", base_lr = 0.5, decay_rate = 0.25, staircase = true,
                         steps = 10 : i64}}}} : (tensor<2xf16>) -> ()
        func.return
      }}
    }}""")
    tidy = "cse,canonicalize,name-locations,fold-slices,cse,canonicalize"
    run_pipeline(module, f"autodiff,lower,dce,fold,{tidy},outline-groups")
    assert len(calls(module)) > 1


def test_unused_ops_form_no_group() -> None:
    body = """%y = "flow.exp"(%x) : (tensor<4xf32>) -> tensor<4xf32>
    %z = "flow.reduce_sum"(%y) {axes = array<i64: 0>} : (tensor<4xf32>) -> tensor<f32>
    return %x : tensor<4xf32>"""
    assert calls(outlined(body, "%x: tensor<4xf32>", "tensor<4xf32>")) == []
    body = """%y = "flow.maximum"(%x, %n) : (tensor<2x3xbf16>, tensor<bf16>) -> tensor<2x3xbf16>
    %0 = "flow.cast"(%x) {element = f32} : (tensor<2x3xbf16>) -> tensor<2x3xf32>
    %1 = "flow.broadcast_to"(%0) {shape = array<i64: 2, 2, 3>}
        : (tensor<2x3xf32>) -> tensor<2x2x3xf32>
    %z = "flow.concat"(%c, %1) {axis = 1 : i64}
        : (tensor<2x1x3xf32>, tensor<2x2x3xf32>) -> tensor<2x3x3xf32>
    return %y : tensor<2x3xbf16>"""
    arguments = "%x: tensor<2x3xbf16>, %c: tensor<2x1x3xf32>, %n: tensor<bf16>"
    module = outlined(body, arguments, "tensor<2x3xbf16>", "lower,cse,outline-groups")
    assert not any("concat" in name for name in calls(module))


def test_ops_along_rows_are_grouped_but_not_those_along_columns() -> None:
    """The maximum, exponentials and sum of a row are one group; a sum over rows is another."""
    body = f"""%s = "flow.softmax"(%x) {{axis = 1 : i64}} : ({X}) -> {X}
    %t = "flow.reduce_sum"(%s) {{axes = array<i64: 0>}} : ({X}) -> tensor<8xf32>
    return %s, %t : {X}, tensor<8xf32>"""
    module = outlined(body, f"%x: {X}", f"{X}, tensor<8xf32>")
    softmax, total = calls(module)
    assert total == "reduce_sum_0"
    assert members(module, softmax)[:2] == ["reduce_max", "reduce_max"]
    assert "reduce_sum" in members(module, softmax)


def test_a_contraction_starts_a_group() -> None:
    body = f"""%m = "flow.matmul"(%x, %w) {{transpose_b = true}} : ({X}, {W}) -> {Y}
    %s = "flow.reduce_max"(%x) {{axes = array<i64: 1>}} : ({X}) -> tensor<4xf32>
    %e = "flow.exp"(%x) : ({X}) -> {X}
    "job.watch"(%e) {{name = "e"}} : ({X}) -> ()
    %n = "flow.matmul"(%e, %w) {{transpose_b = true}} : ({X}, {W}) -> {Y}
    return %m, %n, %s : {Y}, {Y}, tensor<4xf32>"""
    module = outlined(body, f"%x: {X}, %w: {W}", f"{Y}, {Y}, tensor<4xf32>")
    assert sorted(calls(module)) == ["exp_0", "matmul_0", "matmul_0", "reduce_max_0"]


def test_a_scalar_op_takes_no_tensor_op_into_its_group() -> None:
    body = f"""%t = "flow.reduce_sum"(%x) {{axes = array<i64: 0, 1>}} : ({X}) -> tensor<f32>
    %q = "flow.sqrt"(%t) : (tensor<f32>) -> tensor<f32>
    %d = "flow.divide"(%x, %q) : ({X}, tensor<f32>) -> {X}
    return %d, %q : {X}, tensor<f32>"""
    module = outlined(body, f"%x: {X}", f"{X}, tensor<f32>")
    assert calls(module) == ["reduce_sum_sqrt_0", "divide_0"]


def test_equal_groups_share_a_function_and_calls_keep_their_locations() -> None:
    body = f"""%0 = "flow.exp"(%x) : ({X}) -> {X} loc("train.py":1:0)
    "job.watch"(%0) {{name = "once"}} : ({X}) -> ()
    %1 = "flow.exp"(%y) : ({X}) -> {X} loc("train.py":2:0)
    %2 = "flow.log"(%y) : ({X}) -> {X} loc("train.py":3:0)
    return %1, %2 : {X}, {X}"""
    module = outlined(body, f"%x: {X}, %y: {X}", f"{X}, {X}")
    assert groups(module) == ["exp_0", "log_0"]
    found = [op for op in module.job.body if isinstance(op, func.Call)]
    assert [op.callee for op in found] == ["exp_0", "exp_0", "log_0"]
    assert [op.location.describe() for op in found] == ["train.py:1", "train.py:2", "train.py:3"]


def test_function_names_do_not_collide() -> None:
    module = parse_module(
        f"""func.func @exp_0(%x: {X}) -> {X} {{
        %0 = "flow.exp"(%x) : ({X}) -> {X}
        return %0 : {X}
        }}"""
    )
    run_pipeline(module, OUTLINE)
    verify(module)
    assert sorted(f.sym_name for f in module.functions()) == ["exp_0", "exp_1"]


def test_a_returned_fill_is_a_group_and_others_are_copied_into_groups() -> None:
    body = f"""%c = "flow.constant"() {{value = dense<0.0> : {Y}}} : () -> {Y}
    {DENSE}
    return %r, %c : {Y}, {Y}"""
    module = outlined(
        body, DENSE_ARGUMENTS, f"{Y}, {Y}", "lower,cse,fuse-elementwise,outline-groups"
    )
    assert sorted(calls(module)) == ["constant_0", "matmul_add_relu_0"]
    dense = next(
        op for op in module.job.body if isinstance(op, func.Call) and op.callee != "constant_0"
    )
    assert len(dense.operands) == 3


def test_views_constants_and_watches_are_left_in_the_job() -> None:
    body = f"""%c = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
    %v = "flow.reshape"(%x) {{shape = array<i64: 8, 4>}} : ({X}) -> tensor<8x4xf32>
    "job.watch"(%v) {{name = "v"}} : (tensor<8x4xf32>) -> ()
    %s = "flow.add"(%v, %c) : (tensor<8x4xf32>, tensor<4xf32>) -> tensor<8x4xf32>
    return %s : tensor<8x4xf32>"""
    module = outlined(body, f"%x: {X}", "tensor<8x4xf32>")
    names = [op.name for op in module.job.body]
    assert names == [
        "arith.constant", "tensor.collapse_shape", "tensor.expand_shape", "job.watch",
        "func.call", "func.return",
    ]  # fmt: skip
    x = np.arange(32, dtype=np.float32).reshape(4, 8)
    (got,) = interpret(module, [x])
    assert same_bits(got, x.reshape(8, 4) + np.arange(1, 5, dtype=np.float32))


@pytest.mark.parametrize("start", parts_of(200, 50))
def test_random_jobs_are_bit_exact(start: int) -> None:
    shared = 0
    for seed in range(start, start + 50):
        program = Program(seed, SQUARE if seed % 2 else SHAPES)
        module = lowered(program.written(4 + seed % 17), "lower,canonicalize,cse")
        arrays = arguments(module, seed)
        after = lowered(module, "fuse-elementwise,outline-groups")
        verify(after)
        shared += len(calls(after)) - len(set(calls(after)))
        for op in after.job.body:
            assert not isinstance(op, linalg.Generic | tensor.Empty)
        one, two = expected(module, arrays), expected(after, arrays)
        assert all(same_bits(one[0][name], two[0][name]) for name in one[0])
        for (name, a), (other, b) in zip(one[1], two[1], strict=True):
            assert name == other
            assert same_bits(a, b)
    assert shared > 0


def test_outlining_is_deterministic() -> None:
    texts = [print_module(lowered(Program(5).written(20), FUSED)) for _ in range(2)]
    assert texts[0] == texts[1]


LONG = "tensor<64x128xf32>"
LONG_ROW = "tensor<128xf32>"
LONG_COLUMN = "tensor<64xf32>"


def test_rows_are_grouped_before_sums_over_rows() -> None:
    """The elementwise op then shares rows with the sum only."""
    body = f"""%a = "flow.add"(%x, %y) : ({LONG}, {LONG}) -> {LONG}
    "job.watch"(%a) {{name = "a"}} : ({LONG}) -> ()
    %s = "flow.softmax"(%a) {{axis = 1 : i64}} : ({LONG}) -> {LONG}
    return %s : {LONG}"""
    module = outlined(body, f"%x: {LONG}, %y: {LONG}", LONG)
    (callee,) = calls(module)
    assert members(module, callee)[0] == "add"


def test_ops_along_columns_do_not_join_ops_along_rows() -> None:
    body = f"""%a = "flow.add"(%x, %y) : ({LONG}, {LONG}) -> {LONG}
    "job.watch"(%a) {{name = "a"}} : ({LONG}) -> ()
    %s = "flow.reduce_sum"(%a) {{axes = array<i64: 0>}} : ({LONG}) -> {LONG_ROW}
    return %s : {LONG_ROW}"""
    module = outlined(body, f"%x: {LONG}, %y: {LONG}", LONG_ROW)
    assert calls(module) == ["add_0", "reduce_sum_0"]


BIG = "tensor<256x512xf32>"
BIG_ROW = "tensor<512xf32>"


def test_sums_over_rows_join_the_group_of_the_rows() -> None:
    """Gradients that sum many rows are folded into the loops that compute the rows; their readers
    come after.
    """
    body = f"""%s = "flow.softmax"(%x) {{axis = 1 : i64}} : ({BIG}) -> {BIG}
    %p = "flow.multiply"(%s, %y) : ({BIG}, {BIG}) -> {BIG}
    %a = "flow.reduce_sum"(%s) {{axes = array<i64: 0>}} : ({BIG}) -> {BIG_ROW}
    %b = "flow.reduce_sum"(%p) {{axes = array<i64: 0>}} : ({BIG}) -> {BIG_ROW}
    %c = "flow.reduce_max"(%p) {{axes = array<i64: 0, 1>}} : ({BIG}) -> tensor<f32>
    %d = "flow.multiply"(%a, %b) : ({BIG_ROW}, {BIG_ROW}) -> {BIG_ROW}
    return %d, %c : {BIG_ROW}, tensor<f32>"""
    module = outlined(body, f"%x: {BIG}, %y: {BIG}", f"{BIG_ROW}, tensor<f32>")
    rows, after = calls(module)
    assert members(module, rows).count("reduce_max") == 4, "two fills, of rows and of the whole"
    call = next(op for op in module.job.body if isinstance(op, func.Call))
    shapes = sorted(generics.shape_of(r) for r in call.results)
    assert shapes == [(), (512,), (512,)], "nothing of the size of the rows is kept"
    assert members(module, after)[-1].endswith("multiply")


def test_readers_of_a_folded_sum_are_another_group() -> None:
    body = f"""%e = "flow.exp"(%x) : ({BIG}) -> {BIG}
    "job.watch"(%e) {{name = "e"}} : ({BIG}) -> ()
    %a = "flow.reduce_sum"(%e) {{axes = array<i64: 0>}} : ({BIG}) -> {BIG_ROW}
    %d = "flow.divide"(%e, %a) : ({BIG}, {BIG_ROW}) -> {BIG}
    return %d : {BIG}"""
    module = outlined(body, f"%x: {BIG}", BIG)
    assert calls(module) == ["exp_reduce_sum_0", "reduce_sum_divide_0"]


def test_a_weighted_sum_over_rows_is_not_a_contraction() -> None:
    """It reads each element once, so it joins the rows' loops."""
    body = f"""%e = "flow.exp"(%x) : ({BIG}) -> {BIG}
    "job.watch"(%e) {{name = "e"}} : ({BIG}) -> ()
    %p = "flow.multiply"(%e, %w) : ({BIG}, tensor<256x1xf32>) -> {BIG}
    %a = "flow.reduce_sum"(%p) {{axes = array<i64: 0>}} : ({BIG}) -> {BIG_ROW}
    return %a : {BIG_ROW}"""
    module = outlined(body, f"%x: {BIG}, %w: tensor<256x1xf32>", BIG_ROW)
    assert calls(module)[0] == "exp_multiply_reduce_sum_0"


def test_few_long_rows_are_not_grouped() -> None:
    """Two rows would occupy only two threads."""
    few = "tensor<2x100000xf32>"
    body = f"""%a = "flow.add"(%x, %y) : ({few}, {few}) -> {few}
    "job.watch"(%a) {{name = "a"}} : ({few}) -> ()
    %s = "flow.reduce_sum"(%a) {{axes = array<i64: 1>}} : ({few}) -> tensor<2xf32>
    return %s : tensor<2xf32>"""
    module = outlined(body, f"%x: {few}, %y: {few}", "tensor<2xf32>")
    assert calls(module) == ["add_0", "reduce_sum_0"]


def test_a_reader_of_two_groups_merges_them() -> None:
    """Like the moments of an optimizer and the update that reads both."""
    body = f"""%m = "flow.add"(%x, %y) : ({LONG}, {LONG}) -> {LONG}
    %v = "flow.multiply"(%z, %z) : ({LONG}, {LONG}) -> {LONG}
    %w = "flow.divide"(%m, %v) : ({LONG}, {LONG}) -> {LONG}
    return %w, %m, %v : {LONG}, {LONG}, {LONG}"""
    module = outlined(body, f"%x: {LONG}, %y: {LONG}, %z: {LONG}", f"{LONG}, {LONG}, {LONG}")
    (callee,) = calls(module)
    assert members(module, callee) == ["add", "multiply", "divide"]


def test_two_sums_over_one_tensor_read_it_once() -> None:
    body = f"""%a = "flow.reduce_sum"(%x) {{axes = array<i64: 0>}} : ({LONG}) -> {LONG_ROW}
    %p = "flow.multiply"(%x, %y) : ({LONG}, {LONG}) -> {LONG}
    %b = "flow.reduce_sum"(%p) {{axes = array<i64: 0>}} : ({LONG}) -> {LONG_ROW}
    return %a, %b : {LONG_ROW}, {LONG_ROW}"""
    module = outlined(body, f"%x: {LONG}, %y: {LONG}", f"{LONG_ROW}, {LONG_ROW}")
    assert len(calls(module)) == 1


def test_ops_of_more_dimensions_join_rows_but_not_columns() -> None:
    def together(axis: int) -> bool:
        left = LONG_ROW if axis == 0 else LONG_COLUMN
        body = f"""%a = "flow.reduce_sum"(%x) {{axes = array<i64: {axis}>}} : ({LONG}) -> {left}
        %e = "flow.exp"(%x) : ({LONG}) -> {LONG}
        return %a, %e : {left}, {LONG}"""
        return len(calls(outlined(body, f"%x: {LONG}", f"{left}, {LONG}"))) == 1

    assert together(axis=1)
    assert not together(axis=0)


def test_the_epilogue_of_a_matmul_joins_the_rows_that_read_it() -> None:
    """%m is stored for %t in any case; %g, which only the rows read, is then not stored."""
    body = f"""%m = "flow.matmul"(%x, %w) {{transpose_b = true}} : ({X}, {W}) -> {Y}
    "job.watch"(%m) {{name = "m"}} : ({Y}) -> ()
    %g = "flow.multiply"(%m, %b) : ({Y}, {ROW}) -> {Y}
    %s = "flow.softmax"(%g) {{axis = 1 : i64}} : ({Y}) -> {Y}
    return %s : {Y}"""
    module = outlined(body, DENSE_ARGUMENTS, Y)
    first, second = calls(module)
    assert first == "matmul_0"
    assert members(module, second)[0] == "multiply"


def test_a_sum_does_not_join_ops_that_it_depends_on_through_others() -> None:
    """%t reads %x like the first sum, and also a value that another group computes from that
    sum.
    """
    body = f"""%a = "flow.reduce_sum"(%x) {{axes = array<i64: 1>}} : ({LONG}) -> {LONG_COLUMN}
    %b = "flow.reduce_sum"(%a) {{axes = array<i64: 0>}} : ({LONG_COLUMN}) -> tensor<f32>
    %c = "flow.exp"(%b) : (tensor<f32>) -> tensor<f32>
    %d = "flow.multiply"(%x, %c) : ({LONG}, tensor<f32>) -> {LONG}
    %t = "flow.reduce_sum"(%d) {{axes = array<i64: 1>}} : ({LONG}) -> {LONG_COLUMN}
    return %a, %t : {LONG_COLUMN}, {LONG_COLUMN}"""
    module = outlined(body, f"%x: {LONG}", f"{LONG_COLUMN}, {LONG_COLUMN}")
    first, *_, last = calls(module)
    assert first != last
    assert len(calls(module)) == 3


def test_a_group_of_too_many_tensors_is_split() -> None:
    lines = [f'%v0 = "flow.hardswish"(%x) : ({LONG}) -> {LONG}']
    lines += [f'%v{i} = "flow.hardswish"(%v{i - 1}) : ({LONG}) -> {LONG}' for i in range(1, 80)]
    names = [f"%v{i}" for i in range(80)]
    types = ", ".join([LONG] * 80)
    body = "\n".join([*lines, f"return {', '.join(names)} : {types}"])
    module = outlined(body, f"%x: {LONG}", types)
    for call in (op for op in module.job.body if isinstance(op, func.Call)):
        assert len(call.operands) + len(call.results) <= grouping.MOST_ARRAYS
    assert len(calls(module)) == 3


def test_a_long_chain_is_split() -> None:
    count = 90
    names = ["%x", *(f"%v{i}" for i in range(1, count)), "%v"]
    lines = [
        f'{result} = "flow.tanh"({read}) : ({LONG}) -> {LONG}' for read, result in pairwise(names)
    ]
    module = outlined("\n".join([*lines, f"return %v : {LONG}"]), f"%x: {LONG}", LONG)
    found = groups(module)
    bodies = [op.body for f in module.functions() if f.sym_name in found for op in f.body
              if isinstance(op, linalg.Generic)]  # fmt: skip
    assert len(bodies) == len(found) == 2, "equal parts are one function, and the rest is another"
    assert max(map(generics.body_cost, bodies)) <= generics.MOST_LOOP_CYCLES
    assert (
        sum(generics.body_cost(bodies[found.index(name)]) for name in calls(module)) == 16 * count
    )
