"""Tensors: element types, printing, operators and methods."""

from typing import Any

import numpy as np
import pytest

import penstock.mindspore as ms
from penstock.mindspore import Parameter, ParameterTuple, Tensor
from penstock.mindspore import dtype as mstype

X = np.array([[1.0, -2.0, 3.0], [4.0, 5.0, -6.0]], np.float32)


def test_element_types() -> None:
    forms = [(1.5, "Float32"), ([1, 2], "Int64"), (True, "Bool"), (np.float64(1), "Float64"),
             (np.zeros(1, np.float16), "Float16"), (np.zeros(1, np.uint8), "UInt8")]  # fmt: skip
    for value, name in forms:
        assert str(Tensor(value).dtype) == name
    assert Tensor([1, 2], ms.float16).dtype is mstype.float16
    assert Tensor([1.5], np.int32).asnumpy().dtype == np.int32
    assert mstype.dtype_to_nptype(ms.int8) is np.int8
    assert mstype.pytype_to_dtype(float) is ms.float32


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (2.5, "Tensor(shape=[], dtype=Float32, value= 2.5)"),
        ([1, 20], "Tensor(shape=[2], dtype=Int64, value= [ 1, 20])"),
        ([True, False], "Tensor(shape=[2], dtype=Bool, value= [ True, False])"),
        (np.array([5], np.float16), "Tensor(shape=[1], dtype=Float16, value= [ 5.0000e+00])"),
        (X[:, :2], "Tensor(shape=[2, 2], dtype=Float32, value=\n"
                   "[[ 1.00000000e+00, -2.00000000e+00],\n [ 4.00000000e+00,  5.00000000e+00]])"),
    ],
)  # fmt: skip
def test_printing(value: Any, text: str) -> None:
    assert repr(Tensor(value)) == text
    assert str(Tensor(value)) == str(Tensor(value).asnumpy())


def test_operators() -> None:
    x, wide = Tensor(X), X.astype(np.float64)
    cases: list[tuple[Any, Any]] = [
        (1 + x, 1 + wide), (x - 2, wide - 2), (2 - x, 2 - wide), (x * x, wide * wide),
        (1 / x, 1 / wide), (x // 2, wide // 2), (x % 2, wide % 2), (x**2, wide**2),
        (2**x, 2**wide), (-x, -wide), (abs(x), abs(wide)), (x @ x.T, wide @ wide.T),
        (x == 1, wide == 1), (x != 1, wide != 1), (x < 1, wide < 1), (x >= 1, wide >= 1),
        ((x > 1) & (x < 4), (wide > 1) & (wide < 4)), (~(x > 1), wide <= 1),
        (np.float32(2) * x, 2 * wide), (X + x, wide * 2), (x[1], wide[1]),
        (x[:, ::2], wide[:, ::2]), (Tensor([6]) & Tensor([3]), [2]), (x[x > 2], wide[wide > 2]),
    ]  # fmt: skip
    for got, wanted in cases:
        assert isinstance(got, Tensor)
        np.testing.assert_allclose(got.asnumpy(), wanted, rtol=1e-6)
    assert len(x) == 2
    assert [float(one) for one in x[0]] == [1.0, -2.0, 3.0]
    x[0, 1] = 7.0
    assert float(x[0, 1]) == 7.0
    assert x in {x}


def test_methods() -> None:
    x, wide = Tensor(X), X.astype(np.float64)
    cases: list[tuple[Any, Any]] = [
        (x.sum(), wide.sum()), (x.sum(1, keepdims=True), wide.sum(1, keepdims=True)),
        (x.mean(0), wide.mean(0)), (x.max(1), wide.max(1)), (x.min(), wide.min()),
        (x.std(), wide.std()), (x.var(1, ddof=1), wide.var(1, ddof=1)), (x.prod(), wide.prod()),
        (x.argmax(), wide.argmax()), (x.argmin(1), wide.argmin(1)), (x.abs(), abs(wide)),
        (x.all(), True), ((x > 4).any(1), [False, True]), (x.astype(ms.int32), X.astype(int)),
        (x.reshape(3, 2), X.reshape(3, 2)), (x.view((6,)), X.ravel()), (x.ravel(), X.ravel()),
        (x.transpose(), X.T), (x.transpose(1, 0), X.T), (x.swapaxes(0, 1), X.T), (x.T, X.T),
        (x.expand_dims(0), X[None]), (x.expand_dims(0).squeeze(), X), (x.flatten("F"), X.T.ravel()),
        (x.clip(-1, 4), X.clip(-1, 4)), (x.cumsum(1), wide.cumsum(1)), (x.copy(), X),
        (x.repeat(2, 1), X.repeat(2, 1)), (x.take(Tensor([2, 5, 9])), [3.0, -6.0, -6.0]),
        (x.take(Tensor([0, 4]), 1, "wrap"), X[:, [0, 1]]), (x.resize(2, 2), [[1, -2], [3, 4]]),
        (x.resize((7,)), [*X.ravel(), 0]), (x.trace(), 6.0), (x.diagonal(1), [-2.0, -6.0]),
        (x.broadcast_to((1, 2, 3)), X[None]), (x.pow(2), wide**2), (x.square(), wide**2),
    ]  # fmt: skip
    for got, wanted in cases:
        np.testing.assert_allclose(got.asnumpy(), wanted, rtol=1e-6)
    assert (x.ndim, x.size, x.itemsize, x.nbytes, x.strides) == (2, 6, 4, 24, (12, 4))
    assert Tensor([3]).item() == 3
    assert x.item((1, 0)) == 4.0


def test_parameters() -> None:
    source = Tensor([1.0, 2.0])
    p = Parameter(source, name="w")
    p.set_data(Tensor([5.0, 6.0]))
    assert source.asnumpy().tolist() == [1.0, 2.0]
    assert p.asnumpy().tolist() == [5.0, 6.0]
    assert str(p) == "Parameter (name=w, shape=(2,), dtype=Float32, requires_grad=True)"
    assert (p + 1).asnumpy().tolist() == [6.0, 7.0]
    (copy,) = ParameterTuple([p]).clone("old", "zeros")
    assert (copy.name, copy.asnumpy().tolist()) == ("old.w", [0.0, 0.0])
    assert str(Parameter(3, "n").dtype) == "Int64"
