"""Elementwise functions with further arguments: bounds, slopes, masks, triangles."""

from __future__ import annotations

from collections.abc import Sequence
from math import pi, sqrt

from penstock.basics.checks import check_integer, check_number
from penstock.basics.errors import kind_of, located
from penstock.trace.blob import Blob, apply, binary, check_blob, constant_blob, fill_of, is_element

Number = float | int


def clip_by_value(
    values: Blob,
    min_value: Number | None = None,
    max_value: Number | None = None,
    name: str | None = None,
) -> Blob:
    """Clip each value to two bounds, either of which may be None; NaN stays NaN.

    The gradient passes where a value is within the bounds or equal to one, and is 0 elsewhere.

    >>> import numpy as np
    >>> import penstock as flow
    >>> import penstock.typing as tp
    >>> flow.clear_default_session()
    >>> @flow.global_function()
    ... def job(x: tp.Numpy.Placeholder((3,))) -> tp.Numpy:
    ...     return flow.clip(x, -1, 1)
    >>> job(np.array([-3, 0.5, 2], np.float32))
    array([-1. ,  0.5,  1. ], dtype=float32)
    """
    what = "flow.clip_by_value"
    blob = check_blob(values, what)
    if min_value is None and max_value is None:
        raise located(ValueError, f"{what} takes min_value, max_value or both, got neither")
    for bound, word in ((min_value, "min_value"), (max_value, "max_value")):
        if bound is not None and not is_element(bound, blob.dtype):
            raise located(
                TypeError, f"{word} of {what} must be a number or None, got {kind_of(bound)}"
            )
    if min_value is not None:
        blob = binary(
            "flow.at_least", blob, min_value, None if max_value is not None else name, what
        )
    if max_value is not None:
        blob = binary("flow.at_most", blob, max_value, name, what)
    return blob


clamp = clip = clip_by_scalar = clip_by_value


def polyval(coeffs: Sequence[Blob | Number], x: Blob, name: str | None = None) -> Blob:
    """Evaluate a polynomial at x by Horner's rule, highest power first."""
    what = "flow.math.polyval"
    blob = check_blob(x, what)
    if not isinstance(coeffs, list | tuple):
        raise located(TypeError, f"coeffs of {what} must be a list, got {kind_of(coeffs)}")
    highest, *others = coeffs or [0]
    if isinstance(highest, Blob):
        total = check_blob(highest, what)
    else:
        number = fill_of(highest, blob.dtype, f"each of coeffs of {what}")
        total = constant_blob(number, blob.shape, blob.dtype, what)
    for coefficient in others:
        term = binary("flow.multiply", total, blob, what=what)
        total = binary("flow.add", term, coefficient, what=what)
    return apply("flow.identity", total, name=name, what=what)[0]


def tril(x: Blob, diagonal: int = 0, fill_value: Number = 0, name: str | None = None) -> Blob:
    """The lower triangles of matrices (the last two dimensions); `fill_value` above `diagonal`."""
    return _triangle("flow.math.tril", x, diagonal, fill_value, 1, name)


def fused_scale_tril(
    x: Blob,
    diagonal: int = 0,
    fill_value: Number = 0,
    scale: Number = 1,
    name: str | None = None,
) -> Blob:
    """The lower triangles of matrices times `scale`; `fill_value`, not scaled, above `diagonal`."""
    return _triangle("flow.math.fused_scale_tril", x, diagonal, fill_value, scale, name)


def _triangle(
    what: str, x: Blob, diagonal: int, fill_value: Number, scale: Number, name: str | None
) -> Blob:
    blob = check_blob(x, what)
    if scale != 1:
        blob = binary("flow.multiply", blob, scale, what=what)
    return apply(
        "flow.tril", blob, name=name, what=what,
        diagonal=check_integer(diagonal, f"diagonal of {what}"),
        fill=fill_of(fill_value, blob.dtype, f"fill_value of {what}"),
    )[0]  # fmt: skip


# -- activations ----------------------------------------------------------------------------------


def leaky_relu(x: Blob, alpha: float = 0.2, name: str | None = None) -> Blob:
    """x where it is above 0, else alpha * x."""
    what = "flow.nn.leaky_relu"
    slope = check_number(alpha, f"alpha of {what}")
    return apply("flow.leaky_relu", check_blob(x, what), alpha=slope, name=name, what=what)[0]


def elu(x: Blob, alpha: float = 1.0, name: str | None = None) -> Blob:
    """x where it is above 0, else alpha * (exp(x) - 1)."""
    what = "flow.nn.elu"
    scale = check_number(alpha, f"alpha of {what}")
    return apply("flow.elu", check_blob(x, what), alpha=scale, name=name, what=what)[0]


def swish(x: Blob, beta: float = 1.0, name: str | None = None) -> Blob:
    """x * sigmoid(beta * x)"""
    what = "flow.nn.swish"
    slope = check_number(beta, f"beta of {what}")
    return apply("flow.swish", check_blob(x, what), beta=slope, name=name, what=what)[0]


def hardtanh(x: Blob, min_val: float = -1.0, max_val: float = 1.0, name: str | None = None) -> Blob:
    """Clip x to two bounds; the gradient is 0 at the bounds and beyond."""
    return _bounded("flow.nn.hardtanh", x, min_val, max_val, name)


def relu6(x: Blob, name: str | None = None) -> Blob:
    """Clip x to [0, 6]; the gradient is 0 at the bounds and beyond."""
    return _bounded("flow.nn.relu6", x, 0.0, 6.0, name)


def _bounded(what: str, x: Blob, low: float, high: float, name: str | None) -> Blob:
    bounds = [check_number(low, f"min_val of {what}"), check_number(high, f"max_val of {what}")]
    if not bounds[0] <= bounds[1]:
        raise located(ValueError, f"{what} takes min_val <= max_val, got {low} and {high}")
    blob = check_blob(x, what)
    return apply("flow.hardtanh", blob, low=bounds[0], high=bounds[1], name=name, what=what)[0]


# -- gradients as functions -----------------------------------------------------------------------


def sigmoid_grad(y: Blob, dy: Blob, name: str | None = None) -> Blob:
    """The gradient of sigmoid's operand, from its result and the result's gradient."""
    what = "flow.math.sigmoid_grad"
    slope = binary("flow.multiply", y, binary("flow.subtract", 1, y, what=what), what=what)
    return binary("flow.multiply", slope, dy, name, what)


def gelu_grad(x: Blob, dy: Blob, name: str | None = None) -> Blob:
    """The gradient of gelu's operand, from the operand and the result's gradient."""
    what = "flow.math.gelu_grad"
    scaled = binary("flow.multiply", x, sqrt(0.5), what=what)
    share = binary("flow.multiply", apply("flow.erfc", _negative(scaled))[0], 0.5, what=what)
    bell = apply("flow.exp", _negative(apply("flow.square", scaled)[0]))[0]
    density = binary("flow.multiply", bell, 1 / sqrt(2 * pi), what=what)
    slope = binary("flow.add", share, binary("flow.multiply", x, density, what=what), what=what)
    return binary("flow.multiply", slope, dy, name, what)


def _negative(x: Blob) -> Blob:
    return apply("flow.negative", x)[0]
