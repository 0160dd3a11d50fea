"""A variable declared twice, in one job or in two: explicit choices must agree."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import numpy as np
import pytest

import penstock as flow
import penstock.typing as tp

Refused = Callable[..., AbstractContextManager[None]]
Row: Any = tp.Numpy.Placeholder((1, 2))
ONES, ZEROS = flow.ones_initializer(), flow.zeros_initializer()

CHOICES: list[tuple[dict[str, Any], dict[str, Any], str]] = [
    ({}, {"initializer": ZEROS}, "initializer constant(value=0.0)"),
    ({"regularizer": flow.regularizers.l2(0.1)}, {"regularizer": flow.regularizers.l2(0.2)}, "l2="),
    ({"trainable": True}, {"trainable": False}, "trainable False"),
]


@pytest.mark.parametrize(("first", "second", "text"), CHOICES, ids=str)
def test_within_a_job(
    refused: Refused, first: dict[str, Any], second: dict[str, Any], text: str
) -> None:
    @flow.global_function()
    def job() -> tp.Numpy:
        flow.get_variable("w", (2,), **{"initializer": ONES, **first})
        return flow.get_variable("w", **second)  # here

    with refused(ValueError, "variable w", text, "test_declared_again.py:", "declare it the same"):
        job.trace()


@pytest.mark.parametrize(("first", "second", "text"), CHOICES, ids=str)
def test_between_jobs(
    refused: Refused, first: dict[str, Any], second: dict[str, Any], text: str
) -> None:
    @flow.global_function()
    def one() -> tp.Numpy:
        return flow.get_variable("w", (2,), **{"initializer": ONES, **first})

    @flow.global_function()
    def two() -> tp.Numpy:
        return flow.get_variable("w", (2,), **{"initializer": ONES, **second})  # here

    with refused(
        ValueError, text, "in job 'two'", "job 'one' (tests/error/jobs/test_declared_again.py:"
    ):
        one()


def test_equal_declarations_may_be_repeated() -> None:
    @flow.global_function()
    def job() -> tp.Numpy:
        chosen = flow.get_variable("w", (2,), initializer=ONES, trainable=False)
        return chosen + flow.get_variable("w", initializer=flow.ones_initializer())

    np.testing.assert_array_equal(job(), [2, 2])


def test_a_predict_job_may_declare_a_trained_variable_untrainable() -> None:
    def job_of(type: Any, name: str) -> Any:
        def job() -> tp.Numpy:
            w = flow.get_variable("w", (2,), initializer=ONES, trainable=type == "train")
            if type == "train":
                rate = flow.optimizer.PiecewiseConstantScheduler([], [0.5])
                flow.optimizer.SGD(rate, momentum=0).minimize(w)
            return w

        job.__name__ = name
        return flow.global_function(type)(job)

    evaluate, train = job_of("predict", "evaluate"), job_of("train", "train")
    for value in (1.0, 0.75):
        np.testing.assert_array_equal(evaluate(), [value, value])
        train()


def test_explicit_choices_override_the_defaults_of_layers() -> None:
    def network(x: Any, **chosen: Any) -> Any:
        return flow.layers.dense(x, 2, use_bias=False, name="fc", **chosen)

    @flow.global_function()
    def plain(x: Row) -> tp.Numpy:
        return network(x)

    @flow.global_function(type="train")
    def train(x: Row) -> tp.Numpy:
        y = network(x, kernel_initializer=ONES, trainable=True)
        rate = flow.optimizer.PiecewiseConstantScheduler([], [0.0])
        flow.optimizer.SGD(rate, momentum=0).minimize(y)
        return y

    @flow.global_function()
    def frozen(x: Row) -> tp.Numpy:
        return network(x, trainable=False)

    x = np.ones((1, 2), np.float32)
    for job in (plain, train, frozen):
        np.testing.assert_array_equal(job(x), [[2, 2]])


def test_activations_need_not_take_a_name() -> None:
    @flow.global_function()
    def job(x: Row) -> tp.Numpy:
        def twice(y: Any) -> Any:
            return flow.nn.relu(y) * 2.0

        return flow.layers.dense(x, 1, twice, kernel_initializer=ONES, name="fc")

    np.testing.assert_array_equal(job(np.ones((1, 2), np.float32)), [[4]])


def test_activation_that_does_not_return_a_blob(refused: Refused) -> None:
    @flow.global_function()
    def job(x: Row) -> tp.Numpy:
        return flow.layers.dense(x, 1, lambda y: None)  # type: ignore[arg-type,return-value] # here

    with refused(TypeError, "flow.layers.dense", "its activation gives", "got None"):
        job.trace()
