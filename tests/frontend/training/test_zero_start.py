"""The notice for networks that cannot learn because kernels start at zero."""

from typing import Any

import pytest

import penstock as flow
import penstock.typing as tp
from penstock.basics import notices

START = flow.glorot_uniform_initializer()


@pytest.mark.parametrize(
    ("first", "second", "said"),
    [(None, None, True), (None, START, True), (START, None, False), (START, START, False)],
)
def test_notice(first: Any, second: Any, said: bool, caplog: pytest.LogCaptureFixture) -> None:
    notices.forget()

    @flow.global_function(type="train")
    def train(x: tp.Numpy.Placeholder((4, 3))) -> tp.Numpy:  # type: ignore[valid-type]
        h = flow.layers.dense(x, 5, flow.nn.relu, kernel_initializer=first, name="one")
        y = flow.layers.dense(h, 2, kernel_initializer=second, name="two")
        flow.optimizer.SGD(lr=0.1).minimize(y)
        return y

    train.trace()
    text = "variable one-weight starts at zero and is ahead of two-weight"
    assert caplog.text.count(text) == said
    assert bool(caplog.text) == said


def test_one_layer_needs_none(caplog: pytest.LogCaptureFixture) -> None:
    notices.forget()

    @flow.global_function(type="train")
    def train(x: tp.Numpy.Placeholder((4, 3))) -> tp.Numpy:  # type: ignore[valid-type]
        y = flow.layers.dense(x, 5, name="one") + flow.layers.dense(x, 5, name="two")
        flow.optimizer.SGD(lr=0.1).minimize(y)
        return y

    train.trace()
    assert caplog.text == ""
