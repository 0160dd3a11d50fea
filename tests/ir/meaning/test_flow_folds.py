"""Identities that ops fold: the folded value equals the op's result, and nothing else folds."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.parsing import parse_module
from penstock.ir.meaning.interpreter import interpret
from penstock.passes.manager import run_pipeline
from penstock.passes.simplify.canonicalize import Canonicalize
from penstock.passes.simplify.dce import DCE

TYPE = "tensor<2x3xf32>"


def program(text: str, result: str = TYPE) -> Module:
    return parse_module(
        f"func.func @f(%x: {TYPE}) -> {result} {{ {text} func.return %y : {result} }}"
    )


def constant(name: str, value: str, type: str = "tensor<f32>") -> str:
    return f'%{name} = "flow.constant"() {{value = dense<{value}> : {type}}} : () -> {type} '


def binary(op: str, x: str, y: str, tx: str = TYPE, ty: str = TYPE) -> str:
    return f'%y = "flow.{op}"(%{x}, %{y}) : ({tx}, {ty}) -> {TYPE} '


def unary(op: str, attributes: str, source: str = "x", to: str = TYPE, name: str = "y",
          of: str = TYPE) -> str:  # fmt: skip
    return f'%{name} = "flow.{op}"(%{source}) {{{attributes}}} : ({of}) -> {to} '


FOLDED = {
    "x + -0": constant("c", "-0.0") + binary("add", "x", "c", ty="tensor<f32>"),
    "-0 + x": constant("c", "-0.0") + binary("add", "c", "x", tx="tensor<f32>"),
    "x - 0": constant("c", "0.0") + binary("subtract", "x", "c", ty="tensor<f32>"),
    "x * 1": constant("c", "1.0", TYPE) + binary("multiply", "x", "c"),
    "1 * x": constant("c", "1.0") + binary("multiply", "c", "x", tx="tensor<f32>"),
    "x / 1": constant("c", "1.0") + binary("divide", "x", "c", ty="tensor<f32>"),
    "x ** 1": constant("c", "1.0") + binary("pow", "x", "c", ty="tensor<f32>"),
    "identity": unary("identity", ""),
    "cast": unary("cast", "element = f32"),
    "reshape": unary("reshape", "shape = array<i64: 2, 3>"),
    "reshape back": unary("reshape", "shape = array<i64: 6>", to="tensor<6xf32>", name="z")
    + unary("reshape", "shape = array<i64: 2, 3>", "z", of="tensor<6xf32>"),
    "transpose": unary("transpose", "permutation = array<i64: 0, 1>"),
    "transpose back": unary(
        "transpose", "permutation = array<i64: 1, 0>", to="tensor<3x2xf32>", name="z"
    )
    + unary("transpose", "permutation = array<i64: 1, 0>", "z", of="tensor<3x2xf32>"),
    "broadcast": unary("broadcast_to", "shape = array<i64: 2, 3>"),
    "reduce over no axes": unary("reduce_sum", "axes = array<i64>, keepdims = false"),
    "whole slice": unary(
        "slice", "starts = array<i64: 0, 0>, sizes = array<i64: 2, 3>, steps = array<i64: 1, 1>"
    ),
    "no padding": unary(
        "pad",
        "before = array<i64: 0, 0>, after = array<i64: 0, 0>, inside = array<i64: 0, 0>, "
        "value = 1.0 : f64",
    ),
    "box": '%y = "sbp.box"(%x) {source = "B", target = "B"} : (' + f"{TYPE}) -> {TYPE} ",
}

KEPT = {
    "x + 0": constant("c", "0.0") + binary("add", "x", "c", ty="tensor<f32>"),
    "x - -0": constant("c", "-0.0") + binary("subtract", "x", "c", ty="tensor<f32>"),
    "x + 1": constant("c", "1.0") + binary("add", "x", "c", ty="tensor<f32>"),
    "0 - x": constant("c", "0.0") + binary("subtract", "c", "x", tx="tensor<f32>"),
    "1 / x": constant("c", "1.0") + binary("divide", "c", "x", tx="tensor<f32>"),
    "1 ** x": constant("c", "1.0") + binary("pow", "c", "x", tx="tensor<f32>"),
    "cast there and back": unary("cast", "element = i8", to="tensor<2x3xi8>", name="z")
    + unary("cast", "element = f32", "z", of="tensor<2x3xi8>"),
    "transpose twice": unary(
        "transpose", "permutation = array<i64: 1, 0>", to="tensor<3x2xf32>", name="z"
    )
    + unary("reshape", "shape = array<i64: 2, 3>", "z", of="tensor<3x2xf32>"),
}


def simplified(module: Module) -> Module:
    Canonicalize().run(module)
    DCE().run(module)
    return module


def sample() -> list[Any]:
    """Numbers of all kinds, including -0."""
    result = np.random.default_rng(0).standard_normal((2, 3)).astype(np.float32)
    result[0] = -0.0, 0.0, np.inf
    return [result]


@pytest.mark.parametrize("text", FOLDED.values(), ids=FOLDED)
def test_folds_to_its_operand(text: str) -> None:
    wanted = interpret(program(text), sample())
    module = simplified(program(text))
    assert [op.name for op in module.job.body] == ["func.return"]
    assert interpret(module, sample())[0].tobytes() == wanted[0].tobytes()


@pytest.mark.parametrize("text", KEPT.values(), ids=KEPT)
def test_does_not_fold(text: str) -> None:
    wanted = interpret(program(text), sample())
    module = simplified(program(text))
    assert len(list(module.job.body)) > 1
    assert interpret(module, sample())[0].tobytes() == wanted[0].tobytes()


def test_integers_have_one_zero() -> None:
    text = (
        '%c = "flow.constant"() {value = dense<0> : tensor<i32>} : () -> tensor<i32> '
        '%y = "flow.add"(%c, %x) : (tensor<i32>, tensor<4xi32>) -> tensor<4xi32> '
    )
    function = (
        f"func.func @f(%x: tensor<4xi32>) -> tensor<4xi32> {{ {text} return %y : tensor<4xi32> }}"
    )
    module = simplified(parse_module(function))
    assert [op.name for op in module.job.body] == ["func.return"]


@pytest.mark.parametrize("number", ["-0.0", "1.0", "2.0"])
@pytest.mark.parametrize("op", ["add", "subtract", "multiply", "divide", "pow"])
def test_a_splat_is_inspected_once(op: str, number: str) -> None:
    """2^50 elements, more than any memory holds."""
    many = "tensor<1125899906842624xf32>"
    text = constant("c", number, many) + binary(op, "x", "c", TYPE, many).replace(
        f"-> {TYPE}", f"-> {many}"
    )
    function = f"func.func @f(%x: tensor<1xf32>) -> {many} {{ {text} return %y : {many} }}"
    module = simplified(parse_module(function.replace(TYPE, "tensor<1xf32>")))
    assert f"flow.{op}" in [op.name for op in module.job.body]


def test_an_enlarging_broadcast_is_not_an_identity() -> None:
    text = (
        constant("c", "-0.0", "tensor<4x2x3xf32>")
        + f'%y = "flow.add"(%x, %c) : ({TYPE}, tensor<4x2x3xf32>) -> tensor<4x2x3xf32> '
    )
    module = simplified(program(text, "tensor<4x2x3xf32>"))
    assert "flow.add" in [op.name for op in module.job.body]


@pytest.mark.parametrize(
    "text",
    [
        unary("reshape", "shape = array<i64: 2, 3>", "c", of="tensor<6xf32>"),
        unary("reshape", "shape = array<i64: 6>", "c", "tensor<6xf32>", "d", "tensor<6xf32>")
        + unary("broadcast_to", "shape = array<i64: 2, 3>", "e", of="tensor<f32>"),
    ],
)
def test_views_of_equal_elements_are_constants(text: str) -> None:
    both = constant("c", "2.5", "tensor<6xf32>") + constant("e", "2.5")
    module = simplified(program(both + text))
    assert [op.name for op in module.job.body] == ["flow.constant", "func.return"]
    assert interpret(module, sample())[0].tolist() == [[2.5] * 3] * 2


def test_the_gradient_of_a_plain_loss_has_no_multiplication_by_ones() -> None:
    text = constant("ones", "1.0", "tensor<2xf32>") + unary(
        "reshape", "shape = array<i64: 2, 1>", "ones", "tensor<2x1xf32>", "r", "tensor<2xf32>"
    ) + binary("multiply", "x", "r", ty="tensor<2x1xf32>")  # fmt: skip
    assert [op.name for op in simplified(program(text)).job.body] == ["func.return"]


def test_a_comparison_for_a_select_stays_one_bit_in_registers() -> None:
    text = (
        constant("c", "0.0")
        + f'%m = "flow.greater"(%x, %c) : ({TYPE}, tensor<f32>) -> tensor<2x3xi8> '
        + f'%y = "flow.where"(%m, %x, %c) : (tensor<2x3xi8>, {TYPE}, tensor<f32>) -> {TYPE} '
    )
    module = program(text)
    wanted = interpret(module, sample())
    run_pipeline(module, "lower,fuse-elementwise,canonicalize,cse")
    (fused,) = (op for op in module.job.body if op.name == "linalg.generic")
    names = [op.name for op in fused.body]
    assert names == ["arith.constant", "arith.cmpf", "arith.select", "linalg.yield"]
    assert interpret(module, sample())[0].tobytes() == wanted[0].tobytes()
