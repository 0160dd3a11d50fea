"""Programs that train on several ranks, as OneFlow's documentation has them, against one rank."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import penstock as flow
import penstock.typing as tp
from penstock.basics import notices

Array = np.ndarray[Any, Any]
Body = Callable[[Any], Any]
split = flow.distribute.split
BATCH, FEATURES, CLASSES, STEPS = 6, 5, 4, 3


def dense(x: Any, units: int, name: str, **options: Any) -> Any:
    start = flow.random_normal_initializer(0.0, 0.5)
    return flow.layers.dense(x, units, kernel_initializer=start, name=name, **options)


def mixed(x: Any) -> Any:
    """The samples are shared in the first layer, the units in the second."""
    hidden = dense(x, 8, "first", activation=flow.nn.relu)
    return dense(hidden, CLASSES, "second", model_distribute=split(0))


def hybrid(x: Any) -> Any:
    """Layers are placed on one rank each."""
    with flow.scope.placement("cpu", "0:0"):
        hidden = dense(x, 8, "first", activation=flow.nn.relu)
    last = flow.env.current_resource()["cpu_device_num"] - 1
    with flow.scope.placement("cpu", f"0:{last}"):
        return dense(hidden, CLASSES, "second")


def hinted(x: Any) -> Any:
    """Every value has a hint."""
    first = dense(x.with_distribute(split(0)), 8, "first", model_distribute=split(0))
    hidden = flow.nn.relu(first.with_distribute(split(1)))
    wide = flow.parallel_cast(
        hidden, distribute=split(1), gradient_distribute=flow.distribute.broadcast()
    )
    second = dense(wide, CLASSES, "second", model_distribute=flow.distribute.broadcast())
    return second.with_distribute(flow.distribute.auto())


def parted(x: Any) -> Any:
    """Each rank has a part of the batch, and a function of it."""
    hidden = dense(x, 8, "first")
    halves = flow.advanced.distribute_map(hidden, lambda part: flow.math.tanh(part))
    return dense(halves, CLASSES, "second")


def normed(x: Any) -> Any:
    """The statistics are those of the whole batch."""
    hidden = flow.layers.batch_normalization(dense(x, 8, "first"), axis=1, name="norm")
    return dense(flow.nn.relu(hidden), CLASSES, "second")


def accumulated(x: Any) -> Any:
    """The batch goes through the network in two micro-batches."""
    return flow.pack(dense(flow.unpack(x, 2), CLASSES, "only"), 2)


def meshed(x: Any) -> Any:
    """Ranks share samples on one axis of a mesh, and units on the other."""
    ranks = flow.env.current_resource()["cpu_device_num"]
    hierarchy = (2, 2) if ranks == 4 else None
    whole = flow.distribute.broadcast()

    def on(first: Any, second: Any) -> Any:
        return (first, second) if hierarchy else None

    with flow.scope.placement("cpu", f"0:0-{ranks - 1}", hierarchy):
        first = dense(x, 8, "first", model_distribute=on(whole, split(0)))
        hidden = flow.parallel_cast(
            flow.nn.relu(first),
            distribute=on(split(0), split(1)), gradient_distribute=on(split(0), split(1)),
        )  # fmt: skip
        start = flow.random_normal_initializer(0.0, 0.5)
        distribute = on(whole, split(0))
        second = flow.get_variable("w", (8, CLASSES), initializer=start, distribute=distribute)
        return flow.matmul(hidden, second)


def losses(body: Body, ranks: int) -> Array:
    """The losses of some steps."""
    flow.clear_default_session()
    flow.config.cpu_device_num(ranks)

    @flow.global_function(type="train")
    def train(
        x: tp.Numpy.Placeholder((BATCH, FEATURES)),  # type: ignore[valid-type]
        labels: tp.Numpy.Placeholder((BATCH,), dtype=flow.int32),  # type: ignore[valid-type]
    ) -> tp.Numpy:
        loss = flow.nn.sparse_softmax_cross_entropy_with_logits(labels, body(x))
        flow.optimizer.Adam(lr=0.05).minimize(loss)
        return loss

    draw = np.random.default_rng(3)
    x = draw.standard_normal((BATCH, FEATURES)).astype(np.float32)
    labels = draw.integers(0, CLASSES, BATCH).astype(np.int32)
    return np.array([train(x, labels) for _ in range(STEPS)])


@pytest.mark.parametrize("body", [mixed, hybrid, hinted, parted, normed, accumulated, meshed])
def test_training_on_ranks_equals_that_on_one(body: Body) -> None:
    # Sums are rounded in another order; Adam divides by their size.
    alone, shared = losses(body, 1), losses(body, 4 if body is meshed else 2)
    assert alone[-1].mean() < alone[0].mean()
    np.testing.assert_allclose(shared, alone, rtol=1e-4, atol=1e-6)


def test_ops_on_some_ranks_are_computed_there(caplog: pytest.LogCaptureFixture) -> None:
    notices.forget()
    losses(hybrid, 2)
    assert not [text for text in caplog.messages if "compute the ops" in text]
