"""Sorting and top-k against NumPy: ties, NaN, signed zeros, sizes."""

from typing import Any

import ml_dtypes
import numpy as np
import pytest

import penstock as flow
import penstock.typing as tp

Array = np.ndarray[Any, Any]
SHAPE = (6, 45)
FIVE = (tp.Numpy,) * 5
DTYPES = (
    flow.float32, flow.float64, flow.float16, flow.bfloat16, flow.int8, flow.int32, flow.int64,
    flow.uint8,
)  # fmt: skip


@pytest.fixture(autouse=True)
def session() -> None:
    flow.clear_default_session()


def awkward(dtype: Any) -> Array:
    """Many ties, the ends of the range, and for floats NaN, infinities and both zeros."""
    random = np.random.default_rng(5)
    values = random.integers(0, 9, SHAPE).astype(dtype)
    if values.dtype.kind in "iu":
        values[0, :4] = np.iinfo(dtype).min, np.iinfo(dtype).max, 0, np.iinfo(dtype).min
        return values
    values -= 4
    values[values == 3] = -0.0
    values[1, :7] = np.nan, np.inf, -np.nan, -np.inf, ml_dtypes.finfo(dtype).max, 0, -0.0
    values[2] = np.nan
    return values


def order(x: Array, descending: bool) -> Array:
    """Sort each row by Python's stable sort."""
    sign = -1 if descending else 1
    rows = x.astype(np.float64) if x.dtype.kind not in "iu" else x.astype(object)
    keys = [[(0, sign * v) if v == v else (sign, 0) for v in row] for row in rows]
    return np.array([sorted(range(len(row)), key=row.__getitem__) for row in keys], np.int32)


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_the_order_is_stable_and_nan_is_largest(dtype: Any) -> None:
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder(SHAPE, dtype=dtype)) -> tuple[FIVE]:  # type: ignore[valid-type]
        return (
            flow.argsort(x), flow.sort(x), flow.argsort(x, direction="DESCENDING"),
            flow.sort(x, direction="DESCENDING"), flow.math.top_k(x, k=7),
        )  # fmt: skip

    x = awkward(dtype.numpy)
    up, sorted_up, down, sorted_down, largest = job(x)
    assert np.array_equal(up, order(x, False))
    assert np.array_equal(down, order(x, True))
    assert np.array_equal(largest, order(x, True)[:, :7])
    assert np.array_equal(largest[:, 0], np.argmax(x, -1))
    # Bit for bit: -0 and 0 are ties and keep their order.
    assert sorted_up.tobytes() == np.take_along_axis(x, up, -1).tobytes()
    assert sorted_down.tobytes() == np.take_along_axis(x, down, -1).tobytes()


@pytest.mark.parametrize(
    "extent",
    [1, 3, 8, 9, 33, 257, 4096 + 5]
    + [pytest.param(extent, marks=pytest.mark.long) for extent in (2, 4, 5, 17, 32, 256)],
)
def test_rows_of_any_length(extent: int) -> None:
    k = min(extent, 30)

    @flow.global_function()
    def job(
        x: tp.Numpy.Placeholder((3, extent)),  # type: ignore[valid-type]
        y: tp.Numpy.Placeholder((3, extent), dtype=flow.int64),  # type: ignore[valid-type]
    ) -> tuple[tp.Numpy, tp.Numpy, tp.Numpy, tp.Numpy]:
        return flow.argsort(x), flow.argsort(y), flow.math.top_k(x, k=k), flow.math.top_k(y, k=k)

    random = np.random.default_rng(extent)
    x = random.standard_normal((3, extent)).astype(np.float32)
    x[1], x[2] = np.sort(x[1]), np.sort(x[2])[::-1]
    y = random.integers(-5, 5, (3, extent))
    got = job(x, y)
    for rows, place in ((x, 0), (y, 1)):
        assert np.array_equal(got[place], np.argsort(rows, axis=-1, kind="stable"))
        largest = np.argsort(-rows, axis=-1, kind="stable")[:, :k]
        assert np.array_equal(got[place + 2], largest)


def test_a_single_short_row() -> None:
    """Its loops are unrolled, and positions are parts of records in registers."""

    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((1, 3))) -> tp.Numpy:
        return flow.sort(x, direction="DESCENDING")

    x = np.array([[1.4, 1.3, -0.4]], np.float32)
    assert np.array_equal(job(x), x)
    assert np.array_equal(job(x[:, ::-1]), x)


def test_other_axes() -> None:
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((4, 5, 6))) -> tuple[tp.Numpy, tp.Numpy, tp.Numpy]:
        return flow.sort(x, 0), flow.argsort(x, axis=-2), flow.math.top_k(x, axis=1, k=2)

    x = np.random.default_rng(1).standard_normal((4, 5, 6)).astype(np.float32)
    a, b, c = job(x)
    assert np.array_equal(a, np.sort(x, 0))
    assert np.array_equal(b, np.argsort(x, 1))
    assert np.array_equal(c, np.argsort(-x, 1)[:, :2])


def test_in_top_k_counts_larger_elements() -> None:
    @flow.global_function()
    def job(
        labels: tp.Numpy.Placeholder((6,), dtype=flow.int32), scores: tp.Numpy.Placeholder((6, 3))
    ) -> tuple[tp.Numpy, tp.Numpy]:
        return flow.in_top_k(labels, scores, 2), flow.math.in_top_k(labels, scores, k=1)

    scores = np.array([[1, 2, 3], [1, 2, 3], [3, 3, 3], [1, 2, np.nan], [1, 2, np.nan], [1, 2, 3]])
    two, one = job(np.array([1, 0, 2, 2, 0, 3], np.int32), scores.astype(np.float32))
    assert two.tolist() == [1, 0, 1, 1, 0, 0]
    assert one.tolist() == [0, 0, 1, 1, 0, 0]
    assert two.dtype == np.int8


def test_nan_ranks_highest_everywhere() -> None:
    """All ops that order elements agree, for rows sorted by each algorithm."""

    def ranks(extent: int) -> None:
        flow.clear_default_session()

        @flow.global_function()
        def job(
            x: tp.Numpy.Placeholder((2, extent)),  # type: ignore[valid-type]
        ) -> tuple[FIVE]:  # type: ignore[valid-type]
            order = flow.argsort(x, direction="DESCENDING")
            first = flow.squeeze(flow.math.top_k(x, k=1), [1])
            return order, first, flow.math.argmax(x), flow.in_top_k(first, x, 1), flow.sort(x)

        x = np.random.default_rng(extent).standard_normal((2, extent)).astype(np.float32)
        x[0, extent // 2] = np.nan
        x[1, extent - 1] = -np.nan
        order, first, best, inside, upwards = job(x)
        assert order[:, 0].tolist() == first.tolist() == best.tolist() == [extent // 2, extent - 1]
        assert inside.tolist() == [1, 1]
        assert np.isnan(upwards[:, -1]).all()

    for extent in (2, 7, 30, 200, 1500):
        ranks(extent)


def test_narrow_target_type_with_many_classes() -> None:
    @flow.global_function()
    def job(
        labels: tp.Numpy.Placeholder((2,), dtype=flow.int8), scores: tp.Numpy.Placeholder((2, 300))
    ) -> tp.Numpy:
        return flow.in_top_k(labels, scores, 1)

    scores = np.zeros((2, 300), np.float32)
    assert job(np.array([100, -1], np.int8), scores).tolist() == [1, 0]


def test_masked_fill() -> None:
    @flow.global_function()
    def job(
        x: tp.Numpy.Placeholder((2, 3)), mask: tp.Numpy.Placeholder((3,), dtype=flow.int8)
    ) -> tp.Numpy:
        return flow.masked_fill(x, mask, -1)

    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    assert np.array_equal(job(x, np.array([0, 2, 0], np.int8)), [[0, -1, 2], [3, -1, 5]])


def test_masked_fill_rounds_floats_among_integers_towards_zero() -> None:
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((3,), dtype=flow.int32)) -> list[tp.Numpy]:
        return [flow.masked_fill(x, x > 1, value) for value in (2.5, -5.5)]

    up, down = job(np.arange(3, dtype=np.int32))
    assert (up.tolist(), down.tolist()) == ([0, 1, 2], [0, 1, -5])


def test_the_gradient_goes_to_the_original_positions() -> None:
    seen = []

    @flow.global_function(type="train")
    def job(weight: tp.Numpy.Placeholder((5,))) -> tp.Numpy:
        x = flow.get_variable("x", (5,), initializer=flow.zeros_initializer())
        loss = flow.math.reduce_sum(flow.sort(x + weight) * weight)
        scheduler = flow.optimizer.PiecewiseConstantScheduler([], [1.0])
        flow.optimizer.SGD(scheduler, momentum=0).minimize(loss)
        flow.watch_diff(x, lambda gradient: seen.append(gradient.numpy()))
        return loss

    job(np.array([3, 1, 5, 2, 4], np.float32))
    # The element of rank three has the third weight.
    assert np.array_equal(seen[0], [5, 3, 4, 1, 2])
