"""Initial values of variables: descriptions that the runtime draws from.

Each is a plain dict whose `kind` is constant, random_uniform, random_normal, truncated_normal or
variance_scaling. It is in the module at every stage, so a compiled job starts the same way.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from penstock.basics.checks import check_number as _number
from penstock.basics.checks import is_integer
from penstock.basics.dtypes import DType, check_dtype, float32
from penstock.basics.errors import kind_of, located

Initializer = dict[str, Any]

_MODES = ("fan_in", "fan_out", "fan_avg")
_DISTRIBUTIONS = ("truncated_normal", "random_normal", "random_uniform")
_FORMATS = ("", "NCHW", "channels_first", "NHWC", "channels_last")


def _one_of(value: object, known: Sequence[str], what: str) -> str:
    if value not in known:
        choices = ", ".join(f'"{word}"' for word in known)
        raise located(ValueError, f"{what} must be one of {choices}, got {kind_of(value)}")
    return str(value)


def constant_initializer(value: float = 0, dtype: DType = float32) -> Initializer:
    """Every element is `value`.

    >>> import penstock as flow
    >>> flow.constant_initializer(2)
    {'kind': 'constant', 'value': 2.0}
    """
    number = _number(value, "the value of a constant_initializer")
    if check_dtype(dtype, "the dtype of a constant_initializer").is_float:
        return {"kind": "constant", "value": number}
    if not number.is_integer():
        raise located(ValueError, f"a constant_initializer of {dtype} takes an int, got {value}")
    return {"kind": "constant", "value": int(value)}


def zeros_initializer(dtype: DType = float32) -> Initializer:
    """Every element is 0."""
    return constant_initializer(0, dtype)


def ones_initializer(dtype: DType = float32) -> Initializer:
    """Every element is 1."""
    return constant_initializer(1, dtype)


def random_uniform_initializer(
    minval: float = 0, maxval: float = 1, dtype: DType = float32
) -> Initializer:
    """Uniform in [minval, maxval); integers for variables of integers."""
    check_dtype(dtype, "the dtype of a random_uniform_initializer")
    low = _number(minval, "minval of a random_uniform_initializer")
    high = _number(maxval, "maxval of a random_uniform_initializer")
    if low > high:
        raise located(
            ValueError,
            f"a random_uniform_initializer needs minval <= maxval, got {minval} and {maxval}",
        )
    return {"kind": "random_uniform", "minval": low, "maxval": high}


def _normal(kind: str, mean: float, stddev: float) -> Initializer:
    deviation = _number(stddev, f"stddev of {kind}")
    if deviation < 0:
        raise located(ValueError, f"stddev of {kind} must be at least 0, got {stddev}")
    return {"kind": kind, "mean": _number(mean, f"mean of {kind}"), "stddev": deviation}


def random_normal_initializer(
    mean: float = 0.0, stddev: float = 1.0, seed: int | None = None, dtype: DType | None = None
) -> Initializer:
    """Normal with this mean and standard deviation; `seed` fixes the draw."""
    if dtype is not None:
        check_dtype(dtype, "the dtype of a random_normal_initializer")
    initializer = _normal("random_normal", mean, stddev)
    return initializer if seed is None else {**initializer, "seed": check_seed(seed)}


def check_seed(seed: object) -> int:
    """`seed` as an int that fits in 64 bits."""
    if not is_integer(seed) or not 0 <= seed < 2**63:
        raise located(TypeError, f"a seed must be an int in [0, 2**63), got {kind_of(seed)}")
    return int(seed)


def truncated_normal(stddev: float = 1.0) -> Initializer:
    """Normal with mean 0, redrawn beyond two standard deviations.

    >>> import penstock as flow
    >>> flow.truncated_normal(0.1)
    {'kind': 'truncated_normal', 'mean': 0.0, 'stddev': 0.1}
    """
    return _normal("truncated_normal", 0.0, stddev)


def truncated_normal_initializer(mean: float = 0.0, stddev: float = 1.0) -> Initializer:
    """Normal, redrawn beyond two standard deviations of the mean."""
    return _normal("truncated_normal", mean, stddev)


def variance_scaling_initializer(
    scale: float = 1.0,
    mode: str = "fan_in",
    distribution: str = "truncated_normal",
    data_format: str = "",
) -> Initializer:
    """Mean 0 and variance scale / fan, where fan depends on the variable's shape.

    fan_in is the product of the dimensions after the first; fan_out is the first times the spatial
    ones: those after the second, or with `data_format="NHWC"` those between the first and the last.
    fan_avg is their mean.
    """
    _one_of(data_format, _FORMATS, "data_format of a variance_scaling_initializer")
    number = _number(scale, "scale of a variance_scaling_initializer")
    if number <= 0:
        raise located(
            ValueError, f"scale of a variance_scaling_initializer must be above 0, got {scale}"
        )
    initializer = {
        "kind": "variance_scaling",
        "scale": number,
        "mode": _one_of(mode, _MODES, "mode of a variance_scaling_initializer"),
        "distribution": _one_of(
            distribution, _DISTRIBUTIONS, "distribution of a variance_scaling_initializer"
        ),
    }
    return initializer if data_format in _FORMATS[:3] else {**initializer, "data_format": "NHWC"}


def glorot_uniform_initializer(data_format: str = "") -> Initializer:
    """Uniform with variance 1 / fan_avg (Glorot and Bengio, 2010)."""
    return variance_scaling_initializer(1.0, "fan_avg", "random_uniform", data_format)


def glorot_normal_initializer(data_format: str = "") -> Initializer:
    """Normal with variance 1 / fan_avg (Glorot and Bengio, 2010)."""
    return variance_scaling_initializer(1.0, "fan_avg", "random_normal", data_format)


xavier_uniform_initializer = glorot_uniform_initializer
xavier_normal_initializer = glorot_normal_initializer


def kaiming_initializer(
    shape: Sequence[int],
    distribution: str = "random_normal",
    mode: str = "fan_in",
    nonlinearity: str = "leaky_relu",
    negative_slope: float = 0.0,
    data_format: str = "NCHW",
) -> Initializer:
    """Mean 0 and standard deviation gain / sqrt(fan) for a variable of `shape` (He et al., 2015).

    The gain is 1 for "linear" and "sigmoid", 5/3 for "tanh", sqrt(2) for "relu" and
    sqrt(2 / (1 + negative_slope^2)) for "leaky_relu".
    """
    if not isinstance(shape, tuple | list) or len(shape) < 2:
        raise located(
            ValueError,
            f"kaiming_initializer needs a shape of at least two dimensions, got {shape!r}",
        )
    _one_of(data_format, ("NCHW", "NHWC"), "data_format of a kaiming_initializer")
    slope = _number(negative_slope, "negative_slope of a kaiming_initializer")
    gains = {
        "linear": 1.0,
        "sigmoid": 1.0,
        "tanh": 5.0 / 3.0,
        "relu": math.sqrt(2.0),
        "leaky_relu": math.sqrt(2.0 / (1.0 + slope**2)),
    }
    gain = gains[_one_of(nonlinearity, list(gains), "nonlinearity of a kaiming_initializer")]
    spatial = shape[2:] if data_format == "NCHW" else shape[1:-1]
    fan_in, fan_out = math.prod(shape[1:]), shape[0] * math.prod(spatial)
    fans = {"fan_in": fan_in, "fan_out": fan_out, "fan_avg": (fan_in + fan_out) / 2}
    deviation = gain / math.sqrt(fans[_one_of(mode, _MODES, "mode of a kaiming_initializer")])
    if _one_of(distribution, _DISTRIBUTIONS[1:], "distribution of a kaiming_initializer") == (
        "random_uniform"
    ):
        bound = math.sqrt(3.0) * deviation
        return random_uniform_initializer(-bound, bound)
    return random_normal_initializer(0.0, deviation)
