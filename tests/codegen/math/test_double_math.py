"""f64 functions made of basic operations, as GPUs have them: their errors, on this processor."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from double_rows import compiled, samples
from math_rows import Array, ulps
from sampling import IS_LONG

from penstock.codegen.host import host_level
from penstock.codegen.math.double_math import NAMES

pytestmark = pytest.mark.skipif(
    host_level() < "x86-64-v3", reason="this processor has no fused multiply-add"
)

COUNT = 1 << 20 if IS_LONG else 1 << 14
# The largest errors in ulps that were found, rounded up.
BOUNDS = {
    "acos": 0.7, "acosh": 0.51, "asin": 0.7, "asinh": 0.51, "atan": 0.7, "atan2": 0.75,
    "atanh": 0.51, "cos": 0.85, "cosh": 1.3, "erf": 1.6, "erfc": 1.3, "exp2": 0.9, "expm1": 1.4,
    "log1p": 0.51, "log2": 0.51, "pow": 0.8, "sin": 0.85, "sinh": 1.8, "tan": 1.1,
}  # fmt: skip


# -- references in long double --------------------------------------------------------------------


def _square_exp(x: Array) -> Array:
    """exp(-x * x), where the square is computed in two parts."""
    narrow = x.astype(np.float64)
    high = narrow.astype(np.float32).astype(np.longdouble)
    low = x - high
    square = x * x
    rest = ((high * high - square) + 2 * high * low) + low * low
    return np.exp(-square) * (1 - rest)


def _erf_near(x: Array) -> Array:
    """A series of positive terms."""
    total = np.zeros_like(x)
    term = x.copy()
    for n in range(1, 120):
        total += term
        term = term * 2 * x * x / (2 * n + 1)
    return 2 / np.sqrt(np.arctan(np.longdouble(1)) * 4) * _square_exp(x) * total


def _erfc_far(x: Array) -> Array:
    """A continued fraction."""
    total = x.copy()
    for n in range(400, 0, -1):
        total = x + n / np.longdouble(2) / total
    return _square_exp(x) / (np.sqrt(np.arctan(np.longdouble(1)) * 4) * total)


def _erf(x: Array) -> Array:
    size = np.minimum(np.abs(x), 6)
    value = np.where(size < 2, _erf_near(np.minimum(size, 2)), 1 - _erfc_far(np.maximum(size, 2)))
    return np.where(np.isnan(x), x, np.copysign(value, x))


def _erfc(x: Array) -> Array:
    size = np.minimum(np.abs(x), 40)
    near = 1 - np.copysign(_erf_near(np.minimum(size, 2)), x)
    far = _erfc_far(np.maximum(size, 2))
    value = np.where(size < 2, near, np.where(x < 0, 2 - far, far))
    return np.where(np.isnan(x), x, value)


REFERENCES: dict[str, Callable[..., Array]] = {
    "acos": np.arccos, "acosh": np.arccosh, "asin": np.arcsin, "asinh": np.arcsinh,
    "atan": np.arctan, "atan2": np.arctan2, "atanh": np.arctanh, "cos": np.cos, "cosh": np.cosh,
    "erf": _erf, "erfc": _erfc, "exp2": np.exp2, "expm1": np.expm1, "log1p": np.log1p,
    "log2": np.log2, "pow": np.power, "sin": np.sin, "sinh": np.sinh, "tan": np.tan,
}  # fmt: skip


@pytest.mark.numbers
@pytest.mark.parametrize("name", NAMES)
def test_errors(name: str) -> None:
    for arguments in samples(name, COUNT):
        with np.errstate(all="ignore"):
            exact = REFERENCES[name](*(x.astype(np.longdouble) for x in arguments))
        errors = ulps(compiled(name)(*arguments), exact)
        place = int(errors.argmax())
        assert errors[place] <= BOUNDS[name], [float(x[place]) for x in arguments]


def test_every_function_has_a_bound() -> None:
    assert set(BOUNDS) == set(NAMES) == set(REFERENCES)
    assert max(BOUNDS.values()) <= 2
