"""Mistakes with random numbers."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import numpy as np
import pytest

import penstock as flow
import penstock.typing as tp

Refused = Callable[..., AbstractContextManager[None]]


def test_drawing_outside_a_job(refused: Refused) -> None:
    with refused(NotImplementedError, "flow.random.uniform works inside the body"):
        flow.random.uniform((2,))  # here


MISTAKES: list[tuple[Callable[[Any], object], type[Exception], str]] = [
    (lambda x: flow.nn.dropout(x, 1.0),  # here
     ValueError, "rate of flow.nn.dropout must lie in [0, 1), got 1.0"),
    (lambda x: flow.nn.dropout(x, -0.1),  # here
     ValueError, "rate of flow.nn.dropout must lie in [0, 1), got -0.1"),
    (lambda x: flow.nn.dropout(x, "0.5"),  # here
     TypeError, "rate of flow.nn.dropout must be a number"),
    (lambda x: flow.nn.dropout(3, 0.5),  # here
     TypeError, "flow.nn.dropout takes blobs"),
    (lambda x: flow.nn.random_mask_like(x, 0.5, noise_shape=(3, 3)),  # here
     ValueError, "noise_shape of flow.nn.random_mask_like must broadcast to shape (2, 3), got"),
    (lambda x: flow.nn.random_mask_like(x, 0.5, seed=-1),  # here
     TypeError, "a seed must be an int"),
    (lambda x: flow.random.uniform((2, -1)),  # here
     ValueError, "every dimension of flow.random.uniform must be at least 1, got -1"),
    (lambda x: flow.random.normal(3),  # type: ignore[arg-type] # here
     TypeError, "the shape of flow.random.normal must be a tuple or list, got 3; write (3,)"),
    (lambda x: flow.random.uniform((2,), 0, np.inf),  # here
     ValueError, "flow.random.uniform needs a finite range from minval to maxval, got 0 and inf"),
    (lambda x: flow.random.uniform((2,), 1.0, 0.0),  # here
     ValueError, "flow.random.uniform needs minval <= maxval, got 1.0 and 0.0"),
    (lambda x: flow.random.uniform((2,), dtype=flow.int32),  # here
     ValueError, "expected elements of type f32, f64, f16, bf16, got i32"),
    (lambda x: flow.random.normal((2,), stddev=-1.0),  # here
     ValueError, "stddev of flow.random.normal must be at least 0"),
    (lambda x: flow.random.bernoulli(flow.cast(x, flow.int32)),  # here
     ValueError, "expected probabilities of floats, got tensor<2x3xi32>: cast them first"),
    (lambda x: flow.random.coin_flip(4, probability=1.5),  # here
     ValueError, "probability of flow.random.coin_flip must be above 0 and at most 1, got 1.5"),
    (lambda x: flow.random.coin_flip(1.5),  # here
     TypeError, "batch_size of flow.random.coin_flip must be an int"),
    (lambda x: flow.random.shuffle(flow.reshape(flow.math.reduce_sum(x), [])),  # here
     ValueError, "flow.random.shuffle takes one dimension or more"),
    (lambda x: flow.random.gen_seed("1"),  # here
     TypeError, "a seed must be an int"),
]  # fmt: skip


@pytest.mark.parametrize("number", range(len(MISTAKES)))
def test_mistakes_in_a_body(refused: Refused, number: int) -> None:
    mistake, kind, words = MISTAKES[number]

    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((2, 3))) -> tp.Numpy:
        mistake(x)
        return x

    with refused(kind, words):
        job(np.zeros((2, 3), np.float32))
