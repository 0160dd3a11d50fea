"""Mistakes with blobs that have several values in a call."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import pytest

import penstock as flow
import penstock.typing as tp

Refused = Callable[..., AbstractContextManager[None]]

MISUSES: list[tuple[Callable[[Any], Any], str]] = [
    (lambda x: flow.unpack(x, 4), "needs a first dimension of 4 equal parts, got shape (6, 2)"),
    (lambda x: flow.unpack(flow.math.reduce_sum(x, [0, 1]), 2), "got shape (1,)"),
    (lambda x: flow.repeat(x, 0), "repeat_num of flow.repeat must lie from 1 to 1024"),
    (lambda x: flow.repeat(flow.repeat(x, 512), 3), "must lie from 1 to 2, since the ops of each"),
    (lambda x: flow.acc(flow.repeat(x, 6), 4), "must divide the number of micro-batches of blob "),
    (lambda x: flow.pack(x, 2), "pack_num of flow.pack must divide the number of micro-batches"),
    (lambda x: flow.repeat(x, 2) + flow.unpack(x, 3), "blobs repeat of 2 and unpack of 3; join"),
]


@pytest.mark.parametrize(("misuse", "said"), MISUSES)
def test_micro_batches_that_do_not_fit(misuse: Callable[[Any], Any], said: str) -> None:
    line = misuse.__code__.co_firstlineno

    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((6, 2))) -> tp.Numpy:  # type: ignore[valid-type]
        return misuse(x)

    with pytest.raises(ValueError, match=rf"test_micro_batch_misuse\.py:{line}: ") as caught:
        job.trace()
    assert said in str(caught.value)


def test_result_of_several_micro_batches(refused: Refused) -> None:
    @flow.global_function()  # here
    def job(x: tp.Numpy.Placeholder((6, 2))) -> tp.Numpy:  # type: ignore[valid-type]
        return flow.unpack(x, 2)

    said = "what job 'job' returns must have one value in a call, but blob unpack has 2; join them"
    with refused(ValueError, said, "flow.pack or flow.acc"):
        job.trace()


def test_loss_and_variable_of_several_micro_batches(refused: Refused) -> None:
    @flow.global_function(type="train")
    def job(x: tp.Numpy.Placeholder((6, 2))) -> None:  # type: ignore[valid-type]
        w = flow.get_variable("w", (3, 2), initializer=flow.ones_initializer())
        rate = flow.optimizer.PiecewiseConstantScheduler([], [0.1])
        flow.optimizer.SGD(rate).minimize(flow.unpack(x, 2) * w)  # here

    with refused(ValueError, "the loss of ", "minimize must have one value in a call"):
        job.trace()
    flow.clear_default_session()

    @flow.global_function()
    def other(x: tp.Numpy.Placeholder((6, 2))) -> None:  # type: ignore[valid-type]
        w = flow.get_variable("w", (3, 2), initializer=flow.ones_initializer())
        flow.assign(w, flow.unpack(x, 2))

    with pytest.raises(ValueError, match="the value of flow.assign must have one value in a call"):
        other.trace()
