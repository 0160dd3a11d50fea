"""Tensors: how they are made, printed, converted and shared, and what they refuse."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import penstock as flow
import penstock.typing as tp

PRINTED = [
    (lambda: flow.tensor([[1.0, -1.0], [1.0, -1.0]]),
     "tensor([[ 1., -1.],\n        [ 1., -1.]], dtype=penstock.float32)"),
    (lambda: flow.tensor([1, 2, 3]), "tensor([1, 2, 3], dtype=penstock.int64)"),
    (lambda: flow.tensor([0.5, 1.25]), "tensor([0.5000, 1.2500], dtype=penstock.float32)"),
    (lambda: flow.tensor(2.0), "tensor(2., dtype=penstock.float32)"),
    (lambda: flow.tensor([True, False]), "tensor([ True, False], dtype=penstock.bool)"),
    (lambda: flow.tensor([]), "tensor([], dtype=penstock.float32)"),
    (lambda: flow.zeros(0, 3), "tensor([], size=(0, 3), dtype=penstock.float32)"),
    (lambda: flow.tensor([1.0, float("nan"), float("inf")]),
     "tensor([1., nan, inf], dtype=penstock.float32)"),
    (lambda: flow.tensor([1e-6, 1.0]), "tensor([1.0000e-06, 1.0000e+00], dtype=penstock.float32)"),
    (lambda: flow.ones(2, requires_grad=True),
     "tensor([1., 1.], dtype=penstock.float32, requires_grad=True)"),
    (lambda: flow.ones(2, requires_grad=True) + 1,
     "tensor([2., 2.], dtype=penstock.float32, grad_fn=<add_backward>)"),
    (lambda: flow.arange(2000), "tensor([   0,    1,    2, ..., 1997, 1998, 1999], "
     "dtype=penstock.int64)"),
]  # fmt: skip


@pytest.mark.parametrize(("make", "text"), PRINTED)
def test_printing(make: Any, text: str) -> None:
    assert repr(make()) == text


def test_element_types() -> None:
    assert flow.tensor(1).dtype is flow.int64
    assert flow.tensor(1.5).dtype is flow.float32
    assert flow.tensor([True]).dtype is flow.bool
    assert flow.tensor(np.zeros(2)).dtype is flow.float64
    assert flow.tensor(np.zeros(2), dtype=flow.int8).dtype is flow.int8
    assert flow.tensor(np.zeros(2, ml_dtypes.bfloat16)).dtype is flow.bfloat16
    assert flow.Tensor(np.zeros(2)).dtype is flow.float32
    for dtype in (flow.float16, flow.float64, flow.uint8, flow.int32):
        assert flow.zeros(2, dtype=dtype).dtype is dtype
    x = flow.tensor([1.7, -1.7])
    assert x.int().tolist() == [1, -1]
    assert (x.int.__name__, x.half().dtype) == ("int", flow.float16)
    assert x.to(flow.float64).dtype is flow.float64
    assert (x.long().dtype, x.bool().tolist()) == (flow.int64, [True, True])
    assert x.type_as(flow.zeros(1, dtype=flow.float16)).dtype is flow.float16


PROMOTED = [
    (flow.int32, flow.int64, flow.int64), (flow.int32, flow.float16, flow.float16),
    (flow.float32, flow.float64, flow.float64), (flow.bool, flow.int8, flow.int8),
    (flow.float16, flow.bfloat16, flow.float32), (flow.uint8, flow.int32, flow.int32),
]  # fmt: skip


@pytest.mark.parametrize(("x", "y", "z"), PROMOTED, ids=str)
def test_promotion(x: Any, y: Any, z: Any) -> None:
    a, b = flow.ones(2, dtype=x), flow.ones(2, dtype=y)
    assert (a + b).dtype is z
    assert (b * a).dtype is z
    # A tensor of rank 0 counts only where its kind is the higher one.
    rank0 = (a + flow.tensor(1, dtype=y)).dtype
    kinds = [2 if t.is_float else 0 if t.is_bool else 1 for t in (x, y)]
    assert rank0 is (y if kinds[1] > kinds[0] else x)


def test_numbers_in_operators() -> None:
    i = flow.tensor([3, 4])
    assert (i + 1).dtype is flow.int64
    assert (i + 0.5).dtype is flow.float32
    assert (i / 2).tolist() == [1.5, 2.0]
    assert (7 // i).tolist() == [2, 1]
    assert (1 - flow.ones(2, dtype=flow.float16)).dtype is flow.float16
    assert (i > 3).dtype is flow.bool
    assert (i % 2).tolist() == [1, 0]
    assert (2**i).tolist() == [8, 16]
    assert (-i).tolist() == [-3, -4]
    assert (~(i > 3)).tolist() == [True, False]
    assert ((i > 3) | (i < 4)).tolist() == [True, True]
    assert flow.exp(flow.tensor([0])).tolist() == [1.0]
    bits = flow.tensor([True, True, False])
    both = bits + flow.tensor([True, False, False]), bits * True, bits + 1
    assert [(one.dtype, one.tolist()) for one in both] == [
        (flow.bool, [True, True, False]), (flow.bool, [True, True, False]), (flow.int64, [2, 2, 1]),
    ]  # fmt: skip
    assert (np.float32(2) * flow.ones(2)).tolist() == [2, 2]
    assert (np.ones(2, np.float32) + flow.ones(2)).tolist() == [2, 2]


def test_sharing_memory() -> None:
    array = np.zeros(3, np.float32)
    x = flow.from_numpy(array)
    array[0] = 1
    x[1] = 2
    assert array.tolist() == x.tolist() == [1, 2, 0]
    assert np.shares_memory(x.numpy(), array)
    assert np.shares_memory(np.asarray(x), array)
    assert np.shares_memory(np.from_dlpack(x), array)
    assert np.shares_memory(flow.from_dlpack(array).numpy(), array)
    assert not np.shares_memory(flow.tensor(array).numpy(), array)
    assert flow.as_tensor(x) is x
    view = x.reshape(1, 3)
    assert np.shares_memory(view.numpy(), array)
    assert (view.stride(), view.is_contiguous(), x.reshape(3, 1).t().is_contiguous()) == (
        (3, 1), True, True,
    )  # fmt: skip
    y = flow.zeros(2, 3).t()
    assert (y.stride(), y.is_contiguous(), y.contiguous().is_contiguous()) == ((1, 3), False, True)
    z = flow.arange(6).as_strided((2, 2), (3, 1), 1)
    assert z.tolist() == [[1, 2], [4, 5]]
    with pytest.raises(RuntimeError, match="reaches outside of the 6 elements"):
        flow.arange(6).as_strided((2, 2), (3, 1), 3)


def test_numbers_of_python() -> None:
    assert flow.tensor([2.5]).item() == 2.5
    assert int(flow.tensor(3)) == 3
    assert [1, 2, 3][flow.tensor(1)] == 2
    assert float(flow.tensor(1.5)) == 1.5
    assert bool(flow.tensor(0)) is False
    assert len(flow.zeros(2, 3)) == 2
    assert [row.tolist() for row in flow.tensor([[1], [2]])] == [[1], [2]]
    assert f"{flow.tensor(1.234):.2f}" == "1.23"
    with pytest.raises(RuntimeError, match="neither true nor false"):
        bool(flow.zeros(2))
    with pytest.raises(ValueError, match="only a tensor of one element"):
        flow.zeros(2).item()


def test_copies() -> None:
    x = flow.ones(2, requires_grad=True)
    y = copy.deepcopy(x)
    with flow.no_grad():
        y.add_(1)
    assert (x.tolist(), y.tolist(), y.requires_grad) == ([1, 1], [2, 2], True)
    z = copy.deepcopy(x + 1)
    assert (z.tolist(), z.is_leaf, z.requires_grad) == ([2, 2], True, True)
    with pytest.raises(TypeError, match=r"use flow\.save"):
        pickle.dumps(x)


@pytest.mark.parametrize(
    ("make", "kind", "message"),
    [
        (lambda: flow.tensor("a"), TypeError, "takes numbers, lists and arrays"),
        (lambda: flow.tensor([[1, 2], [3]]), ValueError, "lists of one length"),
        (lambda: flow.tensor(np.zeros(2, np.uint16)), TypeError, "convert it first"),
        (lambda: flow.zeros(-1), ValueError, "at least 0"),
        (lambda: flow.zeros(2).mean(3), IndexError, "dim of flow.mean must lie in"),
        (lambda: flow.zeros(2) + flow.zeros(3), ValueError, "do not broadcast"),
        (lambda: flow.zeros(2, 3) @ flow.zeros(2, 3), RuntimeError, "3 columns and 2 rows"),
        (lambda: flow.zeros(2).nothing, AttributeError, "a tensor has no 'nothing'"),
        (lambda: flow.zeros(2).rehsape(1), AttributeError, 'did you mean "reshape"'),
        (lambda: flow.cat([]), TypeError, "takes a list of tensors"),
        (lambda: flow.zeros(4).reshape(3), RuntimeError, "cannot reshape 4 elements to"),
        (lambda: flow.ones(2, dtype=flow.int32).mean(), RuntimeError, "takes floats"),
        (lambda: flow.device("cuda"), RuntimeError, 'on the device "cpu"'),
        (lambda: flow.exp([1.0]), NotImplementedError, "flow.tensor"),
    ],
)
def test_misuse(make: Any, kind: type[Exception], message: str) -> None:
    with pytest.raises(kind, match=message) as caught:
        make()
    assert "test_tensor.py:" in str(caught.value)


def test_the_body_of_a_job_takes_blobs() -> None:
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((2, 3))) -> tuple[tp.Numpy, tp.Numpy]:  # type: ignore[valid-type]
        both = flow.cat([flow.exp(x), flow.zeros((2, 3))], 0)
        return both, flow.sum(x, 1)

    x = np.ones((2, 3), np.float32)
    both, sums = job(x)
    np.testing.assert_allclose(both[:2], np.exp(x), rtol=1e-6)
    assert sums.tolist() == [3, 3]
