"""Edge cases of elements: integer division, conversions, NaN, infinities, labels out of range."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from penstock.ir import types as ty
from penstock.ir.attributes import element_type
from penstock.ir.builder import Builder
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.flow import evaluate
from penstock.ir.dialects.func import Func, Return
from penstock.ir.meaning.interpreter import interpret
from penstock.ir.opdef import registry
from penstock.passes.flow.lower_to_linalg import LowerToLinalg

INTEGERS = (np.int8, np.int32, np.int64, np.uint8)
FLOATS = (np.float32, np.float64)
NAN, INF = float("nan"), float("inf")


def lowered(name: str, *arrays: Any, **attributes: Any) -> Any:
    """The results of the op's lowering, evaluated scalar by scalar."""
    module = Module.empty("m")
    types = [ty.TensorType(a.shape, element_type(a.dtype)) for a in arrays]
    function = Func.make("f", types)
    module.body.append(function)
    b = Builder.at_end(function.body)
    b.create(Return, b.create(registry[name], *function.arguments, **attributes).results)
    function.update_type()
    LowerToLinalg().run(module)
    return interpret(module, arrays)[0]


def both(name: str, *arrays: Any, **attributes: Any) -> Any:
    """The result, after checking that reference and lowering agree bit for bit, including NaN."""
    reference = evaluate(name, *arrays, **attributes)
    loops = lowered(name, *arrays, **attributes)
    assert loops.dtype == reference.dtype
    assert np.array_equal(loops, reference, equal_nan=reference.dtype.kind == "f"), (
        f"loops {loops}, reference {reference}"
    )
    return reference


def pairs(dtype: Any) -> tuple[Any, Any]:
    """Every pair of some critical integers."""
    limits = np.iinfo(dtype)
    edge = np.array(
        [limits.min, limits.min + 1, -7, -3, -1, 0, 1, 2, 7, limits.max], np.int64
    ).astype(dtype)  # fmt: skip
    return np.repeat(edge, len(edge)), np.tile(edge, len(edge))


@pytest.mark.parametrize("dtype", INTEGERS)
@pytest.mark.parametrize(
    "name", ["divide", "floor_divide", "floor_mod", "add", "multiply", "maximum", "less", "equal"]
)
def test_integers_never_trap(name: str, dtype: Any) -> None:
    with np.errstate(all="ignore"):
        both(f"flow.{name}", *pairs(dtype))


def test_division_by_zero_and_of_the_lowest() -> None:
    x, y = np.array([7, 0, -128, -128], np.int8), np.array([0, 0, -1, 0], np.int8)
    with np.errstate(all="ignore"):
        assert both("flow.divide", x, y).tolist() == [0, 0, -128, 0]
        assert both("flow.floor_divide", x, y).tolist() == [0, 0, -128, 0]
        assert both("flow.floor_mod", x, y).tolist() == [0, 0, 0, 0]


def test_division_rounds_towards_zero_and_floor_division_down() -> None:
    x, y = np.array([7, -7, 7, -7]), np.array([2, 2, -2, -2])
    assert both("flow.divide", x, y).tolist() == [3, -3, -3, 3]
    assert both("flow.floor_divide", x, y).tolist() == [3, -4, -4, 3]
    assert both("flow.floor_mod", x, y).tolist() == [1, 1, -1, -1]


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize(
    "name",
    ["add", "subtract", "multiply", "divide", "maximum", "minimum", "floor_mod", "floor_divide",
     "equal", "not_equal", "less", "less_equal", "greater", "greater_equal", "pow"],
)  # fmt: skip
def test_floats_at_the_edges(name: str, dtype: Any) -> None:
    edge = np.array([-INF, -2.5, -1.0, -0.0, 0.0, 0.5, 3.0, INF, NAN], dtype)
    with np.errstate(all="ignore"):
        both(f"flow.{name}", np.repeat(edge, len(edge)), np.tile(edge, len(edge)))


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize(
    "name",
    ["negative", "abs", "sign", "relu", "square", "reciprocal", "floor", "ceil", "rint", "sqrt",
     "exp", "log", "log1p", "tanh", "sigmoid"],
)  # fmt: skip
def test_functions_at_the_edges(name: str, dtype: Any) -> None:
    with np.errstate(all="ignore"):
        both(f"flow.{name}", np.array([-INF, -1.5, -0.5, -0.0, 0.0, 0.5, 2.5, INF, NAN], dtype))


def test_relu_keeps_nan() -> None:
    assert np.isnan(both("flow.relu", np.array([NAN], np.float32)))[0]


@pytest.mark.parametrize("source", FLOATS)
@pytest.mark.parametrize("to", INTEGERS)
def test_floats_become_integers_within_their_range(source: Any, to: Any) -> None:
    limits = np.iinfo(to)
    values = np.array(
        [NAN, INF, -INF, 1e30, -1e30, 2.9, -2.9, -0.0, limits.max, limits.min], source
    )
    got = both("flow.cast", values, element=element_type(np.dtype(to)))
    below = max(-2, limits.min)
    assert got[:8].tolist() == [0, limits.max, limits.min, limits.max, limits.min, 2, below, 0]
    assert got[9] == limits.min


def test_integers_lose_their_high_bits() -> None:
    got = both("flow.cast", np.array([300, -129, 127], np.int32), element=ty.i8)
    assert got.tolist() == [44, 127, 127]


def test_out_of_range_labels_give_nan_and_read_nothing_out_of_bounds() -> None:
    x = np.arange(6, dtype=np.float32).reshape(3, 2)
    for dtype in INTEGERS:
        limits = np.iinfo(dtype)
        for label in (limits.min or 128, -1 if limits.min else 254, 2, limits.max):
            got = both("flow.pick", x, np.array([label, 0, 1], dtype))
            assert np.isnan(got[0])
            assert got[1:].tolist() == [2.0, 5.0]


def test_one_hot_of_out_of_range_labels_is_zero() -> None:
    got = both("flow.one_hot", np.array([-1, 3, 1], np.int64), depth=3, element=ty.f32)
    assert got.sum(1).tolist() == [0, 0, 1]


def test_argmax_takes_the_first_and_counts_nan_as_largest() -> None:
    x = np.array([[1, 3, 3], [NAN, 5, NAN], [-INF, -INF, -INF], [2, NAN, 9]], np.float32)
    assert both("flow.argmax", x, axis=1).tolist() == [1, 0, 0, 1]


@pytest.mark.parametrize("name", ["reduce_max", "reduce_min"])
def test_extrema_of_nan_and_infinities(name: str) -> None:
    x = np.array([[1, NAN], [-INF, INF], [-INF, -INF], [INF, INF]], np.float32)
    got = both(f"flow.{name}", x, axes=(1,))
    assert np.isnan(got[0])


def test_sums_of_no_elements() -> None:
    empty = np.zeros((2, 0), np.float32)
    assert both("flow.reduce_sum", empty, axes=(1,)).tolist() == [0, 0]
    assert both("flow.reduce_prod", empty, axes=(1,)).tolist() == [1, 1]
    assert both("flow.matmul", empty, empty.T).tolist() == [[0, 0], [0, 0]]


def test_large_logits_do_not_overflow() -> None:
    logits = np.array([[1e4, 0, -1e4]], np.float32)
    assert both("flow.softmax", logits, axis=1).tolist() == [[1, 0, 0]]
    loss = both("flow.sparse_softmax_cross_entropy", np.array([2]), logits)
    assert loss.tolist() == [2e4]
