"""Integers keep all their digits, and remainders of floats are exact."""

import math
import re
from typing import Any

import numpy as np
import pytest

import penstock as flow

LARGE = [123456789, -7, 7, -123456789, 0]
BY = [10, 2, -2, 2, 3]


def test_rounding_leaves_integers_alone() -> None:
    x = flow.tensor(LARGE)
    for function in (flow.floor, flow.ceil, flow.round):
        found = function(x)
        assert found.dtype is flow.int64
        assert found.tolist() == LARGE
        found[0] = 1  # a tensor of its own
        assert x.tolist() == LARGE


def test_division_towards_zero() -> None:
    x, y = flow.tensor(LARGE), flow.tensor(BY)
    quotient = flow.div(x, y, rounding_mode="trunc")
    assert quotient.tolist() == [12345678, -3, -3, -61728394, 0]
    assert flow.div(x, 10, rounding_mode="trunc").tolist() == [12345678, 0, 0, -12345678, 0]
    rest = flow.fmod(x, y)
    assert rest.dtype is flow.int64
    assert rest.tolist() == [9, -1, 1, -1, 0]


def test_remainder_of_floats_is_exact() -> None:
    x = flow.tensor([5.0, -5.0, 1e10, -7.5, 0.0], requires_grad=True)
    y = flow.tensor([math.inf, math.inf, 3.0, 2.0, 3.0])
    found = flow.fmod(x, y)
    assert found.tolist() == [5.0, -5.0, 1.0, -1.5, 0.0]
    found.sum().backward()
    assert x.grad.tolist() == [1.0] * 5


@pytest.mark.parametrize(
    ("dtype", "bits"),
    [(flow.int32, 65), (flow.int64, 71), (flow.float32, 1025), (flow.float64, 20_000)],
)
def test_integers_that_fit_no_element_are_errors_of_one_sentence(dtype: Any, bits: int) -> None:
    x = flow.ones(2, dtype=dtype)
    for _ in range(3):
        with pytest.raises(OverflowError) as raised:
            x + (1 << bits - 1)
        assert re.fullmatch(
            rf".*test_integers.py:\d+: an integer of {bits} bits does not fit into a "
            rf"tensor of {dtype}; pass a smaller number",
            str(raised.value),
        )


@pytest.mark.parametrize("dtype", [flow.int8, flow.int16, flow.int32, flow.int64, flow.uint8])
def test_division_towards_zero_of_the_extreme_integers(dtype: Any) -> None:
    limits = np.iinfo(dtype.numpy)
    ends = sorted({limits.min, limits.min + 1, limits.max - 1, limits.max, 1, 2, 3, 100})
    ends += [-one for one in (1, 2, 3, 100) if limits.min < 0]
    # The quotient that does not fit is no concern of ours.
    pairs = [(x, y) for x in [0, *ends] for y in ends if y and (x, y) != (limits.min, -1)]
    x, y = (flow.tensor(side, dtype=dtype) for side in zip(*pairs, strict=True))
    quotients = [abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1) for a, b in pairs]
    assert flow.div(x, y, rounding_mode="trunc").tolist() == quotients
    rests = [a - q * b for (a, b), q in zip(pairs, quotients, strict=True)]
    assert flow.fmod(x, y).tolist() == rests
    towards = [abs(a) % 3 * (-1 if a < 0 else 1) for a, _ in pairs]
    assert flow.fmod(x, 3).tolist() == towards


def test_powers() -> None:
    flags, x = flow.tensor([True, False]), flow.tensor([3, -2, 0, 1])
    assert (flags**2).dtype is flow.int64
    assert (flags**2).tolist() == [1, 0]
    assert (x**True).tolist() == [3, -2, 0, 1]
    assert flow.pow(x, flow.tensor([-1, -1, -1, -1])).tolist() == [0, 0, 0, 1]
    assert flow.pow(x, flow.tensor([2, 3, 0, 5])).tolist() == [9, -8, 1, 1]


def test_integers_become_floats_where_results_are() -> None:
    x, y = flow.tensor([1, 2]), flow.tensor([2, 1])
    for found, wanted in (
        (flow.atan2(x, y), [math.atan2(1, 2), math.atan2(2, 1)]),
        (flow.xlogy(x, y), [math.log(2), 0.0]),
        (flow.logsumexp(x, 0), math.log(math.exp(1) + math.exp(2))),
    ):
        assert found.dtype is flow.float32
        assert found.tolist() == pytest.approx(wanted, rel=1e-6)


def test_extremes_of_truths() -> None:
    x = flow.tensor([[True, False], [True, True]])
    assert (x.amax(1).tolist(), x.amin(1).tolist()) == ([True, True], [False, True])
    assert (x.amax().item(), x.amin().dtype) == (True, flow.bool)
