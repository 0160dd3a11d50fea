"""Lowering of whole functions: the generics, their order, and the origins they record."""

from __future__ import annotations

import numpy as np

from penstock.ir.attributes import python_value
from penstock.ir.core import Operation
from penstock.ir.dialects import arith, linalg
from penstock.ir.dialects import tensor as tensors
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.flow.base import TensorOp
from penstock.ir.dialects.parsing import parse_module
from penstock.ir.meaning.interpreter import interpret
from penstock.ir.verify.verifier import verify
from penstock.passes.flow.lower_to_linalg import LowerToLinalg
from penstock.passes.manager import run_pipeline


def lowered(body: str, signature: str) -> Module:
    module = parse_module(f"func.func @f({signature}) {{ {body} }}")
    LowerToLinalg().run(module)
    verify(module)
    return module


def generics(module: Module) -> list[linalg.Generic]:
    return [op for op in module.job.body if isinstance(op, linalg.Generic)]


def origins(module: Module) -> list[str]:
    return [python_value(op.attributes["flow.op"]) for op in generics(module)]


def test_a_generic_names_its_origin() -> None:
    module = lowered(
        '%y = "flow.gelu"(%x) : (tensor<4xf32>) -> tensor<4xf32> loc("train.py":3:0)'
        "func.return %y : tensor<4xf32>",
        "%x: tensor<4xf32>) -> (tensor<4xf32>",
    )
    assert [word for word in origins(module) if word != "constant"] == [
        "multiply", "erf", "add", "multiply", "multiply",
    ]  # fmt: skip
    assert {op.location.describe() for op in generics(module)} == {"train.py:3"}


def test_unit_dimensions_are_dropped_by_a_view() -> None:
    module = lowered(
        '%z = "flow.add"(%x, %y) : (tensor<4x1xf32>, tensor<1x3xf32>) -> tensor<4x3xf32>'
        "func.return %z : tensor<4x3xf32>",
        "%x: tensor<4x1xf32>, %y: tensor<1x3xf32>) -> (tensor<4x3xf32>",
    )
    (add,) = generics(module)
    assert all(map.is_projected_permutation for map in add.indexing_maps)
    views = [op for op in module.job.body if isinstance(op, tensors.CollapseShape)]
    assert len(views) == 2


def test_a_view_of_a_view_is_one_view() -> None:
    module = lowered(
        '%m = "flow.reduce_max"(%x) {axes = array<i64: 1>, keepdims = true}'
        "    : (tensor<4x3xf32>) -> tensor<4x1xf32>"
        '%z = "flow.subtract"(%x, %m) : (tensor<4x3xf32>, tensor<4x1xf32>) -> tensor<4x3xf32>'
        "func.return %z : tensor<4x3xf32>",
        "%x: tensor<4x3xf32>) -> (tensor<4x3xf32>",
    )
    assert not any(isinstance(op, tensors.CollapseShape) for op in module.job.body)
    maximum, subtract = generics(module)[1:]
    assert subtract.inputs[1] is maximum.results[0]


def test_a_constant_becomes_part_of_the_body() -> None:
    module = lowered(
        '%c = "flow.constant"() {value = dense<2.0> : tensor<f32>} : () -> tensor<f32>'
        '%z = "flow.multiply"(%x, %c) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>'
        "func.return %z : tensor<4xf32>",
        "%x: tensor<4xf32>) -> (tensor<4xf32>",
    )
    multiply = generics(module)[-1]
    assert len(multiply.inputs) == 1
    assert any(isinstance(op, arith.Constant) for op in multiply.body)


def test_bodies_use_outside_values_only_in_extracts() -> None:
    module = lowered(
        '%l = "flow.sparse_softmax_cross_entropy"(%y, %x)'
        "    : (tensor<4xi32>, tensor<4x3xf32>) -> tensor<4xf32>"
        "func.return %l : tensor<4xf32>",
        "%y: tensor<4xi32>, %x: tensor<4x3xf32>) -> (tensor<4xf32>",
    )
    for op in generics(module):
        inside: set[Operation] = set(op.body)
        for inner in op.body:
            for position, value in enumerate(inner.operands):
                outside = value.owner is not op.body and value.owner not in inside
                assert not outside or (isinstance(inner, tensors.Extract) and position == 0)


def test_forward_and_gradient_of_the_loss_share_their_exponentials() -> None:
    module = lowered(
        '%l = "flow.sparse_softmax_cross_entropy"(%y, %x)'
        "    : (tensor<4xi32>, tensor<4x3xf32>) -> tensor<4xf32>"
        '%p = "flow.softmax"(%x) {axis = 1 : i64} : (tensor<4x3xf32>) -> tensor<4x3xf32>'
        "func.return %l, %p : tensor<4xf32>, tensor<4x3xf32>",
        "%y: tensor<4xi32>, %x: tensor<4x3xf32>) -> (tensor<4xf32>, tensor<4x3xf32>",
    )
    assert origins(module).count("exp") == 2
    arrays = [np.array([0, 2, 1, 0]), np.random.default_rng(0).random((4, 3))]
    before = interpret(module, arrays)
    run_pipeline(module, "canonicalize,cse,dce")
    assert origins(module).count("exp") == 1
    assert origins(module).count("subtract") == 2
    for got, wanted in zip(interpret(module, arrays), before, strict=True):
        assert np.array_equal(got, wanted)


def test_no_flow_ops_remain() -> None:
    module = parse_module("""
    func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> {
      %y = func.call @g(%x) : (tensor<2xf32>) -> tensor<2xf32>
      func.return %y : tensor<2xf32>
    }
    func.func private @g(%x: tensor<2xf32>) -> tensor<2xf32> {
      %y = "flow.relu"(%x) : (tensor<2xf32>) -> tensor<2xf32>
      func.return %y : tensor<2xf32>
    }
    func.func private @external(i32) -> ()""")
    LowerToLinalg().run(module)
    assert not any(isinstance(op, TensorOp) for op in module.walk())
    assert interpret(module, [[-1.0, 2.0]])[0].tolist() == [0.0, 2.0]
