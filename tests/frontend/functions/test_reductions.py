"""Public reductions against NumPy in float64."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import penstock as flow
import penstock.typing as tp

pytestmark = pytest.mark.numbers

Array = np.ndarray[Any, Any]
SHAPE = (3, 5, 19)


def drawn() -> Array:
    return np.random.default_rng(3).normal(5, 2, SHAPE).astype(np.float32)


def test_moments_and_norms() -> None:
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder(SHAPE)) -> list[tp.Numpy]:
        mean, variance = flow.nn.moments(x, [0, 2], keepdims=True)
        return [
            mean, variance, flow.math.reduce_variance(x, 1), flow.math.reduce_std(x),
            flow.math.reduce_logsumexp(x * 100, axis=-1),
            flow.math.reduce_euclidean_norm(x, [1, 2]), flow.math.l2_normalize(x, 2),
            flow.math.l2_normalize(x * 0), flow.math.argmin(x, 1), flow.math.argmax(x),
            flow.math.two_stage_reduce_max(x, 0), flow.nn.moments(x, [1])[0],
            flow.math.argmax(flow.reshape(x, [-1])),
        ]  # fmt: skip

    x = drawn()
    x[1, 2, 3] = x[1, 4, 3] = -50
    wide = x.astype(np.float64)
    top = 100 * wide.max(-1, keepdims=True)
    sums = np.log(np.exp(100 * wide - top).sum(-1)) + top[..., 0]
    wanted = [
        wide.mean((0, 2), keepdims=True), wide.var((0, 2), keepdims=True), wide.var(1), wide.std(),
        sums, np.sqrt((wide**2).sum((1, 2))), wide / np.sqrt((wide**2).sum(2, keepdims=True)),
        wide * 0, x.argmin(1), x.argmax(-1), x.max(0), wide.mean(1), x.argmax(),
    ]  # fmt: skip
    for i, (got, array) in enumerate(zip(job(x), wanted, strict=True)):
        assert got.shape == (np.shape(array) or (1,))
        # A sum rounded once, a difference, a square, a mean and a root: a few ulps each.
        np.testing.assert_allclose(got, array, 1e-6, 1e-6, err_msg=str(i))


def test_variance_far_from_zero_does_not_cancel() -> None:
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((1000,))) -> tp.Numpy:
        return flow.math.reduce_variance(x)

    x = np.float32(1e4) + np.random.default_rng(4).normal(0, 1, 1000).astype(np.float32)
    # mean(x * x) - mean(x) ** 2 in f32 would be off by 1e8 * 2**-24 = 6.
    np.testing.assert_allclose(job(x), x.astype(np.float64).var(), 1e-6)


def test_squares_of_16_bits_do_not_overflow() -> None:
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((4, 50), dtype=flow.float16)) -> list[tp.Numpy]:
        return [
            flow.math.reduce_std(x, 1), flow.math.reduce_euclidean_norm(x, 1),
            flow.math.l2_normalize(x, 1), flow.nn.moments(x, [1])[0],
        ]  # fmt: skip

    x = np.random.default_rng(6).normal(0, 2000, (4, 50)).astype(np.float16)
    wide = x.astype(np.float64)
    norm = np.sqrt((wide**2).sum(1))
    for got, array in zip(
        job(x), [wide.std(1), norm, wide / norm[:, None], wide.mean(1)], strict=True
    ):
        assert got.dtype == np.float16
        np.testing.assert_allclose(got, array, 2.0**-11, 1e-6)


def test_logsumexp_at_infinity() -> None:
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((4, 2))) -> tp.Numpy:
        return flow.math.reduce_logsumexp(x, 1)

    inf, nan = np.inf, np.nan
    x = np.array([[-inf, -inf], [-inf, 2], [inf, 1], [nan, 1]], np.float32)
    np.testing.assert_array_equal(job(x), np.array([-inf, 2, inf, nan], np.float32))


@pytest.mark.parametrize("dtype", [flow.int8, flow.bool, flow.float, flow.uint8])
def test_any_and_all(dtype: Any) -> None:
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((6, 40), dtype=dtype)) -> list[tp.Numpy]:
        return [
            flow.math.reduce_any(x, 1), flow.math.reduce_all(x, 1), flow.math.reduce_any(x),
            flow.math.reduce_all(x, 0, keepdims=True),
        ]  # fmt: skip

    x = np.zeros((6, 40), dtype.numpy)
    x[1, 7], x[2], x[3, :39], x[5] = 1, 1, 1, 1
    wanted = [x.any(1), x.all(1), x.any(), x.all(0, keepdims=True)]
    for got, array in zip(job(x), wanted, strict=True):
        assert got.dtype == np.int8
        np.testing.assert_array_equal(got, array)


def test_counts() -> None:
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder(SHAPE)) -> list[tp.Numpy]:
        return [
            flow.count_not_finite(x), flow.multi_count_not_finite([x, x, x * 0]),
            flow.elem_cnt(x), flow.elem_cnt(x, flow.float),
            flow.math.reduced_shape_elem_cnt(x, [0]),
        ]  # fmt: skip

    x = drawn()
    x[0, 0, :4] = np.inf, -np.inf, np.nan, 3e38
    counts = job(x)
    assert [c.tolist() for c in counts] == [[3], [9], [285], [285.0], [3]]
    assert [c.dtype.name for c in counts] == ["int64", "int64", "int32", "float32", "int32"]


@pytest.mark.parametrize("scheme", ["symmetric", "affine"])
def test_grids_of_integers(scheme: str) -> None:
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder(SHAPE)) -> list[tp.Numpy]:
        one = flow.quantization.min_max_observer(x, quantization_scheme=scheme)
        many = flow.quantization.min_max_observer(x, 4, scheme, per_layer_quantization=False)
        return [*one, *many]

    x = drawn()
    for (scale, zero), rows, bits in zip(
        np.reshape(np.array(job(x), object), (2, 2)), (x.reshape(1, -1), x.reshape(3, -1)), (8, 4),
        strict=True,
    ):  # fmt: skip
        low, high = rows.min(1).astype(np.float64), rows.max(1).astype(np.float64)
        if scheme == "affine":
            wanted = (high - low) / (2**bits - 1)
            np.testing.assert_array_equal(zero, -np.rint(low / wanted))
        else:
            wanted = np.maximum(-low, high) / (2 ** (bits - 1) - 1)
            assert not np.any(zero)
        np.testing.assert_allclose(scale, wanted, 3e-7)


def test_slices_of_variables_are_assigned() -> None:
    @flow.global_function()
    def job(value: tp.Numpy.Placeholder((2,))) -> tuple[tp.Numpy, tp.Numpy]:
        x = flow.get_variable("x", (5,), initializer=flow.ones_initializer())
        flow.experimental.logical_slice_assign(x, value, [(1, 5, 3)])
        return flow.experimental.square_sum(x), flow.experimental.logical_slice(x, [(1, 3, 1)])

    value = np.array([2, 3], np.float32)
    assert [a.tolist() for a in job(value)] == [[5], [1, 1]]
    assert [a.tolist() for a in job(value)] == [[16], [2, 1]]


def test_gradient_of_moments() -> None:
    gradients = []

    @flow.global_function(type="train")
    def job(x: tp.Numpy.Placeholder((3, 4))) -> tp.Numpy:
        scale = flow.get_variable("scale", (3, 4), initializer=flow.ones_initializer())
        mean, variance = flow.nn.moments(scale * x, [1])
        loss = mean * 2 + variance
        flow.watch_diff(scale, lambda g: gradients.append(g.numpy()))
        flow.optimizer.SGD(
            flow.optimizer.PiecewiseConstantScheduler([], [0.0]), momentum=0
        ).minimize(loss)
        return loss

    x = drawn()[0, :3, :4]
    job(x)
    away = x - x.mean(1, keepdims=True, dtype=np.float64)
    np.testing.assert_allclose(gradients[0], x * (2 / 4 + 2 * away / 4), 1e-5)


@pytest.mark.parametrize(
    ("body", "kind", "said"),
    [
        (lambda x: flow.math.reduce_any(x, 2), ValueError, r"must lie in \[-2, 2\), got 2"),
        (lambda x: flow.math.reduce_std(x, [0, 0]), ValueError, "the axes of .* must differ"),
        (lambda x: flow.math.reduce_all(x, keepdims=1), TypeError, "keepdims of .*reduce_all must"),
        (lambda x: flow.nn.moments(x, 1)[0], TypeError, "axes of flow.nn.moments must be a list"),
        (lambda x: flow.math.argmin(x, 0.5), TypeError, "the axis of flow.math.argmin must be an"),
        (lambda x: flow.multi_count_not_finite(x), TypeError, "takes a list of blobs, got"),
        (lambda x: flow.math.reduce_logsumexp(x > 0), ValueError, "tensor<2x2xi8>: cast it first"),
    ],
)
def test_misuse(body: Callable[[Any], Any], kind: type[Exception], said: str) -> None:
    def job(x: tp.Numpy.Placeholder((2, 2))) -> tp.Numpy:
        return body(x)

    with pytest.raises(kind, match=said):
        flow.global_function()(job).trace()


def test_argmax_of_a_constant() -> None:
    flow.clear_default_session()

    @flow.global_function()
    def job() -> tp.Numpy:
        return flow.math.argmax(flow.constant(-3, flow.int8, (1, 31)), axis=1)

    assert job().tolist() == [0]
