"""Mistakes with normalizations and with assigned variables."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import numpy as np
import pytest

import penstock as flow
import penstock.typing as tp

Refused = Callable[..., AbstractContextManager[None]]


def new(name: str, shape: tuple[int, ...] = (3,), **options: Any) -> Any:
    return flow.get_variable(name, shape, initializer=flow.zeros_initializer(), **options)


def whole(x: Any) -> Any:
    return flow.cast(x, flow.int32)


norm = flow.layers.batch_normalization

MISTAKES: list[tuple[Callable[[Any], object], type[Exception], str]] = [
    (lambda x: norm(x, axis=4),  # here
     ValueError, "flow.layers.batch_normalization"),
    (lambda x: norm(whole(x)),  # here
     TypeError, "flow.layers.batch_normalization takes floats, got flow.int32"),
    (lambda x: norm(x, epsilon=-1.0),  # here
     ValueError, "epsilon of flow.layers.batch_normalization must be at least 0, got -1.0"),
    (lambda x: norm(x, momentum=5),  # here
     ValueError, "momentum of flow.layers.batch_normalization must be at most 1, got 5"),
    (lambda x: norm(x, momentum="0.9"),  # here
     TypeError, "momentum of flow.layers.batch_normalization must be a number"),
    (lambda x: norm(x, center=1),  # here
     TypeError, "center of flow.layers.batch_normalization must be True or False"),
    (lambda x: norm(x, name=""),  # here
     TypeError, "name of flow.layers.batch_normalization must be a string that is not empty"),
    (lambda x: (norm(x), norm(x)),  # here
     ValueError, "variable BatchNorm-beta already exists in job 'job'"),
    (lambda x: norm(flow.reshape(x, (24,)), axis=0),  # here
     ValueError, "takes several samples of each channel, got shape (24,)"),
    (lambda x: flow.nn.batch_normalization(x, new("m", (2,)), new("v", (2,))),  # here
     ValueError, "mean of flow.nn.batch_normalization must have shape (3,), one number for each"),
    (lambda x: flow.nn.GroupNorm(x, 2),  # here
     ValueError, "num_groups of flow.nn.GroupNorm must divide the 3 channels, got 2"),
    (lambda x: flow.nn.GroupNorm(flow.reshape(x, (2, 12)), 2),  # here
     ValueError, "flow.nn.GroupNorm takes three dimensions or more, got shape (2, 12)"),
    (lambda x: flow.nn.InstanceNorm1d(x),  # here
     ValueError, "flow.nn.InstanceNorm1d takes 3 dimensions, got shape (2, 3, 2, 2)"),
    (lambda x: flow.nn.InstanceNorm2d(x, affine="yes"),  # here
     TypeError, "affine of flow.nn.InstanceNorm2d must be True or False"),
    (lambda x: flow.layers.layer_norm_grad(x, x, x, x),  # here
     ValueError, "mean of flow.layers.layer_norm_grad must have shape (2,), got (2, 3, 2, 2)"),
    (lambda x: flow.layers.layer_norm_param_grad(x, x, x),  # here
     ValueError, "gamma of flow.layers.layer_norm_param_grad must have shape (2,)"),
    (lambda x: flow.layers.prelu(x, shared_axes=1),  # type: ignore[arg-type] # here
     TypeError, "shared_axes of flow.layers.prelu must be a list or tuple of ints, got 1"),
    (lambda x: flow.layers.prelu(x, shared_axes=[0]),  # here
     ValueError, "shared_axes of flow.layers.prelu count from 1, got 0"),
    (lambda x: flow.assign(x, x),  # here
     ValueError, "flow.assign takes a variable first, got blob x"),
    (lambda x: flow.assign(new("v"), x),  # here
     ValueError, "variable v is flow.float32 of shape (3,), and flow.assign was given"),
    (lambda x: [flow.assign(new("v", trainable=False), new("w")) for _ in range(2)],  # here
     ValueError, "variable v has its new value from"),
]  # fmt: skip


@pytest.mark.parametrize("number", range(len(MISTAKES)))
def test_mistakes_in_a_body(refused: Refused, number: int) -> None:
    mistake, kind, words = MISTAKES[number]

    @flow.global_function(type="train")
    def job(x: tp.Numpy.Placeholder((2, 3, 2, 2))) -> tp.Numpy:
        mistake(x)
        return x

    with refused(kind, words):
        job(np.zeros((2, 3, 2, 2), np.float32))


def test_assigning_a_trained_variable(refused: Refused) -> None:
    @flow.global_function(type="train")
    def job(x: tp.Numpy.Placeholder((3,))) -> tp.Numpy:
        flow.assign(new("w"), x)  # here
        return x

    with refused(ValueError, "variable w is learned in job 'job'", "trainable=False"):
        job(np.zeros(3, np.float32))
