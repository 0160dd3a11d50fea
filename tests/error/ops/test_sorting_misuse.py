"""Mistakes with sorting: invalid directions, counts and shapes."""

from collections.abc import Callable
from typing import Any

import pytest

import penstock as flow
import penstock.typing as tp

Rows: Any = tp.Numpy.Placeholder((4, 3))
Labels: Any = tp.Numpy.Placeholder((4,), dtype=flow.int32)


def seen(places: tp.Numpy) -> None:
    """A handler."""


MISUSES: dict[str, tuple[Callable[[Any, Any], Any], type[Exception], str]] = {
    "direction": (
        lambda x, labels: flow.sort(x, direction="descending"),  # here
        ValueError,
        'direction of flow.sort must be "ASCENDING" or "DESCENDING", got the string "descending"',
    ),
    "axis": (
        lambda x, labels: flow.argsort(x, axis=2),  # here
        ValueError,
        "the axis of flow.argsort must lie in [-2, 2), got 2",
    ),
    "axis of sums": (
        lambda x, labels: flow.cumsum(x, axis=-3),  # here
        ValueError,
        "the axis of flow.cumsum must lie in [-2, 2), got -3",
    ),
    "no dimension": (
        lambda x, labels: flow.sort(flow.reshape(flow.math.reduce_sum(x), [])),  # here
        ValueError,
        "flow.sort takes a blob of at least one dimension, got shape ()",
    ),
    "k": (
        lambda x, labels: flow.math.top_k(x, k=4),  # here
        ValueError,
        "k of flow.math.top_k must lie in [1, 3], the extent of dimension 1 of shape (4, 3), got 4",
    ),
    "no number": (
        lambda x, labels: flow.math.top_k(x, k=1.0),  # type: ignore[arg-type] # here
        TypeError,
        "k of flow.math.top_k must be an int, got 1.0",
    ),
    "classes": (
        lambda x, labels: flow.in_top_k(x, labels, 1),  # here
        ValueError,
        "flow.math.in_top_k takes targets of shape [rows] and predictions of shape [rows, classes],"
        " got shapes (4, 3) and (4,)",
    ),
    "labels": (
        lambda x, labels: flow.in_top_k(flow.cast(labels, flow.float32), x, 1),  # here
        ValueError,
        "flow.math.in_top_k takes targets of integers and predictions of floats, got flow.float32",
    ),
    "scores": (
        lambda x, labels: flow.nms(flow.zeros((3, 4)), flow.ones((4,)), 0.5),  # here
        ValueError,
        "flow.nms takes a score for each box, got boxes of shape (3, 4) and scores of shape (4,)",
    ),
    "overlap": (
        lambda x, labels: flow.nms(flow.zeros((4, 4)), flow.ones((4,)), 50),  # here
        ValueError,
        "expected a threshold from 0 to 1, got 50.0",
    ),
    "corners": (
        lambda x, labels: flow.nms(x, flow.cast(labels, flow.float32), 0.5),  # here
        ValueError,
        "expected boxes of shape [n, 4], corners x1, y1, x2, y2, got tensor<4x3xf32>",
    ),
    "sum": (
        lambda x, labels: flow.math.reduce_sum(flow.argwhere(x)),  # here
        ValueError,
        "flow.math.reduce_sum needs all of blob argwhere, whose extent along dimension 0, at most "
        "12, is known only when the job runs; return it from the job, annotated tp.ListNumpy, and "
        "compute with its array",
    ),
    "two extents": (
        lambda x, labels: flow.argwhere(x) + flow.argwhere(x > 1),  # here
        ValueError,
        "flow.add needs all of blob argwhere",
    ),
    "watched gradient": (
        lambda x, labels: flow.watch_diff(flow.argwhere(x)),  # here
        ValueError,
        "flow.watch_diff needs all of blob argwhere",
    ),
    "watched as an array": (
        lambda x, labels: flow.watch(flow.argwhere(x), seen),  # here
        AssertionError,
        "the parameter of handler seen is annotated Numpy, and blob argwhere is dynamic, of shape "
        "(12, 2) at most; annotate it tp.ListNumpy",
    ),
    "positions": (
        lambda x, labels: flow.argwhere(x, dtype=flow.float32),  # here
        ValueError,
        "expected positions of type i32 or i64, got f32",
    ),
    "size": (
        lambda x, labels: flow.sync_dynamic_resize(x, labels),  # here
        ValueError,
        "flow.sync_dynamic_resize takes a blob of at least one dimension and a size of shape (1,), "
        "of int32 or int64, got shapes (4, 3) and (4,)",
    ),
    "matrix": (
        lambda x, labels: flow.experimental.unique_with_counts(x)[0],  # here
        ValueError,
        "expected a tensor of one dimension",
    ),
    "filling": (
        lambda x, labels: flow.masked_fill(labels, labels, float("nan")),  # here
        TypeError,
        "flow.masked_fill got nan with flow.int32 blobs",
    ),
}


@pytest.mark.parametrize("name", MISUSES)
def test_sorting(refused: Any, name: str) -> None:
    call, kind, said = MISUSES[name]

    @flow.global_function()
    def job(x: Rows, labels: Labels) -> tp.Numpy:
        return call(x, labels)

    with refused(kind, said):
        job.trace()


def test_dynamic_blob_as_an_array(refused: Any) -> None:
    @flow.global_function()  # here
    def job(x: Rows) -> tuple[tp.Numpy, tp.Numpy]:
        return x, flow.argwhere(x)

    with refused(
        AssertionError,
        "job 'job' is annotated -> Tuple[Numpy, Numpy], and blob argwhere at [1] is dynamic, of "
        "shape (12, 2) at most; annotate it tp.ListNumpy",
    ):
        job.trace()
