"""Invalid plain arguments: flags, numbers next to blobs, sizes."""

import warnings
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from typing import Any

import numpy as np
import pytest

import penstock as flow
import penstock.typing as tp

Refused = Callable[..., AbstractContextManager[None]]
Square: Any = tp.Numpy.Placeholder((2, 2))
Labels: Any = tp.Numpy.Placeholder((2,), dtype=flow.int32)
ONES = flow.ones_initializer()


@pytest.fixture(autouse=True)
def strict() -> Iterator[None]:
    """Warnings are failures."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


def test_word_in_place_of_a_flag(refused: Refused) -> None:
    @flow.global_function()
    def job() -> tp.Numpy:
        return flow.get_variable("w", (4,), initializer=ONES, trainable="False")  # type: ignore[arg-type] # here

    with refused(TypeError, 'trainable of variable w must be True or False, got the string "F'):
        job.trace()


def test_word_in_place_of_a_transposition(refused: Refused) -> None:
    @flow.global_function()
    def job(x: Square) -> tp.Numpy:
        return flow.matmul(x, x, transpose_b="yes")  # type: ignore[arg-type] # here

    with refused(TypeError, "transpose_b of flow.matmul must be True or False"):
        job.trace()


def test_word_in_place_of_ignoring() -> None:
    with pytest.raises(TypeError, match="ignore_mismatch of load_variables must be True or False"):
        flow.load_variables({}, ignore_mismatch="no")  # type: ignore[arg-type]


NUMBERS: list[tuple[Any, type[Exception], str]] = [
    (float("nan"), TypeError, "flow.add got nan with flow.int32 blobs; cast them first"),
    (float("inf"), TypeError, "flow.add got inf with flow.int32 blobs"),
    (10**400, ValueError, "flow.add got a number, which flow.int32 cannot hold"),
    (2**31, ValueError, "flow.add got 2147483648, which flow.int32 cannot hold"),
]


@pytest.mark.parametrize(("number", "kind", "text"), NUMBERS, ids=str)
def test_number_beside_integers(
    refused: Refused, number: Any, kind: type[Exception], text: str
) -> None:
    @flow.global_function()
    def job(x: Labels) -> tp.Numpy:
        return x + number  # here

    with refused(kind, text):
        job.trace()


@pytest.mark.parametrize("number", [10**400, -(10**400), 1e300, np.float64(1e39)], ids=str)
@pytest.mark.parametrize("dtype", [flow.float16, flow.bfloat16, flow.float])
def test_number_that_would_become_infinity(refused: Refused, number: Any, dtype: Any) -> None:
    @flow.global_function()
    def job() -> tp.Numpy:
        return flow.constant(number, dtype)  # here

    with refused(ValueError, "flow.constant got", f"which {dtype} cannot hold"):
        job.trace()


def test_infinity_and_nan_are_floats() -> None:
    @flow.global_function()
    def job() -> tuple[tp.Numpy, tp.Numpy]:
        return flow.constant(float("inf"), flow.float16), flow.constant(np.nan, flow.float)

    infinite, missing = job()
    assert np.isinf(infinite).all()
    assert np.isnan(missing).all()


def test_numpy_numbers_are_accepted_like_python_numbers() -> None:
    two, four = np.int64(2), np.int32(4)
    rates = flow.optimizer.PiecewiseConstantScheduler([two], [np.float32(0.5), np.float64(0.25)])  # type: ignore[list-item]
    assert rates.describe()["boundaries"] == [2]
    assert rates.learning_rate(3) == 0.25
    flow.optimizer.Adam(rates, beta1=np.float32(0.9), epsilon=np.float64(1e-8))  # type: ignore[arg-type]
    flow.optimizer.grad_clipping.by_global_norm(np.float32(1))  # type: ignore[arg-type]
    flow.optimizer.loss_scale.dynamic_loss_scale(increment_period=two)  # type: ignore[arg-type]
    assert flow.constant_initializer(np.float32(2))["value"] == 2.0  # type: ignore[arg-type]
    assert flow.regularizers.l2(np.float64(0.5)) == {"l1": 0.0, "l2": 0.5}

    @flow.global_function()
    def job(x: Square) -> tp.Numpy:
        row = flow.reshape(x, (four,))  # type: ignore[arg-type]
        y = flow.expand_dims(row, np.int64(0))  # type: ignore[arg-type]
        return flow.layers.dense(y, two, kernel_initializer=ONES, name="fc")  # type: ignore[arg-type]

    np.testing.assert_array_equal(job(np.ones((2, 2), np.float32)), [[4, 4]])


def test_softmax_of_no_dimension(refused: Refused) -> None:
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder(())) -> tp.Numpy:  # type: ignore[valid-type]
        return flow.nn.softmax(x)  # here

    with refused(ValueError, "flow.nn.softmax takes a blob of at least one dimension"):
        job.trace()


def test_port_out_of_range(refused: Refused) -> None:
    with refused(ValueError, "flow.env.ctrl_port takes at most 65535, got 65536"):
        flow.env.ctrl_port(65536)  # here


def test_name_of_an_element_type(refused: Refused) -> None:
    with refused(TypeError, 'got the string "float"; write flow.float'):
        tp.Numpy.Placeholder((2,), dtype="float")  # type: ignore[arg-type] # here


def test_negative_rate_of_a_piece(refused: Refused) -> None:
    with refused(ValueError, "each of values of PiecewiseConstantScheduler must be at least 0"):
        flow.optimizer.PiecewiseConstantScheduler([1], [0.1, -0.1])  # here
