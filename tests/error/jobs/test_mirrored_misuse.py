"""Arrays of ranks that don't fit, and blobs of which each rank has its own, misused."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import numpy as np
import pytest

import penstock as flow
import penstock.typing as tp

Refused = Callable[..., AbstractContextManager[None]]
Two: Any = tp.ListNumpy.Placeholder((2, 3))


@pytest.fixture(autouse=True)
def two_ranks(anew: None) -> None:
    flow.config.cpu_device_num(2)


def same() -> Any:
    @flow.global_function()
    def job(x: Two) -> tp.ListNumpy:
        return x + 1.0

    return job


ONE = np.ones((2, 3), np.float32)


def test_other_than_one_array_for_each_rank(refused: Refused) -> None:
    with refused(TypeError, "takes a list of 2 arrays, one for each rank, got 1"):
        same()([ONE])  # here


def test_an_array_in_place_of_a_list(refused: Refused) -> None:
    with refused(TypeError, "takes a list of 2 arrays, one for each rank, got an array"):
        same()(ONE)  # here


def test_arrays_of_different_ranks(refused: Refused) -> None:
    with refused(TypeError, "takes arrays of one number of dimensions for all ranks, got 2, 1"):
        same()([ONE, ONE[0]])  # here


def test_arrays_of_different_types(refused: Refused) -> None:
    with refused(TypeError, "takes arrays of one type for all ranks, got float32, float64"):
        same()([ONE, ONE.astype(np.float64)])  # here


def test_an_array_that_is_too_large(refused: Refused) -> None:
    with refused(ValueError, "at most 6 elements", "got shape (3, 3) at index 1"):
        same()([ONE, np.ones((3, 3), np.float32)])  # here


def test_an_array_without_elements(refused: Refused) -> None:
    with refused(ValueError, "at least one element for each rank, got shape (0, 3) at index 1"):
        same()([ONE, ONE[:0]])  # here


def test_a_list_for_a_job_on_several_gpus(refused: Refused) -> None:
    flow.clear_default_session()
    flow.config.gpu_device_num(2)
    with refused(ValueError, "a job runs on one GPU of this machine", "set PENSTOCK_GPU=cpu"):
        same()([ONE, ONE])  # here


def test_own_blobs_returned_as_one_array(refused: Refused) -> None:
    @flow.global_function()  # here
    def job(x: Two) -> tp.Numpy:
        return x + 1.0

    with refused(AssertionError, "each rank has a blob add of its own; annotate it tp.ListNumpy"):
        job.trace()


def test_own_blobs_watched_as_one_array(refused: Refused) -> None:
    def handler(x: tp.Numpy) -> None: ...

    @flow.global_function()
    def job(x: Two) -> tp.ListNumpy:
        flow.watch(x, handler)  # here
        return x

    with refused(AssertionError, "dynamic, each rank has its own; annotate it tp.ListNumpy"):
        job.trace()


def test_losses_of_both_views(refused: Refused) -> None:
    @flow.global_function(type="train")
    def job(x: Two, y: tp.Numpy.Placeholder((2, 3))) -> tp.ListNumpy:  # type: ignore[valid-type]
        w = flow.get_variable("w", (3,), initializer=flow.ones_initializer())
        flow.optimizer.SGD(lr=0.1).minimize([x * w, y * w])  # here
        return x

    with refused(ValueError, "takes losses of one view", "flow.cast_to_current_logical_view"):
        job.trace()


def test_parts_of_too_few_samples(refused: Refused) -> None:
    @flow.global_function()
    def job(x: Two, y: tp.Numpy.Placeholder((1, 3))) -> tp.ListNumpy:  # type: ignore[valid-type]
        with flow.scope.mirrored_view():
            return flow.cast_to_current_logical_view(y)  # here

    with refused(ValueError, "gives each of 2 ranks a part of blob y", "give it more samples"):
        job.trace()


def test_integers_that_are_joined(refused: Refused) -> None:
    @flow.global_function()
    def job(x: tp.ListNumpy.Placeholder((2,), dtype=flow.int32)) -> tp.Numpy:  # type: ignore[valid-type]
        return flow.cast_to_current_logical_view(x)  # here

    with refused(ValueError, "joins floats of the ranks", "blob x is of flow.int32"):
        job.trace()


def test_an_integer_of_each_rank_for_a_variable(refused: Refused) -> None:
    @flow.global_function()
    def job(x: tp.ListNumpy.Placeholder((2,), dtype=flow.int32)) -> tp.ListNumpy:  # type: ignore[valid-type]
        zeros = flow.zeros_initializer()
        flow.assign(flow.get_variable("n", (2,), flow.int32, zeros), x)  # here
        return x

    with refused(TypeError, "each has its own x of flow.int32, which has no mean"):
        job.trace()
