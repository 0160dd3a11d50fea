"""The buffers of a group's values."""

from __future__ import annotations

from penstock.ir.dialects import linalg
from penstock.ir.dialects.parsing import parse_module
from penstock.passes.analysis.group_storage import Group, assign

MAPS = "affine_map<(d0) -> (d0)>"
KIND = 'iterator_types = ["parallel"]'
GROUP = f"""
func.func private @group(%x: tensor<8xf32>) -> (tensor<8xf16>, tensor<8xf16>) {{
  %e = tensor.empty() : tensor<8xf32>
  %h = tensor.empty() : tensor<8xf16>
  %a = linalg.generic {{indexing_maps = [{MAPS}, {MAPS}], {KIND}}}
      ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {{
  ^bb0(%in: f32, %out: f32):
    %y = math.exp %in : f32
    linalg.yield %y : f32
  }} -> tensor<8xf32>
  %b:2 = linalg.generic {{indexing_maps = [{MAPS}, {MAPS}, {MAPS}], {KIND}}}
      ins(%a : tensor<8xf32>) outs(%e, %e : tensor<8xf32>, tensor<8xf32>) {{
  ^bb0(%in: f32, %out: f32, %other: f32):
    %y = arith.addf %in, %in : f32
    %z = arith.mulf %in, %in : f32
    linalg.yield %y, %z : f32, f32
  }} -> (tensor<8xf32>, tensor<8xf32>)
  %c = linalg.generic {{indexing_maps = [{MAPS}, {MAPS}], {KIND}}}
      ins(%b#0 : tensor<8xf32>) outs(%h : tensor<8xf16>) {{
  ^bb0(%in: f32, %out: f16):
    %y = arith.truncf %in : f32 to f16
    linalg.yield %y : f16
  }} -> tensor<8xf16>
  %d = linalg.generic {{indexing_maps = [{MAPS}, {MAPS}], {KIND}}}
      ins(%b#1 : tensor<8xf32>) outs(%h : tensor<8xf16>) {{
  ^bb0(%in: f32, %out: f16):
    %y = arith.truncf %in : f32 to f16
    linalg.yield %y : f16
  }} -> tensor<8xf16>
  func.return %c, %d : tensor<8xf16>, tensor<8xf16>
}}"""


def test_results_of_one_op_do_not_share_the_buffer_of_an_operand() -> None:
    (function,) = parse_module(GROUP).functions()
    storage = assign(Group(function), {})
    a, b = [op for op in function.body if isinstance(op, linalg.Generic)][:2]
    assert storage.of[b.results[0]] is storage.of[a.results[0]]
    assert storage.of[b.results[1]] is not storage.of[a.results[0]]
