"""Gather, scatter-add and scatter against NumPy; bit-identical on any number of threads."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import penstock as flow
import penstock.typing as tp
from penstock.runtime import threads

Array = np.ndarray[Any, Any]
X = np.arange(24, dtype=np.float32).reshape(2, 3, 4) + 1
IDS = np.array([[2, 0, 2], [1, -1, 3]], np.int32)
INSIDE = (IDS >= 0) & (IDS < 3)
ROWS = np.arange(2)[:, None]
"""One row for each of IDS."""


def put(target: Array, places: tuple[Any, ...], updates: Array) -> Array:
    """`target` with updates added at these indices."""
    np.add.at(target, places, updates)
    return target


def with_part(x: Array, part: Any, update: Any) -> Array:
    x = x.copy()
    x[part] = update
    return x


KNOWN = np.nonzero(INSIDE)[0], IDS[INSIDE]
"""Row and index of those of IDS that lie in [0, 3)."""
IN_BATCHES = np.where(INSIDE[..., None], X[ROWS, np.where(INSIDE, IDS, 0)], 0)
SUMS = put(np.zeros((3, 4), np.float32), (IDS[INSIDE],), X[INSIDE])
UPDATED = with_part(X, (slice(None), slice(0, 3, 2), slice(1, 3)), X[:, :2, 2:])

# Name -> a body on X and IDS, and its expected result.
CALLS: dict[str, tuple[Callable[[Any, Any], Any], Array]] = {
    "gather": (lambda x, i: flow.gather(x, i), np.where(
        ((IDS >= 0) & (IDS < 2))[..., None, None], X[np.clip(IDS, 0, 1)], 0)),
    "gather along the last axis": (
        lambda x, i: flow.gather(x, i, axis=-1),
        np.where((IDS >= 0) & (IDS < 4), X[:, :, np.clip(IDS, 0, 3)], 0),
    ),
    "gather in batches": (lambda x, i: flow.gather(x, i, batch_dims=1), IN_BATCHES),
    "gather_nd": (
        lambda x, i: flow.gather_nd(x, flow.slice(i, [0, 0], [1, 2])), np.zeros((1, 4)),
    ),
    "gather_nd inside": (
        lambda x, i: flow.gather_nd(x, flow.constant_like(i, 1, flow.int64)), X[[1, 1], 1, 1],
    ),
    "dim_gather": (
        lambda x, i: flow.dim_gather(
            x, -2, flow.broadcast_like(flow.expand_dims(i, 2), flow.zeros((2, 3, 4)))
        ),
        IN_BATCHES,
    ),
    "segment sum": (lambda x, i: flow.math.unsorted_segment_sum(x, i, 3), SUMS),
    "segment sum along an axis": (
        lambda x, i: flow.unsorted_segment_sum(
            x, flow.reshape(flow.slice(i, [0, 0], [1, 3]), [3]), 4, axis=-2
        ),
        put(np.zeros((2, 4, 4), np.float32), (slice(None), IDS[0]), X),
    ),
    "segment sum like": (
        lambda x, i: flow.unsorted_segment_sum_like(x, i, flow.zeros((3, 4))), SUMS,
    ),
    "batch segment sum": (
        lambda x, i: flow.math.unsorted_batch_segment_sum(x, i, 3),
        put(np.zeros((2, 3, 4), np.float32), KNOWN, X[INSIDE]),
    ),
    "scatter_nd": (
        lambda x, i: flow.scatter_nd(flow.reshape(i, (2, 3, 1)), x, [3, 4]), SUMS,
    ),
    "tensor_scatter_nd_add": (
        lambda x, i: flow.tensor_scatter_nd_add(
            flow.ones((3, 4)), flow.reshape(i, (6, 1)), flow.reshape(x, (6, 4))
        ),
        SUMS + 1,
    ),
    "slice_update": (
        lambda x, i: flow.slice_update(
            x, flow.slice(x, [0, 0, 2], [2, 2, 2]), [(None,) * 3, (0, None, 2), (1, 3, 1)]
        ),
        UPDATED,
    ),
    "slice_update backward": (
        lambda x, i: flow.slice_update(
            x, flow.slice(x, [0, 1, 0], [2, 2, 2]), [(None,) * 3, (None, None, -2), (3, 1, -1)]
        ),
        with_part(X, np.s_[:, ::-2, 3:1:-1], X[:, 1:, :2]),
    ),
    "slice_update of all": (
        lambda x, i: flow.slice_update(x, x, [(None, None, -1), (None,) * 3, (None, None, -1)]),
        X[::-1, :, ::-1],
    ),
    "slice_update of one, by long steps": (
        lambda x, i: flow.slice_update(
            x, flow.slice(x, [0, 0, 0], [2, 1, 1]), [(None,) * 3, (1, None, -9), (3, None, 9)]
        ),
        with_part(X, np.s_[:, 1:2, 3:4], X[:, :1, :1]),
    ),
    "one_hot": (lambda x, i: flow.one_hot(i, 3), (IDS[..., None] == np.arange(3)) * 1.0),
    "one_hot of other values": (
        lambda x, i: flow.one_hot(i, 3, 127, -1, axis=0, dtype=flow.int8),
        np.where(np.arange(3)[:, None, None] == IDS, 127, -1),
    ),
    "range": (lambda x, i: flow.range(5), np.arange(5)),
    "range by steps": (
        lambda x, i: flow.range(7, -2, -3, dtype=flow.float), np.arange(7, -2, -3),
    ),
    "range by steps that are no elements": (
        lambda x, i: flow.range(200, 0, -100, dtype=flow.uint8), np.array([200, 100]),
    ),
}  # fmt: skip


def test_calls_agree_with_numpy() -> None:
    @flow.global_function()
    def job(
        x: tp.Numpy.Placeholder((2, 3, 4)), ids: tp.Numpy.Placeholder((2, 3), dtype=flow.int32)
    ) -> tp.Bundle[tp.Numpy]:
        return [body(x, ids) for body, _ in CALLS.values()]

    for got, (name, (_, wanted)) in zip(job(X, IDS), CALLS.items(), strict=True):
        assert got.shape == wanted.shape, name
        np.testing.assert_array_equal(got, wanted, err_msg=name)


def test_the_last_of_several_updates_wins_and_gets_the_gradient() -> None:
    @flow.global_function(type="train")
    def job(
        places: tp.Numpy.Placeholder((4, 1), dtype=flow.int32), x: tp.Numpy.Placeholder((4, 2))
    ) -> tp.Numpy:
        updates = flow.get_variable("updates", (4, 2), initializer=flow.zeros_initializer())
        params = flow.get_variable("params", (3, 2), initializer=flow.ones_initializer())
        result = flow.tensor_scatter_nd_update(params, places, updates + x)
        schedule = flow.optimizer.PiecewiseConstantScheduler([], [6.0])
        flow.optimizer.SGD(schedule, momentum=0).minimize(result)
        return result

    x = np.arange(8, dtype=np.float32).reshape(4, 2)
    result = job(np.array([[2], [0], [2], [3]], np.int32), x)
    np.testing.assert_array_equal(result, [x[1], [1, 1], x[2]])
    variables = {name: blob.numpy() for name, blob in flow.get_all_variables().items()}
    np.testing.assert_array_equal(variables["updates"], [[0, 0], [-1, -1], [-1, -1], [0, 0]])
    np.testing.assert_array_equal(variables["params"], [[1, 1], [0, 0], [1, 1]])


@pytest.mark.parametrize(("rows", "columns", "count"), [(5000, 257, 2000), (3, 515, 4000)])
def test_scatter_add_is_deterministic(rows: int, columns: int, count: int) -> None:
    """Tasks split many rows, or else columns; NumPy adds in the same order."""

    @flow.global_function()
    def job(
        x: tp.Numpy.Placeholder((count, columns)),  # type: ignore[valid-type]
        ids: tp.Numpy.Placeholder((count,), dtype=flow.int64),  # type: ignore[valid-type]
    ) -> tp.Numpy:
        return flow.math.unsorted_segment_sum(x, ids, rows)

    assert "scf.forall" in job.lower().as_text("loops")
    random = np.random.default_rng(6)
    x = random.standard_normal((count, columns)).astype(np.float32)
    ids = random.integers(-1, rows + 1, count)
    inside = (ids >= 0) & (ids < rows)
    wanted = put(np.zeros((rows, columns), np.float32), (ids[inside],), x[inside])
    try:
        for number in (1, 2, 3):
            threads.set_num_threads(number)
            assert job(x, ids).tobytes() == wanted.tobytes()
    finally:
        threads.set_num_threads(None)


def test_a_table_trains_the_rows_that_are_read() -> None:
    @flow.global_function(type="train")
    def job(ids: tp.Numpy.Placeholder((5,), dtype=flow.int32)) -> tp.Numpy:
        table = flow.get_variable("table", (4, 3), initializer=flow.zeros_initializer())
        read = flow.gather(table, ids)
        schedule = flow.optimizer.PiecewiseConstantScheduler([], [15.0])
        flow.optimizer.SGD(schedule, momentum=0).minimize(read)
        return read

    job(np.array([1, 3, 1, -1, 4], np.int32))
    table = flow.get_all_variables()["table"].numpy()
    np.testing.assert_array_equal(table, np.array([0, -2, 0, -1])[:, None] * np.ones(3))
