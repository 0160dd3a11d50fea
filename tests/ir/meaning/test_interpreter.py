"""The interpreter: stages, promotion, watches, and generics evaluated by definition."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from penstock.ir.diagnostics import IRError
from penstock.ir.dialects.math import fma
from penstock.ir.dialects.parsing import parse_module
from penstock.ir.meaning.interpreter import interpret


def run(text: str, *arguments: Any, **named: Any) -> list[Any]:
    return interpret(parse_module(text), arguments, **named)


def generic(body: str, maps: str, iterators: str, ins: str, outs: str, result: str) -> str:
    return f"""
    func.func @f(%x: {ins}, %o: {outs}) -> {result} {{
      %y = linalg.generic {{indexing_maps = [{maps}], iterator_types = [{iterators}]}}
          ins(%x : {ins}) outs(%o : {outs}) {{
      ^bb0(%a: f32, %b: f32):
        {body}
      }} -> {result}
      func.return %y : {result}
    }}"""


SUM = generic(
    "%s = arith.addf %b, %a : f32 linalg.yield %s : f32",
    "affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>",
    '"parallel", "reduction"',
    "tensor<2x4xf32>", "tensor<2xf32>", "tensor<2xf32>",
)  # fmt: skip


def test_reductions_run_in_order_from_the_initial_output() -> None:
    row = np.array([1e8, 1, -1e8, 1], np.float32)
    (got,) = run(SUM, [row, row[::-1]], [0.0, 5.0])
    expected = [np.float32(0), np.float32(5)]
    for i, values in enumerate((row, row[::-1])):
        for value in values:
            expected[i] = expected[i] + value
    assert got.tolist() == expected


def test_output_maps_may_scatter() -> None:
    text = generic(
        "%s = arith.addf %b, %a : f32 linalg.yield %s : f32",
        "affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0 * 2 + 1)>",
        '"parallel"', "tensor<3xf32>", "tensor<8xf32>", "tensor<8xf32>",
    )  # fmt: skip
    assert run(text, [1, 2, 3], [10] * 8)[0].tolist() == [10, 11, 10, 12, 10, 13, 10, 10]


def test_an_out_of_bounds_map_is_an_error() -> None:
    text = generic(
        "linalg.yield %a : f32",
        "affine_map<(d0) -> (d0 + 2)>, affine_map<(d0) -> (d0)>",
        '"parallel"', "tensor<3xf32>", "tensor<2xf32>", "tensor<2xf32>",
    )  # fmt: skip
    with pytest.raises(IndexError):
        run(text, [1, 2, 3], [0, 0])


def test_calls_and_watches() -> None:
    seen: dict[str, Any] = {}
    text = """
    func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> {
      %y = func.call @g(%x) : (tensor<2xf32>) -> tensor<2xf32>
      "job.watch"(%y) {name = "doubled"} : (tensor<2xf32>) -> ()
      func.return %y : tensor<2xf32>
    }
    func.func private @g(%x: tensor<2xf32>) -> tensor<2xf32> {
      %y = "flow.add"(%x, %x) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
      func.return %y : tensor<2xf32>
    }"""
    assert run(text, [1, 2], watch=seen.__setitem__)[0].tolist() == [2, 4]
    assert seen["doubled"].tolist() == [2, 4]


THIRD = """
func.func @f(%x: tensor<f32>) -> tensor<f32> {
  %c = "flow.constant"() {value = dense<3.0> : tensor<f32>} : () -> tensor<f32>
  %y = "flow.divide"(%x, %c) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  func.return %y : tensor<f32>
}"""


def test_promotion_computes_in_float64() -> None:
    assert run(THIRD, 1.0)[0] == np.float32(1) / np.float32(3)
    (wide,) = run(THIRD, 1.0, promote=True)
    assert wide.dtype == np.float64
    assert wide == 1 / 3


def test_wrong_arguments_are_errors() -> None:
    with pytest.raises(IRError, match="takes 1 arguments, got 2"):
        run(THIRD, 1.0, 2.0)
    with pytest.raises(IRError, match="takes tensor<f32> and got an array of \\(2,\\)"):
        run(THIRD, [1.0, 2.0])


def test_other_stages_are_refused() -> None:
    text = """
    func.func @f(%x: memref<2xf32>) {
      %c = arith.constant 0 : index
      %y = memref.load %x[%c] : memref<2xf32>
      func.return
    }"""
    with pytest.raises(IRError, match="cannot be interpreted: expected a stage from job to fused"):
        run(text, [1.0, 2.0])


def test_fma_rounds_once() -> None:
    """Against exact fractions, on numbers for which double rounding shows."""
    random = np.random.default_rng(0)
    a, b = (np.float32(random.standard_normal(20000)) for _ in range(2))
    with np.errstate(all="ignore"):
        near = -(a * b)
        nudged = np.nextafter(near, np.float32(np.inf) * random.choice([-1, 1], 20000)
                              .astype(np.float32))  # fmt: skip
    c = np.where(random.random(20000) < 0.5, nudged, random.standard_normal(20000) * 2.0**25)
    c = c.astype(np.float32)
    got = fma(a, b, c)
    for x, y, z, result in zip(a[:3000], b[:3000], c[:3000], got[:3000], strict=True):
        exact = Fraction(float(x)) * Fraction(float(y)) + Fraction(float(z))
        error = abs(Fraction(float(result)) - exact)
        for other in (np.nextafter(result, np.float32(np.inf)),
                      np.nextafter(result, np.float32(-np.inf))):  # fmt: skip
            assert error <= abs(Fraction(float(other)) - exact)
