"""Jobs on float16 and bfloat16: each op computes in f32 and rounds its result once."""

from typing import Any

import ml_dtypes
import numpy as np
import pytest

import penstock as flow
import penstock.typing as tp

pytestmark = pytest.mark.numbers

Array = np.ndarray[Any, Any]
HALVES = {
    "float16": (flow.float16, np.dtype(np.float16), 2.0**-11),
    "bfloat16": (flow.bfloat16, np.dtype(ml_dtypes.bfloat16), 2.0**-8),
}
"""Each type with its NumPy dtype and the largest relative error of one rounding."""

each = pytest.mark.parametrize("name", HALVES)


def drawn(shape: tuple[int, ...], dtype: np.dtype[Any], seed: int = 5) -> Array:
    return np.random.default_rng(seed).uniform(0.5, 1.5, shape).astype(dtype)


def exact(array: Array) -> Array:
    return array.astype(np.float64)


@each
def test_long_sums_are_computed_in_f32(name: str) -> None:
    dtype, numpy, rounding = HALVES[name]

    @flow.global_function()
    def job(
        x: tp.Numpy.Placeholder((3, 4000), dtype=dtype), y: tp.Numpy.Placeholder((4000, 5), dtype)
    ) -> tuple[tp.Numpy, tp.Numpy]:
        return flow.matmul(x, y), flow.math.reduce_mean(x, axis=1)

    x, y = drawn((3, 4000), numpy), drawn((4000, 5), numpy, 6)
    product, mean = job(x, y)
    assert product.dtype == mean.dtype == numpy
    # Accumulated in the type itself, a sum of 4000 numbers near 1 would stall at 2048 or 256.
    np.testing.assert_allclose(exact(product), exact(x) @ exact(y), rtol=rounding * 1.1)
    np.testing.assert_allclose(exact(mean), exact(x).mean(1), rtol=rounding * 1.1)


@each
def test_each_op_rounds_once_and_chains_round_each(name: str) -> None:
    dtype, numpy, _ = HALVES[name]

    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((1000,), dtype=dtype)) -> tuple[tp.Numpy, tp.Numpy, tp.Numpy]:
        return x * 0.3 + x, flow.math.sqrt(x), flow.cast(x, flow.float32) * 3

    x = drawn((1000,), numpy)
    chain, root, wide = job(x)
    single = x.astype(np.float32)
    third = (single * single.dtype.type(numpy.type(0.3))).astype(numpy).astype(np.float32)
    np.testing.assert_array_equal(chain, (third + single).astype(numpy))
    np.testing.assert_array_equal(root, np.sqrt(single).astype(numpy))
    np.testing.assert_array_equal(wide, single * 3)
    assert wide.dtype == np.float32


@each
def test_a_job_trains(name: str) -> None:
    dtype, numpy, rounding = HALVES[name]

    def step(x: Any, labels: Any) -> Any:
        start = flow.random_normal_initializer(stddev=0.2)
        y = flow.layers.dense(x, 32, flow.nn.relu, kernel_initializer=start, name="a")
        y = flow.layers.dense(flow.layers.layer_norm(y), 10, kernel_initializer=start, name="b")
        loss = flow.nn.sparse_softmax_cross_entropy_with_logits(labels, y)
        schedule = flow.optimizer.PiecewiseConstantScheduler([], [0.1])
        flow.optimizer.SGD(schedule, momentum=0.9).minimize(loss)
        return loss

    @flow.global_function(type="train")
    def job(
        x: tp.Numpy.Placeholder((8, 16), dtype=dtype),
        labels: tp.Numpy.Placeholder((8,), dtype=flow.int32),
    ) -> tp.Numpy:
        return step(x, labels)

    random = np.random.default_rng(7)
    x, labels = random.standard_normal((8, 16)).astype(numpy), random.integers(0, 10, 8, np.int32)
    losses = [float(exact(job(x, labels)).mean()) for _ in range(30)]
    assert losses[-1] < losses[0] / 2
    assert {v.numpy().dtype for k, v in flow.get_all_variables().items() if "Train" not in k} == {
        numpy
    }
    flow.clear_default_session()

    @flow.global_function(type="train")
    def wide(
        x: tp.Numpy.Placeholder((8, 16)), labels: tp.Numpy.Placeholder((8,), dtype=flow.int32)
    ) -> tp.Numpy:
        return step(x, labels)

    first = float(wide(x.astype(np.float32), labels).mean())
    assert abs(losses[0] - first) <= 8 * rounding * first


@pytest.mark.parametrize("name", ["sinh", "asinh", "atan", "tanh"])
def test_a_double_is_rounded_to_16_bits_before_a_function_and_after(name: str) -> None:
    # LLVM would merge the two roundings of one of these into a library call that does not exist.
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((1,), dtype=flow.double)) -> tp.Numpy:  # type: ignore[valid-type]
        return getattr(flow.math, name)(flow.cast(x, flow.float16))

    x = np.array([-0.3])
    wanted = getattr(np, {"asinh": "arcsinh", "atan": "arctan"}.get(name, name))(x.astype("f2"))
    np.testing.assert_allclose(job(x), wanted, rtol=2.0**-10)


def test_widened_computations_keep_their_location() -> None:
    """A matmul, a sum and their epilogue keep the user's locations."""

    @flow.global_function()
    def sums(x: tp.Numpy.Placeholder((32, 64), dtype=flow.float16)) -> tp.Numpy:
        return flow.nn.relu(flow.math.reduce_sum(flow.matmul(x, x, transpose_b=True), axis=1))

    report = sums.lower().fuse_report()
    assert "matmul" in report
    assert "unknown location" not in report
