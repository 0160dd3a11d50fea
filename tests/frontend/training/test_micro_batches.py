"""Blobs with one value per micro-batch, against NumPy and against jobs of whole batches."""

import inspect
from typing import Any

import numpy as np
import pytest

import penstock as flow
import penstock.typing as tp

pytestmark = pytest.mark.numbers

Array = np.ndarray[Any, Any]


DRAWN = [
    draw
    for draw in map(flow.random.__dict__.get, dir(flow.random))
    if callable(draw) and "Blob" in str([*inspect.signature(draw).parameters.values()][:1])
]
"""Functions of random numbers that take a blob."""


def rate() -> Any:
    return flow.optimizer.PiecewiseConstantScheduler([], [0.1])


def test_nested_micro_batches() -> None:
    """Six parts of a blob, as two times three micro-batches, with a number that all share."""

    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((6, 2)), y: tp.Numpy.Placeholder((1, 2))) -> list[tp.Numpy]:
        parts = flow.unpack(flow.unpack(x, 2), 3)
        sums = flow.acc(parts * y, 3)
        order = flow.concat([parts, y], 0)
        return [
            flow.pack(sums, 2), flow.acc(flow.repeat(sums, 2), 4),
            flow.pack(flow.pack(parts, 3), 2), flow.pack(order, 6), flow.repeat(x, 1),
            flow.unpack(x, 1), flow.acc(x, 1),
        ]  # fmt: skip

    x, y = np.arange(12, dtype=np.float32).reshape(6, 2), np.array([[1, 3]], np.float32)
    sums = np.stack([(x[:3] * y).sum(0), (x[3:] * y).sum(0)])
    rows = np.concatenate([[row, y[0]] for row in x])
    wanted = [sums, 2 * sums.sum(0, keepdims=True), x, rows, x, x, x]
    for got, array in zip(job(x, y), wanted, strict=True):
        np.testing.assert_array_equal(got, array)


def test_gradients_accumulated_over_micro_batches() -> None:
    """Accumulating over four micro-batches trains like the whole batch, except for the order of
    additions; a repeated value has its own gradient in each micro-batch."""
    seen: list[Array] = []

    def keep(gradient: tp.Numpy) -> None:
        seen.append(gradient.copy())

    sums: list[Array] = []

    def summed(gradient: tp.Numpy) -> None:
        sums.append(gradient.copy())

    def trained(parts: int) -> dict[str, Array]:
        flow.clear_default_session()

        @flow.global_function(type="train")
        def job(x: tp.Numpy.Placeholder((8, 5)), y: tp.Numpy.Placeholder((8,), dtype=flow.int32)):
            images, labels = flow.unpack(x, parts), flow.unpack(y, parts)
            start = flow.random_uniform_initializer(-1, 1)
            scale = flow.get_variable("scale", (1, 3), initializer=flow.ones_initializer())
            scales = flow.repeat(scale, parts)
            flow.watch_diff(scales, summed)
            scores = flow.layers.dense(images, 3, kernel_initializer=start, name="scores")
            flow.watch_diff(scores, keep)
            scores = scores * scales
            losses = flow.nn.sparse_softmax_cross_entropy_with_logits(labels, scores)
            loss = flow.acc(flow.math.reduce_sum(losses), parts)
            flow.optimizer.SGD(rate(), momentum=0).minimize(loss)

        drawn = np.random.default_rng(3)
        for _ in range(2):
            job(drawn.normal(size=(8, 5)).astype(np.float32), drawn.integers(0, 3, 8, np.int32))
        return {name: kept.numpy() for name, kept in flow.get_all_variables().items()}

    whole = trained(1)
    assert [gradient.shape for gradient in seen] == [(8, 3)] * 2
    parted = trained(4)
    assert [gradient.shape for gradient in seen[2:]] == [(2, 3)] * 8
    # A handler sees the gradient of each micro-batch in the order of computation: the last first.
    rows = np.concatenate(seen[5:1:-1])
    np.testing.assert_allclose(rows, seen[0], rtol=1e-5, atol=1e-6)
    assert [gradient.shape for gradient in sums] == [(1, 3)] * 10
    np.testing.assert_allclose(sum(sums[2:6]), sums[0], rtol=1e-5, atol=1e-6)
    for name, values in whole.items():
        np.testing.assert_allclose(parted[name], values, rtol=1e-5, atol=1e-6, err_msg=name)


def test_random_numbers_and_moving_averages_in_each_micro_batch() -> None:
    """Each micro-batch drops other elements, and moving averages follow them in order."""

    @flow.global_function(type="train")
    def job(x: tp.Numpy.Placeholder((256, 2))) -> list[tp.Numpy]:
        parts = flow.unpack(x, 2)
        normal = flow.layers.batch_normalization(parts, momentum=0.5, name="norm")
        flow.optimizer.SGD(rate()).minimize(flow.acc(flow.math.reduce_sum(normal), 2))
        mixed = [
            flow.nn.dropout(parts * 0 + 1, 0.5), flow.nn.random_mask_like(parts, 0.5),
            *(draw(parts * 0 + 0.5 if draw is flow.random.bernoulli else parts) for draw in DRAWN),
        ]  # fmt: skip
        return [flow.pack(y, 2) for y in mixed]

    ramp = np.arange(128, dtype=np.float32)
    x = np.tile(np.concatenate([ramp, ramp])[:, None], 2)
    assert len(DRAWN) >= 3
    for i, array in enumerate(job(x)):
        assert not np.array_equal(array[:128], array[128:]), i
    moving = flow.get_all_variables()["norm-moving_mean"].numpy()
    np.testing.assert_allclose(moving, np.full(2, 0.75 * 63.5), rtol=1e-6)


def test_an_extent_in_each_micro_batch() -> None:
    seen: list[Array] = []

    def keep(found: tp.ListNumpy) -> None:
        seen.append(found[0].copy())

    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((6,))) -> None:
        flow.watch(flow.argwhere(flow.unpack(x, 2) > 0), keep)

    job(np.array([1, 0, 1, 0, 2, 0], np.float32))
    assert [found.tolist() for found in seen] == [[[0], [2]], [[1]]]


def test_micro_batches_on_ranks() -> None:
    """Two ranks accumulate what one does, though they share three samples unevenly."""
    random = np.random.default_rng(0)
    x, y = random.standard_normal((12, 5), np.float32), random.integers(0, 3, 12).astype(np.int32)

    def trained(ranks: int) -> list[Array]:
        flow.clear_default_session()
        flow.config.cpu_device_num(ranks)

        @flow.global_function(type="train")
        def job(
            x: tp.Numpy.Placeholder((12, 5)), y: tp.Numpy.Placeholder((12,), dtype=flow.int32)
        ) -> tuple[tp.Numpy, tp.Numpy]:
            parts, labels = flow.unpack(x, 4), flow.unpack(y, 4)
            parts = parts.with_distribute(flow.distribute.split(0))
            start = flow.random_uniform_initializer(-1, 1)
            scale = flow.get_variable("scale", (1, 3), initializer=flow.ones_initializer())
            scores = flow.layers.dense(parts, 3, kernel_initializer=start, name="scores")
            scores = scores * flow.repeat(scale, 4)
            losses = flow.nn.sparse_softmax_cross_entropy_with_logits(labels, scores)
            total = flow.acc(flow.math.reduce_sum(losses), 4)
            flow.optimizer.SGD(rate(), momentum=0.9).minimize(total)
            return total, flow.pack(losses, 4)

        results = [array for _ in range(2) for array in job(x, y)]
        return results + [v.numpy() for _, v in sorted(flow.get_all_variables().items())]

    for one, two in zip(trained(1), trained(2), strict=True):
        np.testing.assert_allclose(two, one, rtol=1e-5, atol=1e-6)
