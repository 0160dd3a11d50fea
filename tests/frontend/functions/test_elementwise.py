"""Public elementwise functions against NumPy in float64."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import penstock as flow
import penstock.typing as tp

pytestmark = pytest.mark.numbers

Array = np.ndarray[Any, Any]
X = np.linspace(-3.9, 3.9, 53, dtype=np.float32).reshape(1, 53)
INSIDE = np.linspace(-0.97, 0.97, 53, dtype=np.float32).reshape(1, 53)
ABOVE = np.linspace(1.03, 9, 53, dtype=np.float32).reshape(1, 53)
SHAPE = (1, 53)


def softplus(x: Array) -> Array:
    return np.logaddexp(x, 0)


def by_element(function: Callable[[float], float]) -> Callable[[Array], Array]:
    return np.vectorize(function, otypes=[np.float64])


def slope_of_lgamma(x: Array) -> Array:
    """To about ten digits, as a central difference."""
    lgamma = by_element(math.lgamma)
    return (lgamma(x + 1e-5) - lgamma(x - 1e-5)) / 2e-5


def inverse_of_erf(y: Array) -> Array:
    """To about ten digits, by interpolation in a table."""
    x = np.linspace(-4, 4, 2**20)
    return np.interp(y, by_element(math.erf)(x), x)


UNARY: dict[str, tuple[Array, Callable[[Array], Array]]] = {
    "math.acos": (INSIDE, np.arccos), "math.asin": (INSIDE, np.arcsin),
    "math.atan": (X, np.arctan), "math.acosh": (ABOVE, np.arccosh),
    "math.asinh": (X, np.arcsinh), "math.atanh": (INSIDE, np.arctanh), "math.cosh": (X, np.cosh),
    "math.sinh": (X, np.sinh), "math.tan": (X, np.tan), "math.round": (X * 2, np.rint),
    "math.erfc": (X, by_element(math.erfc)), "math.lgamma": (X + 0.01, by_element(math.lgamma)),
    "math.erfinv": (INSIDE, inverse_of_erf), "math.digamma": (ABOVE, slope_of_lgamma),
    "math.exp2": (X, np.exp2), "math.log2": (ABOVE, np.log2),
    "math.softplus": (X, softplus), "math.log_sigmoid": (X, lambda x: -softplus(-x)),
    "math.reciprocal_no_nan": (
        np.where(abs(X) < 1, 0, X), lambda x: np.where(x, 1 / (x + (x == 0)), 0)
    ),
    "nn.relu6": (X * 3, lambda x: np.clip(x, 0, 6)),
    "nn.hardtanh": (X, lambda x: np.clip(x, -1, 1)),
    "nn.hardsigmoid": (X, lambda x: np.clip(x + 3, 0, 6) / 6),
    "nn.hardswish": (X, lambda x: x * np.clip(x + 3, 0, 6) / 6),
    "nn.mish": (X, lambda x: x * np.tanh(softplus(x))),
    "nn.swish": (X, lambda x: x / (1 + np.exp(-x))),
    "nn.elu": (X, lambda x: np.where(x > 0, x, np.exp(np.minimum(x, 0)) - 1)),
    "nn.leaky_relu": (X, lambda x: np.where(x > 0, x, 0.2 * x)),
}  # fmt: skip


def test_functions_of_one_blob() -> None:
    names = list(UNARY)

    @flow.global_function()
    def job(inputs: tp.Numpy.Placeholder((len(names), 53))) -> list[tp.Numpy]:
        results = []
        for i, name in enumerate(names):
            house, _, function = name.partition(".")
            row = flow.slice(inputs, [i, 0], [1, 53])
            results.append(getattr(getattr(flow, house), function)(row))
        return results

    rows = job(np.concatenate([UNARY[name][0] for name in names]).astype(np.float32))
    for name, got in zip(names, rows, strict=True):
        x, function = UNARY[name]
        with np.errstate(all="ignore"):
            wanted = function(x.astype(np.float64))
        # A composition of three functions, each within 2 ulps.
        assert np.abs(got - wanted).max() <= 6e-7 * np.abs(wanted).max(), name
        assert got.dtype == np.float32


def test_functions_of_two_blobs_and_numbers() -> None:
    place = tp.Numpy.Placeholder(SHAPE)

    @flow.global_function()
    def job(x: place, y: place, m: tp.Numpy.Placeholder((53,), dtype=flow.int8)) -> list[tp.Numpy]:  # type: ignore[valid-type]
        return [
            flow.math.atan2(x, y), flow.math.xlogy(m_float(m), flow.math.abs(y)),
            flow.math.xdivy(m_float(m), 0.0), flow.math.logical_and(x, m_float(m)),
            flow.math.logical_or(x > 1, m), flow.math.logical_xor(m, 1), flow.math.logical_not(m),
            flow.masked_fill(x, m, -7), flow.clip(x, -1, 2), flow.clamp(x, max_value=0.5),
            flow.clip_by_scalar(m, 1), flow.math.polyval([2.0, -1.0, 0.5], x),
            flow.nn.hardtanh(x, -0.25, 0.75), flow.nn.elu(x, 0.5), flow.nn.swish(x, beta=2.0),
            flow.math.is_finite(x / flow.math.rint(x * 0.2)), flow.math.sigmoid_grad(y, x),
            flow.math.is_nan(flow.math.log(x)), flow.math.is_inf(flow.math.log(m_float(m))),
        ]  # fmt: skip

    def m_float(m: Any) -> Any:
        return flow.cast(m, flow.float32)

    y = X[:, ::-1].copy()
    m = (np.arange(53) % 3 == 0).astype(np.int8)
    m[0] = 0
    wide, high = X.astype(np.float64), y.astype(np.float64)
    with np.errstate(all="ignore"):
        wanted = [
            np.arctan2(wide, high), np.where(m, np.log(abs(high)), 0), np.where(m, np.inf, 0),
            np.logical_and(X, m), (X > 1) | (m > 0), m == 0, m == 0, np.where(m, -7, wide),
            np.clip(wide, -1, 2), np.minimum(wide, 0.5), np.maximum(m, 1),
            (2 * wide - 1) * wide + 0.5, np.clip(wide, -0.25, 0.75),
            np.where(wide > 0, wide, 0.5 * np.expm1(wide)), wide / (1 + np.exp(-2 * wide)),
            np.rint(X * np.float32(0.2)) != 0, high * (1 - high) * wide, wide < 0,
            m == 0,
        ]  # fmt: skip
    for i, (got, array) in enumerate(zip(job(X, y, m), wanted, strict=True)):
        bound = 6e-7 * np.abs(array[np.isfinite(array)]).max()
        np.testing.assert_allclose(got.astype(np.float64), array, 0, bound, err_msg=str(i))


def test_triangles() -> None:
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((2, 3, 4))) -> list[tp.Numpy]:
        return [
            flow.math.tril(x), flow.nn.tril(x, 1, 5.0), flow.math.fused_scale_tril(x, -1, 9.0, 2.0),
        ]  # fmt: skip

    x = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
    kept = [np.tri(3, 4, k, bool) for k in (0, 1, -1)]
    wanted = [np.where(kept[0], x, 0), np.where(kept[1], x, 5), np.where(kept[2], x * 2, 9)]
    for got, array in zip(job(x), wanted, strict=True):
        np.testing.assert_array_equal(got, array)


def test_numbers_among_integers_are_exact() -> None:
    number = 2**53 + 1  # not a float

    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((2, 2), dtype=flow.int64)) -> list[tp.Numpy]:
        return [
            flow.pad(x, [(1, 0), (0, 0)], number), flow.math.fused_scale_tril(x, 0, number),
            flow.masked_fill(x, x, number), flow.math.polyval([number, 0], x),
            flow.matmul(x, x, alpha=number),
        ]  # fmt: skip

    x = np.arange(4).reshape(2, 2)
    wanted = [
        np.pad(x, [(1, 0), (0, 0)], constant_values=number), np.where(np.tri(2) > 0, x, number),
        np.where(x, number, x), number * x, number * (x @ x),
    ]  # fmt: skip
    for got, array in zip(job(x), wanted, strict=True):
        np.testing.assert_array_equal(got, array)


@pytest.mark.parametrize(
    ("body", "kind", "said"),
    [
        (lambda x: flow.clip(x), ValueError, "takes min_value, max_value or both, got neither"),
        (lambda x: flow.clip(x, "0"), TypeError, "min_value of flow.clip_by_value must be a"),
        (lambda x: flow.nn.hardtanh(x, 1.0, -1.0), ValueError, "takes min_val <= max_val, got 1.0"),
        (lambda x: flow.nn.elu(x, None), TypeError, "alpha of flow.nn.elu must be a number"),
        (lambda x: flow.masked_fill(x, x > 0, x), TypeError, "value of flow.masked_fill must be a"),
        (lambda x: flow.masked_fill(x, x, 1), ValueError, "expected a condition of integers"),
        (lambda x: flow.math.tril(flow.reshape(x, [4])), ValueError, "expected matrices in"),
        (lambda x: flow.math.tril(x, 0.5), TypeError, "diagonal of flow.math.tril must be an int"),
        (lambda x: flow.math.tril(x, 0, 1e39), ValueError, "flow.math.tril got 1e"),
        (lambda x: flow.pad(flow.cast(x, flow.uint8), [(1, 0), (0, 0)], 300), ValueError,
         "constant_value of flow.pad got 300, which flow.uint8 cannot hold"),
        (lambda x: flow.constant_pad2d(flow.zeros((1, 1, 2, 2), flow.int32), 1, np.nan), TypeError,
         "constant_value of flow.constant_pad2d got nan with flow.int32 blobs"),
        (lambda x: flow.math.polyval(3, x), TypeError, "coeffs of flow.math.polyval must"),
        (lambda x: flow.math.acos(flow.cast(x, flow.int32)), ValueError, "got tensor<2x2xi32>"),
        (lambda x: flow.math.atan2(x, flow.cast(x, flow.double)), ValueError, "got f32 and f64"),
    ],
)  # fmt: skip
def test_misuse(body: Callable[[Any], Any], kind: type[Exception], said: str) -> None:
    def job(x: tp.Numpy.Placeholder((2, 2))) -> tp.Numpy:
        return body(x)

    with pytest.raises(kind, match=said):
        flow.global_function()(job).trace()
