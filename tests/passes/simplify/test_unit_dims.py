"""`drop-unit-dims`: views between generics disappear and results stay the same."""

from __future__ import annotations

import numpy as np
import pytest

from penstock.ir.dialects import func, linalg, tensor
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.parsing import parse_module
from penstock.ir.meaning.interpreter import interpret
from penstock.ir.verify.verifier import verify
from penstock.passes.analysis import generics
from penstock.passes.manager import run_pipeline

LOWER = "lower,canonicalize,cse"
X = "tensor<6x8xf32>"


def lowered(body: str, results: str, arguments: str = f"%x: {X}") -> Module:
    module = parse_module(f"func.func @job({arguments}) -> ({results}) {{\n{body}\n}}")
    run_pipeline(module, LOWER)
    return module


NORM = f"""
    %m = "flow.reduce_mean"(%x) {{axes = array<i64: 1>, keepdims = true}} : ({X}) -> tensor<6x1xf32>
    %d = "flow.subtract"(%x, %m) : ({X}, tensor<6x1xf32>) -> {X}
    %s = "flow.square"(%d) : ({X}) -> {X}
    %v = "flow.reduce_mean"(%s) {{axes = array<i64: 1>, keepdims = true}} : ({X}) -> tensor<6x1xf32>
    %r = "flow.sqrt"(%v) : (tensor<6x1xf32>) -> tensor<6x1xf32>
    %y = "flow.divide"(%d, %r) : ({X}, tensor<6x1xf32>) -> {X}
"""


def test_a_normalization_becomes_one_group() -> None:
    module = lowered(f"{NORM} return %y : {X}", X)
    x = np.random.default_rng(5).standard_normal((6, 8), np.float32)
    before = interpret(module, [x])
    run_pipeline(module, "drop-unit-dims,fuse-elementwise,outline-groups,canonicalize,cse,dce")
    verify(module)
    assert [type(op) for op in module.job.body] == [func.Call, func.Return]
    np.testing.assert_array_equal(interpret(module, [x])[0], before[0])


def test_values_with_other_readers_keep_their_shape() -> None:
    module = lowered(f"{NORM} return %v, %y : tensor<6x1xf32>, {X}", f"tensor<6x1xf32>, {X}")
    run_pipeline(module, "drop-unit-dims")
    verify(module)
    first = module.job.returned.operands[0].defining_op
    assert isinstance(first, tensor.ExpandShape)
    assert generics.shape_of(first.source) == (6,)


def test_generics_without_views_are_unchanged() -> None:
    ones = "tensor<6x1x8xf32>"
    module = lowered(f'%y = "flow.exp"(%x) : ({ones}) -> {ones}\nreturn %y : {ones}', ones,
                     f"%x: {ones}")  # fmt: skip
    assert not run_pipeline(module, "drop-unit-dims").rewrites


def test_indices_in_a_body_are_renumbered() -> None:
    """`linalg.index` of a remaining dimension is renumbered; of a dropped one it is 0."""
    module = parse_module("""
#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @job(%x: tensor<3xindex>) -> tensor<1x3xindex> {
  %v = tensor.expand_shape %x [[0, 1]] output_shape [1, 3] : tensor<3xindex> into tensor<1x3xindex>
  %e = tensor.empty() : tensor<1x3xindex>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%v : tensor<1x3xindex>) outs(%e : tensor<1x3xindex>) {
  ^bb0(%a: index, %o: index):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %s = arith.addi %a, %i : index
    %t = arith.muli %s, %j : index
    linalg.yield %t : index
  } -> tensor<1x3xindex>
  return %y : tensor<1x3xindex>
}""")
    run_pipeline(module, "drop-unit-dims")
    verify(module)
    (result,) = (op for op in module.job.body if isinstance(op, linalg.Generic))
    assert result.extents == [3]
    assert interpret(module, [np.array([5, 6, 7])])[0].tolist() == [[0, 6, 14]]


@pytest.mark.parametrize("shape", ["1x1", "1"])
def test_a_scalar_has_no_dimensions(shape: str) -> None:
    one = f"tensor<{shape}xf32>"
    axes = "0, 1" if shape == "1x1" else "0"
    arguments = "%x: tensor<4x5xf32>" if shape == "1x1" else "%x: tensor<4xf32>"
    type = arguments[4:]
    module = lowered(
        f'%m = "flow.reduce_sum"(%x) {{axes = array<i64: {axes}>, keepdims = true}} : '
        f'({type}) -> {one}\n%y = "flow.exp"(%m) : ({one}) -> {one}\nreturn %y : {one}',
        one, arguments,
    )  # fmt: skip
    run_pipeline(module, "drop-unit-dims,fuse-elementwise,outline-groups,canonicalize,cse,dce")
    verify(module)
    assert sum(isinstance(op, func.Call) for op in module.job.body) == 1


def test_unit_windows_that_do_not_cover_the_operand_stay() -> None:
    body = """
    %a = "flow.reshape"(%x) {shape = array<i64: 1, 1, 6, 8>} : (!x) -> tensor<1x1x6x8xf32>
    %p = "flow.sum_pool"(%a) {window = array<i64: 1, 2>, strides = array<i64: 1, 1>,
        channels_last = false} : (tensor<1x1x6x8xf32>) -> tensor<1x1x6x7xf32>
    %s = "flow.slice"(%p) {sizes = array<i64: 1, 1, 3, 7>, starts = array<i64: 0, 0, 0, 0>,
        steps = array<i64: 1, 1, 1, 1>} : (tensor<1x1x6x7xf32>) -> tensor<1x1x3x7xf32>
    %y = "flow.reshape"(%s) {shape = array<i64: 3, 7>} : (tensor<1x1x3x7xf32>) -> tensor<3x7xf32>
    return %y : tensor<3x7xf32>
    """
    module = lowered(body.replace("!x", X), "tensor<3x7xf32>")
    x = np.random.default_rng(6).standard_normal((6, 8), np.float32)
    run_pipeline(module, "fold-slices,drop-unit-dims")
    verify(module)
    (got,) = interpret(module, [x])
    np.testing.assert_array_equal(got, (x[:, :-1] + x[:, 1:])[:3])


@pytest.mark.parametrize(
    ("a", "b", "is_sum"),
    [
        ("1x7", "7x1", True),
        ("5x1x7", "5x7x1", True),
        ("1x7", "7x2", False),  # a row that two columns use
        ("5x1x7", "1x7x1", False),  # a column that five rows use
    ],
)
def test_a_dot_product_is_a_sum_along_rows(a: str, b: str, is_sum: bool) -> None:
    """A contraction stays one only if a factor is used several times."""
    left, right = f"tensor<{a}xf32>", f"tensor<{b}xf32>"
    shapes = [tuple(map(int, text.split("x"))) for text in (a, b)]
    rng = np.random.default_rng(8)
    x, y = (rng.standard_normal(shape, np.float32) for shape in shapes)
    result = "x".join(map(str, (x @ y).shape))
    out = f"tensor<{result}xf32>"
    body = f'%y = "flow.matmul"(%a, %b) : ({left}, {right}) -> {out}\nreturn %y : {out}'
    module = lowered(body, out, f"%a: {left}, %b: {right}")
    run_pipeline(module, "drop-unit-dims")
    verify(module)
    np.testing.assert_allclose(interpret(module, [x, y])[0], x @ y, rtol=1e-5, atol=1e-5)
    (op,) = (op for op in generics.each(module) if op.inputs)
    assert is_sum != generics.is_contraction(op)
