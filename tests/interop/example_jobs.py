"""The jobs whose stages are checked with MLIR's tools: typical first jobs."""

from __future__ import annotations

from collections.abc import Callable

import penstock as flow
import penstock.typing as tp
from penstock.jobs.job import JobFunction

BATCH, PIXELS, HIDDEN, CLASSES = 100, 784, 512, 10
ROWS = 96, 700
"""Enough rows for several tasks."""
PICTURES = 4, 4, 17, 12
"""Samples, channels, height and width."""


def relu() -> JobFunction:
    """The feed and its relu, both watched; no result."""

    @flow.global_function()
    def relu_job(x: tp.Numpy.Placeholder((5,))) -> None:
        y = flow.nn.relu(x)
        flow.watch(x, "in")
        flow.watch(y, "out")

    return relu_job


def relu_value() -> JobFunction:
    @flow.global_function()
    def relu_value_job(x: tp.Numpy.Placeholder((5,))) -> tp.Numpy:
        return flow.nn.relu(x)

    return relu_value_job


def dense() -> JobFunction:
    """One layer with an activation, over weights drawn at random."""

    @flow.global_function()
    def dense_job(x: tp.Numpy.Placeholder((BATCH, PIXELS))) -> tp.Numpy:
        drawn = flow.random_uniform_initializer(-1, 1)
        return flow.layers.dense(
            x,
            HIDDEN,
            activation=flow.nn.relu,
            kernel_initializer=drawn,
            bias_initializer=drawn,
            name="layer",
        )

    return dense_job


def xent() -> JobFunction:
    """Softmax cross-entropy; the step moves the logits by their gradient, so that it is visible."""

    @flow.global_function(type="train")
    def xent_job(labels: tp.Numpy.Placeholder((BATCH,), dtype=flow.int32)) -> tp.Numpy:
        drawn = flow.random_uniform_initializer(-3, 3)
        logits = flow.get_variable("logits", shape=(BATCH, CLASSES), initializer=drawn)
        loss = flow.nn.sparse_softmax_cross_entropy_with_logits(labels, logits)
        rate = flow.optimizer.PiecewiseConstantScheduler([], [1.0])
        flow.optimizer.SGD(rate, momentum=0).minimize(loss)
        return loss

    return xent_job


def norm() -> JobFunction:
    """A trained layer normalization by its formula: sums along rows, and gradients that sum over
    all rows.
    """

    @flow.global_function(type="train")
    def norm_job(x: tp.Numpy.Placeholder(ROWS)) -> tp.Numpy:
        drawn = flow.random_uniform_initializer(0.5, 1.5)
        gain = flow.get_variable("gain", shape=ROWS[1:], initializer=drawn)
        shift = flow.get_variable("shift", shape=ROWS[1:], initializer=drawn)
        before = flow.get_variable("before", shape=ROWS[1:], initializer=drawn)
        rows = flow.math.exp(x * before)
        centered = rows - flow.math.reduce_mean(rows, axis=1, keepdims=True)
        variance = flow.math.reduce_mean(flow.math.square(centered), axis=1, keepdims=True)
        y = centered / flow.math.sqrt(variance + 1e-5) * gain + shift
        loss = flow.math.reduce_mean(flow.math.square(y))
        rate = flow.optimizer.PiecewiseConstantScheduler([], [100.0])
        flow.optimizer.SGD(rate, momentum=0).minimize(loss)
        return loss

    return norm_job


def mlp() -> JobFunction:
    """A whole train step: two layers, loss, gradients, updates, the step counter."""

    @flow.global_function(type="train")
    def mlp_job(
        images: tp.Numpy.Placeholder((BATCH, 1, 28, 28)),
        labels: tp.Numpy.Placeholder((BATCH,), dtype=flow.int32),
    ) -> tp.Numpy:
        drawn = flow.truncated_normal(0.1)
        flat = flow.reshape(images, [images.shape[0], -1])
        hidden = flow.layers.dense(
            flat, HIDDEN, activation=flow.nn.relu, kernel_initializer=drawn, name="hidden"
        )
        logits = flow.layers.dense(hidden, CLASSES, kernel_initializer=drawn, name="output")
        loss = flow.nn.sparse_softmax_cross_entropy_with_logits(labels, logits)
        rate = flow.optimizer.PiecewiseConstantScheduler([], [0.1])
        flow.optimizer.SGD(rate, momentum=0).minimize(loss)
        return loss

    return mlp_job


def watched_mlp() -> JobFunction:
    """A step with momentum, a decaying rate, watches of a value and of a gradient, two results."""

    @flow.global_function(type="train")
    def watched_job(
        x: tp.Numpy.Placeholder((BATCH, PIXELS)),
        labels: tp.Numpy.Placeholder((BATCH,), dtype=flow.int32),
    ) -> tuple[tp.Numpy, tp.Numpy]:
        drawn = flow.truncated_normal(0.1)
        hidden = flow.layers.dense(
            x, HIDDEN, activation=flow.math.tanh, kernel_initializer=drawn, name="hidden"
        )
        logits = flow.layers.dense(hidden, CLASSES, kernel_initializer=drawn, name="output")
        flow.watch(hidden, "hidden")
        flow.watch_diff(logits, "logits' gradient")
        loss = flow.nn.sparse_softmax_cross_entropy_with_logits(labels, logits)
        rate = flow.optimizer.CosineScheduler(0.1, 100)
        flow.optimizer.SGD(rate, momentum=0.9).minimize(loss)
        return loss, logits

    return watched_job


def convolutions() -> JobFunction:
    """Windows of every kind with their gradients: grouped, dilated, overlapping, padded.

    Max-pool windows overlap along one dimension; along both, their gradient would be a kernel,
    which stays our op at `fused`.
    """

    @flow.global_function(type="train")
    def convolutions_job(x: tp.Numpy.Placeholder(PICTURES)) -> tp.Numpy:
        drawn = flow.random_uniform_initializer(-1, 1)
        y = flow.layers.conv2d(
            x, 6, 3, (2, 1), "SAME", groups=2, activation=flow.nn.relu, kernel_initializer=drawn,
            bias_initializer=drawn, name="groups",
        )  # fmt: skip
        y = flow.nn.max_pool2d(y, (3, 2), 2, "SAME")
        y = flow.layers.conv2d(
            y, 8, (2, 3), dilation_rate=2, kernel_initializer=drawn, name="apart"
        )
        y = flow.nn.avg_pool2d(y, 2, 1, [0, 0, 1, 1])
        loss = flow.math.reduce_mean(flow.math.square(y))
        rate = flow.optimizer.PiecewiseConstantScheduler([], [0.1])
        flow.optimizer.SGD(rate, momentum=0).minimize(loss)
        return loss

    return convolutions_job


def order() -> JobFunction:
    """Kernels, which write their own loops, and a result of run-time extent."""

    @flow.global_function()
    def order_job(
        x: tp.Numpy.Placeholder((40, 150)),
    ) -> tuple[tp.Numpy, tp.Numpy, tp.Numpy, tp.ListNumpy]:
        down = flow.argsort(x, axis=0, direction="DESCENDING")
        return flow.sort(x), down, flow.math.top_k(x, k=3), flow.argwhere(x > 0)

    return order_job


def truths() -> JobFunction:
    """One-byte elements: bools as feeds, intermediates, transposes and results, and unsigned
    bytes.
    """

    @flow.global_function()
    def truths_job(
        x: tp.Numpy.Placeholder((5, 37), dtype=flow.bool),
        u: tp.Numpy.Placeholder((5, 37), dtype=flow.uint8),
    ) -> tuple[tp.Numpy, tp.Numpy, tp.Numpy, tp.Numpy]:
        larger = flow.cast(u / 2 > 60, flow.bool)
        sums = flow.math.reduce_sum(flow.where(x, u, 3), axis=1)
        angle = flow.math.atan2(flow.cast(u, flow.float), flow.cast(x, flow.float))
        return flow.where(larger, x, True), flow.transpose(x, perm=[1, 0]), sums, angle

    return truths_job


JOBS: dict[str, Callable[[], JobFunction]] = {
    make.__name__: make
    for make in (relu, relu_value, dense, xent, norm, mlp, watched_mlp, convolutions, order, truths)
}
STAGES = ("job", "grad", "placed", "fused", "loops")
